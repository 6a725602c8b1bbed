import ReactCore

extension Node {
    /// "Map": maps a node of tuples by a closure of their elements, as in `combine(b, c).mapEach { $0 + $1 }`.
    ///
    /// Takes tuples of two or more elements: Swift hands a tuple to a closure of as many parameters. `transform` is
    /// called on the thread that sets the value, one value at a time, with no lock held. O(1) for each value.
    ///
    ///     let a = MutableNode(1), b = MutableNode(2)
    ///     let sum = combine(a, b).mapEach { $0 + $1 }
    ///     print(sum.current)       // 3
    @inlinable @inline(__always) public func mapEach<Output>(
        _ transform: @escaping @Sendable (Value) -> Output
    ) -> Node<Output> {
        map(transform)
    }
    /// "Map": maps a node of tuples by a function of their elements, as in `combine(b, c).mapEach(max)`.
    @_disfavoredOverload
    @inlinable public func mapEach<each T: Sendable, Output>(
        _ transform: @escaping @Sendable (repeat each T) -> Output
    ) -> Node<Output> where Value == (repeat each T) {
        map { transform(repeat each $0) }
    }
}
