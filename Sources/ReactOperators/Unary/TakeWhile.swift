import ReactCore

extension Node {
    /// "TakeWhile": passes values on until `condition` first returns false.
    ///
    /// The value for which it does so is not passed on, and `condition` is not called again. The result then keeps its
    /// value: nothing completes, and the edge stays in place. Starts over when the transform's `from` or `to` changes.
    /// O(1) for each value. `condition` is called on the thread that sets the value, one value at a time, with no lock
    /// held.
    ///
    ///     let level = MutableNode(1)
    ///     let first = level.take(while: { $0 < 10 })
    ///     level.value = 12
    ///     level.value = 3
    ///     print(first.current)     // 1
    @inlinable public func take(while condition: @escaping @Sendable (Value) -> Bool) -> Node<Value> {
        transformed("TakeWhile", state: { false }, .passesPulses) { isOver, value, send in
            if isOver { return }
            if condition(value) { send(value) } else { isOver = true }
        }
    }
}
