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
    /// "Map": maps a node of tuples by a function of their three elements.
    @inlinable @inline(__always) public func mapEach<A, B, C, Output>(
        _ transform: @escaping @Sendable (A, B, C) -> Output
    ) -> Node<Output> where Value == (A, B, C) {
        map { transform($0.0, $0.1, $0.2) }
    }
    /// "Map": maps a node of tuples by a function of their four elements.
    @inlinable @inline(__always) public func mapEach<A, B, C, D, Output>(
        _ transform: @escaping @Sendable (A, B, C, D) -> Output
    ) -> Node<Output> where Value == (A, B, C, D) {
        map { transform($0.0, $0.1, $0.2, $0.3) }
    }
    /// "Map": maps a node of tuples by a function of their five elements.
    @inlinable @inline(__always) public func mapEach<A, B, C, D, E, Output>(
        _ transform: @escaping @Sendable (A, B, C, D, E) -> Output
    ) -> Node<Output> where Value == (A, B, C, D, E) {
        map { transform($0.0, $0.1, $0.2, $0.3, $0.4) }
    }
    /// "Map": maps a node of tuples by a function of their six elements.
    @inlinable @inline(__always) public func mapEach<A, B, C, D, E, F, Output>(
        _ transform: @escaping @Sendable (A, B, C, D, E, F) -> Output
    ) -> Node<Output> where Value == (A, B, C, D, E, F) {
        map { transform($0.0, $0.1, $0.2, $0.3, $0.4, $0.5) }
    }
    /// "Map": maps a node of tuples by a function of their seven elements.
    @inlinable @inline(__always) public func mapEach<A, B, C, D, E, F, G, Output>(
        _ transform: @escaping @Sendable (A, B, C, D, E, F, G) -> Output
    ) -> Node<Output> where Value == (A, B, C, D, E, F, G) {
        map { transform($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6) }
    }
    /// "Map": maps a node of tuples by a function of their eight elements.
    @inlinable @inline(__always) public func mapEach<A, B, C, D, E, F, G, H, Output>(
        _ transform: @escaping @Sendable (A, B, C, D, E, F, G, H) -> Output
    ) -> Node<Output> where Value == (A, B, C, D, E, F, G, H) {
        map { transform($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7) }
    }
    /// "Map": maps a node of tuples by a function of their nine elements.
    @inlinable @inline(__always) public func mapEach<A, B, C, D, E, F, G, H, I, Output>(
        _ transform: @escaping @Sendable (A, B, C, D, E, F, G, H, I) -> Output
    ) -> Node<Output> where Value == (A, B, C, D, E, F, G, H, I) {
        map { transform($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7, $0.8) }
    }
    /// "Map": maps a node of tuples of ten and more elements by a function of their elements. For fewer elements, Swift
    /// picks one of the overloads above. A closure of one expression does not compile here: give it two statements.
    @_disfavoredOverload
    @inlinable public func mapEach<each T: Sendable, Output>(
        _ transform: @escaping @Sendable (repeat each T) -> Output
    ) -> Node<Output> where Value == (repeat each T) {
        map { transform(repeat each $0) }
    }
}
