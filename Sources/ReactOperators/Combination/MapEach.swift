import ReactCore

extension Node {
    /// "Map": maps a node of tuples by a function of their elements, as in `combine(b, c).mapEach { $0 + $1 }`.
    ///
    /// Takes tuples of two or more elements. `transform` is called on the thread that sets the value, one value at a
    /// time, with no lock held. O(1) for each value.
    ///
    ///     let a = MutableNode(1), b = MutableNode(2)
    ///     let sum = combine(a, b).mapEach { $0 + $1 }
    ///     print(sum.current)       // 3
    @inlinable @inline(__always) public func mapEach<A, B, Output>(
        _ transform: @escaping @Sendable (A, B) -> Output
    ) -> Node<Output> where Value == (A, B) {
        map { transform($0.0, $0.1) }
    }
    /// "Map" of the elements of three.
    @inlinable @inline(__always) public func mapEach<A, B, C, Output>(
        _ transform: @escaping @Sendable (A, B, C) -> Output
    ) -> Node<Output> where Value == (A, B, C) {
        map { transform($0.0, $0.1, $0.2) }
    }
    /// "Map" of the elements of four.
    @inlinable @inline(__always) public func mapEach<A, B, C, D, Output>(
        _ transform: @escaping @Sendable (A, B, C, D) -> Output
    ) -> Node<Output> where Value == (A, B, C, D) {
        map { transform($0.0, $0.1, $0.2, $0.3) }
    }
    /// "Map" of the elements of five.
    @inlinable @inline(__always) public func mapEach<A, B, C, D, E, Output>(
        _ transform: @escaping @Sendable (A, B, C, D, E) -> Output
    ) -> Node<Output> where Value == (A, B, C, D, E) {
        map { transform($0.0, $0.1, $0.2, $0.3, $0.4) }
    }
    /// "Map" of the elements of six.
    @inlinable @inline(__always) public func mapEach<A, B, C, D, E, F, Output>(
        _ transform: @escaping @Sendable (A, B, C, D, E, F) -> Output
    ) -> Node<Output> where Value == (A, B, C, D, E, F) {
        map { transform($0.0, $0.1, $0.2, $0.3, $0.4, $0.5) }
    }
    /// "Map" of the elements of seven.
    @inlinable @inline(__always) public func mapEach<A, B, C, D, E, F, G, Output>(
        _ transform: @escaping @Sendable (A, B, C, D, E, F, G) -> Output
    ) -> Node<Output> where Value == (A, B, C, D, E, F, G) {
        map { transform($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6) }
    }
    /// "Map" of the elements of eight.
    @inlinable @inline(__always) public func mapEach<A, B, C, D, E, F, G, H, Output>(
        _ transform: @escaping @Sendable (A, B, C, D, E, F, G, H) -> Output
    ) -> Node<Output> where Value == (A, B, C, D, E, F, G, H) {
        map { transform($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7) }
    }
    /// "Map" of the elements of nine.
    @inlinable @inline(__always) public func mapEach<A, B, C, D, E, F, G, H, I, Output>(
        _ transform: @escaping @Sendable (A, B, C, D, E, F, G, H, I) -> Output
    ) -> Node<Output> where Value == (A, B, C, D, E, F, G, H, I) {
        map { transform($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7, $0.8) }
    }
    /// "Map" of the elements of a pack, for ten and more. For fewer elements, Swift picks one of the overloads above.
    @_disfavoredOverload
    @inlinable public func mapEach<each T: Sendable, Output>(
        _ transform: @escaping @Sendable (repeat each T) -> Output
    ) -> Node<Output> where Value == (repeat each T) {
        map { transform(repeat each $0) }
    }
}
