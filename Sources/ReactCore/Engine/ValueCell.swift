/// A vertex with storage for its value, if it has one.
@usableFromInline package typealias ValueCell<Value: Sendable> = OptionalValueCell<Value?>

/// The implementation of `ValueCell`. Its generic parameter is the optional type, not the value's. So unspecialised
/// code, such as `deinit`, finds that type in the class's metadata, and looks up no metadata per node.
///
/// Unchecked, because only the owner of the turn writes the value, and only under the lock.
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
        endAsOwner { vertex in
            // Code that retains an operator's transform may retain the vertex through it. So the value goes now, as soon
            // as nothing is being delivered at the source, and then here.
            guard let source = vertex.abandon() else { return }
            let vertex = vertex
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
        var old: Held = nil
        locking { swap(&value, &old) }
        // The value may refer to the next node, and that node's value to the one after.
        if !_isPOD(Held.self) { IterativeRelease.letGo(of: consume old) }
    }
    override package var storedValue: StoredValue {
        StoredValue(
            place: place, type: Held.self, size: MemoryLayout<Held>.size,
            isPlain: _isPOD(Held.self) && MemoryLayout<Held>.alignment <= MemoryLayout<UInt>.alignment)
    }
    override func restoreValue(displacedIn epoch: UInt64, inTurn: Bool) -> Bool {
        var old: Held = nil
        var displaced: DisplacedValue?
        let bits = lock()
        let mayWrite = inTurn || bits & Vertex.busy == 0
        if mayWrite {
            if let known = coldState?.displaced, lastEpoch == epoch || !known.isDisplaced(in: lastEpoch) {
                displaced = coldState?.displaced.take()
            }
            // If nothing is displaced, the earlier value is back already.
            if lastEpoch == epoch, let displaced {
                if let before = displaced.value {
                    swap(&old, &unsafeDowncast(before, to: OptionalValueCell<Held>.self).value)
                }
                swap(&value, &old)
            }
        }
        unlock(bits)
        if !_isPOD(Held.self) { IterativeRelease.letGo(of: consume old) }
        withExtendedLifetime(displaced) {}
        return mayWrite
    }

    @inlinable func read() -> Held { has(Vertex.front) ? readFront() : readStored() }
    @inlinable func readStored() -> Held {
        let bits = lock()
        let value = self.value
        unlock(bits)
        return value
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
    /// Returns true if there is a value, and `condition` is true for it. Called only by the owner of the turn.
    @inlinable @inline(__always) package func holds<Value>(_ condition: (Value) -> Bool) -> Bool where Held == Value? {
        if let value { condition(value) } else { false }
    }
    /// Stores `value`, and leaves the old value in `value`. If there was no old value, or it is plain data, `value`
    /// does not change.
    @inlinable @inline(__always) func exchange<Value>(_ value: inout Value) where Held == Value? {
        guard endsValue() else { return fill(with: value) }
        swap(&place.assumingMemoryBound(to: Value.self).pointee, &value)
    }
    /// Returns true if an old value has to be released when another one is stored.
    @inlinable @inline(__always) func endsValue<Value>() -> Bool where Held == Value? {
        if _isConcrete(Value.self), _isPOD(Value.self) { return false }
        return !isEmpty
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
