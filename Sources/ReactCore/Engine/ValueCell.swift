import Synchronization

/// A vertex with storage for its value, if it has one.
@usableFromInline package typealias ValueCell<Value: Sendable> = OptionalValueCell<Value?>

/// The implementation of `ValueCell`. Its generic parameter is the optional type, not the value's. So unspecialised
/// code, such as `deinit`, finds that type in the class's metadata, and looks up no metadata per node.
///
/// Only the owner of the region writes the value, and reads it as it is. Other threads call `read`: it finds plain data
/// by `sequence`, which is odd while the owner writes, and otherwise grows with each store. All other values are
/// written and read under the lock.
///
/// Unchecked, because of that.
@usableFromInline package final class OptionalValueCell<Held: AnyOptional & Sendable>: Vertex, @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline package var value: Held

    @inlinable package init(_ value: consuming Held) {
        self.value = value
        super.init()
    }
    deinit {
        // Plain data refers to no nodes.
        guard !_isPOD(Held.self) else { return }
        var old: Held = nil
        swap(&value, &old)
        IterativeRelease.letGo(of: consume old)
    }

    override func handleEnds() {
        let hasEdges = endHandle()
        // From here on, the name does not change, and no observer learns of the vertex.
        if isKnown { leaveRecords() }
        guard hasEdges else { return }
        asOwner { vertex in
            // Code that retains an operator's transform may retain the vertex through it. So the value goes now, as
            // soon as nothing is being delivered at the source, and then here.
            guard let source = vertex.abandon() else { return }
            if source.isInRegion(of: vertex) {
                source.whenIdle { vertex.whenIdle { vertex.forgetValue() } }
            } else {
                vertex.whenIdle { vertex.forgetValue() }
            }
        }
    }

    @inlinable override var isEmpty: Bool {
        #if THREAD_SANITIZER
        var value = value  // see `AnyOptional`
        #endif
        return value.isNothing()
    }
    override var readsEmpty: Bool {
        var value = read()
        return value.isNothing()
    }
    override func readCopy() -> (value: Vertex, store: UInt32) {
        var copy: Held = nil
        let store = read(into: &copy)
        return (OptionalValueCell(copy), store)
    }
    override func describedValue() -> String? { read().describedIfAny }
    override package var valueType: Any.Type { Held.wrappedType }
    override package func copyOfValue() -> Vertex { OptionalValueCell(value) }
    @inlinable override package func copyValue(from other: Vertex) {
        guard _isPOD(Held.self) else { return value = unsafeDowncast(other, to: OptionalValueCell<Held>.self).value }
        // One copy of the bytes, because this code is not always specialised.
        place.copyMemory(
            from: unsafeDowncast(other, to: OptionalValueCell<Held>.self).place, byteCount: MemoryLayout<Held>.size)
    }
    override package func movedValue() -> Vertex {
        let moved = OptionalValueCell(nil)
        swap(&moved.value, &value)
        return moved
    }
    override func forgetValue() {
        let old = replace(with: nil)
        // The value may refer to the next node, and that node's value to the one after.
        if !_isPOD(Held.self) { IterativeRelease.letGo(of: consume old) }
    }
    override package var storedValue: StoredValue {
        StoredValue(
            place: place, type: Held.self, size: MemoryLayout<Held>.size,
            isPlain: _isPOD(Held.self) && MemoryLayout<Held>.alignment <= MemoryLayout<UInt>.alignment)
    }
    override func restoreValue(displacedIn epoch: UInt64) {
        // If nothing is displaced, the earlier value is back already.
        guard let known = ownerState?.displaced, lastEpoch == epoch || !known.isDisplaced(in: lastEpoch) else { return }
        ownerState?.displaced = nil
        guard lastEpoch == epoch else { return }
        var before: Held = nil
        if let known = known.value { swap(&before, &unsafeDowncast(known, to: OptionalValueCell<Held>.self).value) }
        let old = replace(with: before)
        if !_isPOD(Held.self) { IterativeRelease.letGo(of: consume old) }
    }

    /// Returns the value. Any thread.
    @inlinable func read() -> Held {
        // Acquiring: whoever has read a late value, and finds the flag cleared, reads that value or a later one.
        flags.word.load(ordering: .acquiring) & Vertex.front != 0 ? readFront() : readStored()
    }
    @inlinable func readStored() -> Held {
        var copy: Held = nil
        read(into: &copy)
        return copy
    }
    /// Copies the value that is stored, and returns the number of its store.
    @inlinable @discardableResult func read(into copy: inout Held) -> UInt32 {
        guard _isPOD(Held.self) else {
            lock()
            defer { unlock() }
            copy = value
            return sequence.load(ordering: .relaxed)
        }
        while true {
            let begun = beginRead()
            withUnsafeMutablePointer(to: &copy) {
                PlainBytes.load(
                    UnsafeMutableRawPointer($0), from: place, byteCount: MemoryLayout<Held>.size,
                    alignment: MemoryLayout<Held>.alignment)
            }
            atomicMemoryFence(ordering: .acquiring)
            if sequence.load(ordering: .relaxed) == begun { return begun }
        }
    }
    @inlinable func beginRead() -> UInt32 {
        let begun = sequence.load(ordering: .acquiring)
        return begun & 1 == 0 ? begun : waitForWriter()
    }
    @usableFromInline @inline(never) func waitForWriter() -> UInt32 {
        var waiting = Waiting()
        while true {
            let begun = sequence.load(ordering: .acquiring)
            if begun & 1 == 0 { return begun }
            waiting.wait(for: address)
        }
    }

    /// Stores `new`, and returns the old value. The owner alone.
    @inlinable package func replace(with new: consuming Held) -> Held {
        var new = consume new
        if _isPOD(Held.self) {
            let old = value
            writePlain(&new)
            return old
        }
        lock()
        swap(&value, &new)
        countStore()
        unlock()
        return new
    }
    /// Counts a store. The lock is held.
    @inlinable @inline(__always) func countStore() {
        sequence.store(sequence.load(ordering: .relaxed) &+ 2, ordering: .relaxed)
    }
    /// Stores plain data. The owner alone.
    @inlinable @inline(__always) func writePlain(_ new: inout Held) {
        let begun = sequence.load(ordering: .relaxed)
        sequence.store(begun &+ 1, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        ScheduleFuzzing.pause(at: .valueIsToBeWritten, of: address)
        withUnsafeMutablePointer(to: &new) {
            PlainBytes.store(
                UnsafeRawPointer($0), in: place, byteCount: MemoryLayout<Held>.size,
                alignment: MemoryLayout<Held>.alignment)
        }
        sequence.store(begun &+ 2, ordering: .releasing)
        ScheduleFuzzing.pause(at: .valueIsWritten, of: address)
    }
}

