import ReactCore

extension Node where Value: Equatable {
    /// "Select": keeps values that equal `value`.
    ///
    /// O(1) for each value. Runs on the thread that sets the value.
    ///
    ///     let key = MutableNode("a")
    ///     let enter = key.select("enter")
    ///     print(enter.isEmpty)    // true
    ///     key.value = "enter"
    ///     print(enter.current)     // enter
    @inlinable @inline(never) public func select(_ value: Value) -> Node<Value> {
        let passing = Memory((), [.passesPulses, .loadsFirst]) { "only \(quoted(value))" }
        return following("Select", state: passing) {
            let delivery = EdgeCall<Value, Value>($0)
            let next = delivery.value
            return next == value ? delivery.send(next) : .nothing
        }
    }
}
