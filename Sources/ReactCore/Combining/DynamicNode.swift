extension Node {
    /// Creates an immutable node that holds the result of `body`. Its inputs are the nodes that `body` reads through
    /// its argument. If `body` returns `nil`, the value stays as it is.
    ///
    /// The edges are named `name`. If `isSame` returns true for the present value and a new one, the new one is
    /// dropped.
    @inlinable @inline(__always) package static func dynamic(
        _ name: StaticString, isSame: (@Sendable (Value, Value) -> Bool)?,
        _ body: @escaping @Sendable (DynamicCall) -> Value?
    ) -> Node<Value> {
        let node = MutableNode<Value>(immutable: nil)
        let dynamic = DynamicJoin(at: node.vertex, name: name, effect: nil)
        let join = Join(at: node.vertex, inputs: 0) { _, propagation in
            let number = dynamic.begin(propagation)
            guard number != 0 else { return .nothing }
            return dynamic.end(
                body(DynamicCall(join: dynamic, number: number)), in: propagation, isSame: isSame)
        }
        dynamic.start(join)
        return node
    }
}

extension Node<Void> {
    /// Calls `body`, and again whenever a node that it read through its argument has changed. Ends when `listener` goes
    /// or the result is cancelled.
    ///
    /// The edges are named `name`. Messages call the effect `effect`. It fires after the joins that are neither late
    /// nor last: see `JoinRank`.
    package static func runEffect(
        _ name: StaticString, _ effect: String, by listener: some Listener,
        _ body: @escaping @Sendable (DynamicCall) -> Void?
    ) -> any Cancelable {
        let propagation = Propagation.current
        propagation.begin()
        defer { propagation.end() }
        return startEffect(name, effect, by: listener, body)
    }
    /// Not inlined, so that only the listen edge holds the node when this returns, and while the body runs. So the
    /// effect ends with the listening.
    @inline(never) private static func startEffect(
        _ name: StaticString, _ effect: String, by listener: some Listener,
        _ body: @escaping @Sendable (DynamicCall) -> Void?
    ) -> any Cancelable {
        let (dynamic, join, listening) = makeEffect(name, effect, by: listener, body)
        dynamic.start(join)
        return listening
    }
    @inline(never) private static func makeEffect(
        _ name: StaticString, _ effect: String, by listener: some Listener,
        _ body: @escaping @Sendable (DynamicCall) -> Void?
    ) -> (DynamicJoin, Join, any Cancelable) {
        let node = MutableNode<Void>(immutable: nil)
        let dynamic = DynamicJoin(at: node.vertex, name: name, effect: effect)
        let join = Join(at: node.vertex, inputs: 0, rank: .nextEffect()) { _, propagation in
            let number = dynamic.begin(propagation)
            guard number != 0 else { return .nothing }
            return dynamic.end(body(DynamicCall(join: dynamic, number: number)), in: propagation, isSame: nil)
        }
        dynamic.join = .passUnretained(join)
        dynamic.holdByHandle()
        return (dynamic, join, node.listened(by: listener).with { _ in })
    }
}