// An optional that is not `nil` begins with the value that it wraps. Code that relies on this saves the check for
// `nil`. Unspecialised code also saves the lookup of the optional's type, which the store knows. So the members that
// use that type are inlined into specialised callers, and called by others. Otherwise, a map of an existential takes
// 2.7 times the instructions, and an unspecialised one 3.1 times.
extension OptionalValueCell {
    /// Returns the value. Precondition: there is one.
    @inlinable @inline(__always) func wrappedValue<Value>() -> Value where Held == Value? {
        assert(!isEmpty, "an empty vertex was delivered: EasyReact's engine is at fault")
        return place.assumingMemoryBound(to: Value.self).pointee
    }
    /// Moves the value out, or copies plain data. Precondition: there is a value, and the vertex is apart from the
    /// graph.
    @inlinable package func takeValue<Value>() -> Value where Held == Value? {
        if _isPOD(Value.self) { return wrappedValue() }
        var taken: Held = nil
        swap(&value, &taken)
        return taken.unsafelyUnwrapped
    }
    /// Returns true if there is a value, and `condition` is true for it. The owner alone.
    @inlinable @inline(__always) package func holds<Value>(_ condition: (Value) -> Bool) -> Bool where Held == Value? {
        if let value { condition(value) } else { false }
    }
    /// Stores `value`, and leaves the old value in `value`. If there was no old value, or it is plain data, `value`
    /// does not change. The owner alone.
    @inlinable @inline(__always) func exchange<Value>(_ value: inout Value) where Held == Value? {
        if _isPOD(Value.self) {
            var new: Held = value
            return writePlain(&new)
        }
        lock()
        if isEmpty { fill(with: value) } else { swap(&place.assumingMemoryBound(to: Value.self).pointee, &value) }
        countStore()
        unlock()
    }
    @inlinable func fill<Value>(with new: consuming Value) where Held == Value? { value = new }
    /// The address of the value. It stays valid while the vertex exists, because a class's stored property does not
    /// move.
    @inlinable var place: UnsafeMutableRawPointer {
        // Passed as an argument, because unspecialised code would call `withUnsafeMutablePointer` and its closure.
        func address(of value: UnsafeMutablePointer<Held>) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(value) }
        return address(of: &value)
    }
}
