import ReactCore

extension Node where Value: Equatable {
    /// "Ignore": drops values that equal `value`.
    ///
    /// O(1) for each value. Runs on the thread that sets the value.
    ///
    ///     let number = MutableNode(7)
    ///     let other = number.ignore(0)
    ///     number.value = 0
    ///     print(other.current)     // 7
    @inlinable @inline(never) public func ignore(_ value: Value) -> Node<Value> {
        let passing = Memory((), [.passesPulses, .loadsFirst]) { "every value but \(quoted(value))" }
        return following("Ignore", state: passing) {
            let delivery = EdgeCall<Value, Value>($0)
            let next = delivery.value
            return next != value ? delivery.send(next) : .nothing
        }
    }
}
