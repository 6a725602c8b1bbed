import ReactCore

extension Node {
    /// "Map": maps a node of tuples by a function of their elements: `combine(b, c).mapEach { $0 + $1 }`.
    ///
    /// O(1) for each value. `transform` is called as `map`'s is.
    ///
    ///     let a = MutableNode(1), b = MutableNode(2)
    ///     let sum = combine(a, b).mapEach { $0 + $1 }
    ///     print(sum.value!)       // 3
    @inlinable public func mapEach<each T: Sendable, Output>(
        _ transform: @escaping @Sendable (repeat each T) -> Output
    ) -> Node<Output> where Value == (repeat each T) {
        map { transform(repeat each $0) }
    }
}
