/// What operators stand on: a new node, and an edge to it that is all in one closure.
///
/// The closure is made in the operator, which is `@inlinable`, so that it is compiled for the value types in the module
/// that uses it; nothing that is generic runs when a value travels.
///
///     extension Node {
///         @inlinable public func map<Output>(_ transform: @escaping @Sendable (Value) -> Output) -> Node<Output> {
///             following("Map") {
///                 let delivery = Delivery<Value, Output>($0)
///                 return delivery.send(transform(delivery.value))
///             }
///         }
///     }
extension Node {
    /// A new immutable node, downstream of this one by an edge named `name`.
    ///
    /// `forward` is called with every value, one at a time, with no lock held.
    @inlinable @inline(__always) package func following<Output>(
        _ name: StaticString, _ forward: @escaping @Sendable (RawDelivery) -> Sent
    ) -> Node<Output> {
        following(by: OperatorTransform(name: name, forward: forward))
    }
    /// The same by an edge that nobody else knows.
    @inlinable @inline(__always) package func following<Output>(by transform: Transform<Value, Output>) -> Node<Output>
    {
        let node = MutableNode<Output>(immutable: nil)
        node.follow(self, by: transform)
        return node
    }
    /// The same as `following` for an operator that remembers something.
    @inlinable package func following<Output>(
        _ name: StaticString, state: any OperatorState, _ forward: @escaping @Sendable (RawDelivery) -> Sent
    ) -> Node<Output> {
        following(by: StatefulTransform(name: name, state: state, forward: forward))
    }
    /// Adds an edge from `upstream`, by an operator that remembers something, to this node, which is the operator's.
    @inlinable package func follow<Input>(
        _ upstream: Node<Input>, _ name: StaticString, state: any OperatorState,
        _ forward: @escaping @Sendable (RawDelivery) -> Sent
    ) {
        follow(upstream, by: StatefulTransform<Input, Value>(name: name, state: state, forward: forward))
    }
    /// Links this new node to `upstream` by a transform that nobody else knows.
    @usableFromInline package func follow<Input>(_ upstream: Node<Input>, by transform: Transform<Input, Value>) {
        transform.connect(from: upstream, to: self)
    }
}
