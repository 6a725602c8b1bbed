import ReactCore

extension Node {
    /// "Map": the result of `transform` for every value.
    ///
    /// O(1) for each value. `transform` is called on the thread that sets the value, one value at a time, with no lock
    /// held.
    ///
    ///     let celsius = MutableNode(100.0)
    ///     let fahrenheit = celsius.map { $0 * 9 / 5 + 32 }
    ///     print(fahrenheit.current)    // 212.0
    @inlinable @inline(__always) public func map<Output>(_ transform: @escaping @Sendable (Value) -> Output) -> Node<
        Output
    > {
        following("Map") {
            let delivery = EdgeCall<Value, Output>($0)
            return delivery.send(transform(delivery.value))
        }
    }
}
