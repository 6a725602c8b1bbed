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
        // Whoever holds an operator's transform may hold the vertex by that.
        if let source = abandon() { forgetValue(afterTurnOf: source) }
    }

    override var holdsNothing: Bool { value.isNothing }
    override func describedValue() -> String? { read().describedIfAny }
    override var valueType: Any.Type { Held.wrappedType }
    override func copyOfValue() -> Vertex { OptionalStore(value) }
    override func forgetValue(if condition: (UInt32) -> Bool) -> Bool {
        var old: Held = nil
        let bits = lock()
        let holds = condition(bits)
        if holds { swap(&value, &old) }
        unlock(bits)
        withExtendedLifetime(old) {}
        return holds
    }
    override func write(_ record: Record, to ring: RecordRing) -> Bool { ring.write(record, keeping: &value) }

    @inlinable func read() -> Held {
        let bits = lock()
        let value = self.value
        unlock(bits)
        return value
    }
}
