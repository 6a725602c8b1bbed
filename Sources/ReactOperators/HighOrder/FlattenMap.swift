import ReactCore

extension Node {
    /// "FlattenMap" (elsewhere called switch-to-latest, or switchMap): the values of the node that `transform` made of the
    /// newest value. Empty while that node is empty.
    ///
    /// Unlike `flatMap` elsewhere it does not merge: when this node is set, the node that was followed before is let go.
    /// Also empty when this node is emptied. `transform` is called on the thread that sets the value, one value at a time,
    /// with no lock held; all else is as with `flatten`.
    ///
    ///     let paris = MutableNode(21), oslo = MutableNode(14)
    ///     let city = MutableNode("Paris")
    ///     let temperature = city.flattenMap { $0 == "Paris" ? paris : oslo }
    ///     city.value = "Oslo"
    ///     paris.value = 22
    ///     print(temperature.current)       // 14
    @inlinable public func flattenMap<Inner>(
        _ transform: @escaping @Sendable (Value) -> Node<Inner>
    ) -> Node<Inner> {
        let result = Node<Inner>()
        let following = Following<Inner>(passingEmptiness: true)
        following.begin("FlattenMap", from: self, to: result) {
            let delivery = Delivery<Value, Inner>($0)
            return following.follow(transform(delivery.value), delivery)
        }
        return result
    }
}
