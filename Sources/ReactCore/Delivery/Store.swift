/// A vertex with its value, if it has one.
@usableFromInline typealias Store<Value: Sendable> = OptionalStore<Value?>

/// What `Store` is. The parameter is the optional, not the value: so the class's own metadata has that type at hand
/// where the code is not specialised, as in `deinit`, and looks up none for each node.
///
/// Unchecked, because the value is written under the lock alone, and by the one who delivers.
@usableFromInline final class OptionalStore<Held: Holdable & Sendable>: Vertex, @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var value: Held

    @inlinable init(_ value: consuming Held) {
        self.value = value
        super.init()
    }
    deinit {
        // What is plain data holds no nodes.
        guard !_isPOD(Held.self) else { return }
        var old: Held = nil
        swap(&value, &old)
        Teardown.letGo(of: consume old)
    }

    override func handleEnds() {
        endHandle()
        // From here on neither its name changes, nor whether recorders know it.
        if isKnown { leaveRecords() }
        // Whoever holds an operator's transform may hold the vertex by that.
        if let source = abandon() { forgetValue(afterTurnOf: source) }
    }

    @inlinable override var holdsNothing: Bool {
        #if THREAD_SANITIZER
        var value = value  // see `Holdable`
        #endif
        return value.isNothing()
    }
    override func describedValue() -> String? { read().describedIfAny }
    override package var valueType: Any.Type { Held.wrappedType }
    override func copyOfValue() -> Vertex { OptionalStore(value) }
    override func copyForReplay() -> Vertex? {
        #if THREAD_SANITIZER
        var value = value
        #endif
        return value.isNothing() ? nil : OptionalStore(value)
    }
    override func forgetValue(if condition: (UInt32) -> Bool) -> Bool {
        var old: Held = nil
        let bits = lock()
        let holds = condition(bits)
        if holds { swap(&value, &old) }
        unlock(bits)
        // It may hold the next node, and that one's value the next.
        if !_isPOD(Held.self) { Teardown.letGo(of: consume old) }
        return holds
    }
    override package var storedValue: StoredValue {
        StoredValue(
            place: place, type: Held.self, size: MemoryLayout<Held>.size,
            isPlain: _isPOD(Held.self) && MemoryLayout<Held>.alignment <= MemoryLayout<UInt>.alignment)
    }
    override func restoreValue(displacedBy visit: UInt64, inTurn: Bool) -> Bool {
        var old: Held = nil
        var displaced: DisplacedValue?
        let bits = lock()
        let mayWrite = inTurn || bits & Vertex.busy == 0
        if mayWrite {
            if let known = rare?.displaced, visited == visit || !known.isDisplaced(by: visited) {
                displaced = rare?.displaced.take()
            }
            if visited == visit {
                if let before = displaced?.value {
                    swap(&old, &unsafeDowncast(before, to: OptionalStore<Held>.self).value)
                }
                swap(&value, &old)
            }
        }
        unlock(bits)
        if !_isPOD(Held.self) { Teardown.letGo(of: consume old) }
        withExtendedLifetime(displaced) {}
        return mayWrite
    }

    @inlinable func read() -> Held {
        let bits = lock()
        let value = self.value
        unlock(bits)
        return value
    }
}

// An optional that is not `nil` begins with what it wraps. To go by that spares a read the question whether it is `nil`, and code
// that is not specialised the look for the optional's type, which the store itself knows. So what names that type is a member
// that is compiled into its caller where that is specialised, and called where it is not.
extension OptionalStore {
    /// The value, which is there.
    @inlinable @inline(__always) func wrappedValue<Value>() -> Value where Held == Value? {
        assert(!holdsNothing, "what holds nothing was delivered: EasyReact's engine is at fault")
        return place.assumingMemoryBound(to: Value.self).pointee
    }
    /// Stores `value`, which becomes the one before; or stays as it is, where there was none, or the one before is plain data.
    @inlinable @inline(__always) func exchange<Value>(_ value: inout Value) where Held == Value? {
        guard endsValue() else { return fill(with: value) }
        swap(&place.assumingMemoryBound(to: Value.self).pointee, &value)
    }
    /// Whether there is a value to let go of when another is stored.
    @inlinable @inline(__always) func endsValue<Value>() -> Bool where Held == Value? {
        if _isConcrete(Value.self), _isPOD(Value.self) { return false }
        return !holdsNothing
    }
    @inlinable func fill<Value>(with new: consuming Value) where Held == Value? { value = new }
    /// Where the value is, for as long as the vertex is there: a class's property does not move.
    @inlinable var place: UnsafeMutableRawPointer {
        // As an argument, for code that is not specialised would call `withUnsafeMutablePointer`, and its closure.
        func address(of value: UnsafeMutablePointer<Held>) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(value) }
        return address(of: &value)
    }
}
