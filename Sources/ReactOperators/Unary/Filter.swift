import ReactCore

extension Node {
    /// "Filter": the values for which `isIncluded` returns true.
    ///
    /// O(1) for each value. `isIncluded` is called on the thread that sets the value, one value at a time, with no lock
    /// held.
    ///
    ///     let number = MutableNode(1)
    ///     let large = number.filter { $0 > 5 }
    ///     print(large.isEmpty)    // true
    ///     number.value = 6
    ///     number.value = 3
    ///     print(large.current)     // 6
    @inlinable @inline(__always) public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Node<Value> {
        following("Filter", passing: ByCondition.self) {
            let delivery = EdgeCall<Value, Value>($0)
            let value = delivery.value
            return isIncluded(value) ? delivery.send(value) : .nothing
        }
    }
}

@usableFromInline enum ByCondition: PassingText {
    @usableFromInline static var text: String { "only values for which its condition is true" }
}
