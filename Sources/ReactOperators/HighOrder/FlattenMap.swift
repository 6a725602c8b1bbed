import ReactCore

extension Node {
    /// "FlattenMap": the values of the node that `transform` made from the newest value.
    ///
    /// Other libraries call it `switchToLatest` or `switchMap`. It does not merge: when this node is set, the result
    /// leaves the node that it followed before. The result is empty while the followed node is empty, and when this
    /// node is emptied. `transform` may return this node itself, or a node that is derived from it, also a new one for
    /// each value: each value arrives once in the same set, as `flatten` says. `transform` is called on the thread that
    /// sets the value, one value at a time, with no lock held. See `flatten` for the rest.
    ///
    ///     let paris = MutableNode(21), oslo = MutableNode(14)
    ///     let city = MutableNode("Paris")
    ///     let temperature = city.flattenMap { $0 == "Paris" ? paris : oslo }
    ///     city.value = "Oslo"
    ///     paris.value = 22
    ///     print(temperature.current)       // 14
    @inlinable @inline(never) public func flattenMap<Inner>(
        _ transform: @escaping @Sendable (Value) -> Node<Inner>
    ) -> Node<Inner> {
        followed("FlattenMap", transform)
    }
}
