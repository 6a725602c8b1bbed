import ReactCore

extension Node {
    /// Keeps two nodes the same, both ways, by two links; this node first takes over `other`'s value.
    ///
    /// A value goes round once: it never returns to the node where it was set. Where `other` is empty, it takes over this
    /// node's value instead. The two form a ring: they hold each other until the result is cancelled, also when nobody
    /// else holds either, and when the result was dropped. O(1) for each value, on the thread that sets it.
    ///
    ///     let model = MutableNode(1), field = MutableNode(2)
    ///     let sync = field.sync(with: model)
    ///     print(field.value!)     // 1
    ///     field.value = 3
    ///     print(model.value!)     // 3
    ///     sync.cancel()
    ///     field.value = 4
    ///     print(model.value!)     // 3
    ///
    /// - Precondition: `other` is not this node.
    @inlinable @inline(__always) @discardableResult public func sync(with other: Node<Value>) -> any Cancelable {
        let links = [
            link(to: other, transform: LinkTransform()),
            other.link(to: self, transform: LinkTransform()),
        ]
        return BlockCancelable { for link in links { link.cancel() } }
    }

    /// The same through a pair of functions: `transform` makes this node's value from `other`'s, `revert` the other way.
    ///
    /// They need not be inverse: a value goes round once. They are called on the thread that sets the value, one value at
    /// a time each, with no lock held; whichever way a value came, the function for the way back is asked too, and what it
    /// makes goes no further. The two edges are called "Map". All else is as without functions.
    ///
    ///     let celsius = MutableNode(100), fahrenheit = MutableNode<Int>()
    ///     let sync = fahrenheit.sync(with: celsius, transform: { $0 * 9 / 5 + 32 }, revert: { ($0 - 32) * 5 / 9 })
    ///     print(fahrenheit.value!)    // 212
    ///     fahrenheit.value = 32
    ///     print(celsius.value!)       // 0
    ///     sync.cancel()
    ///
    /// - Precondition: `other` is not this node.
    @inlinable @inline(__always) @discardableResult public func sync<Other>(
        with other: Node<Other>,
        transform: @escaping @Sendable (Other) -> Value,
        revert: @escaping @Sendable (Value) -> Other
    ) -> any Cancelable {
        let links = [
            link(to: other, transform: .mapping(transform)),
            other.link(to: self, transform: .mapping(revert)),
        ]
        return BlockCancelable { for link in links { link.cancel() } }
    }
}

extension Transform {
    @inlinable @inline(__always) static func mapping(_ transform: @escaping @Sendable (Input) -> Output) -> Transform<
        Input, Output
    > {
        Transform(name: "Map") {
            let delivery = Delivery<Input, Output>($0)
            return delivery.send(transform(delivery.value))
        }
    }
}
