import ReactCore

extension Node {
    /// "Distinct": drops a value if `areEqual(last, value)` is true.
    ///
    /// `last` is the last value that was passed on, or that came round a ring and stopped here. A pulse counts as a
    /// value that was passed on, although the node does not keep it. Starts over when the transform's `from` or `to`
    /// changes: the new node's first value passes. O(1) for each value. `areEqual` is called on the thread that sets
    /// the value, one value at a time, with no lock held.
    ///
    ///     let position = MutableNode(1.0)
    ///     let steps = position.distinctUntilChanged { abs($0 - $1) < 0.5 }
    ///     position.value = 1.2
    ///     print(steps.current)     // 1.0
    ///     position.value = 1.6
    ///     print(steps.current)     // 1.6
    @inlinable public func distinctUntilChanged(
        by areEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> Node<Value> {
        distinct("only a value that its comparison does not call equal to the one before", areEqual)
    }
    /// `passing` describes the values that pass.
    @inlinable @inline(never) func distinct(
        _ passing: String, _ areEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> Node<Value> {
        let last = Memory(Value?.none, .passesPulses) { passing }
        return following("Distinct", state: last) {
            let delivery = EdgeCall<Value, Value>($0)
            let value = delivery.value
            if let last = last.now(for: delivery), areEqual(last, value) { return .nothing }
            return last.send(value, remembering: value, after: delivery)
        }
    }
}

extension Node where Value: Equatable {
    /// "Distinct": drops a value that equals the one before it.
    ///
    /// A pulse counts as the value before, although the node does not keep it: a later set to the pulse's value is
    /// dropped. Starts over when the transform's `from` or `to` changes: the new node's first value passes. O(1) for
    /// each value; runs on the thread that sets the value.
    ///
    ///     let number = MutableNode(1), lifetime = Lifetime()
    ///     let changes = number.distinctUntilChanged()
    ///     changes.listened(by: lifetime).with { print($0) }   // 1
    ///     number.value = 1
    ///     number.value = 2                                    // 2
    @inlinable @inline(never) public func distinctUntilChanged() -> Node<Value> {
        distinct("only a value that differs from the one before") { $0 == $1 }
    }
}
