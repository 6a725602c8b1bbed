extension Node {
    /// A new immutable node that holds what `body` makes of what it reads by its argument; `nil` leaves it as it is.
    ///
    /// The edges are called `name`. An `effect`, as messages call it, fires after all else. Where `isSame` holds for the present
    /// value and a new one, that is not passed on.
    @inlinable @inline(__always) package static func dynamic(
        _ name: StaticString, effect: String? = nil, isSame: (@Sendable (Value, Value) -> Bool)?,
        _ body: @escaping @Sendable (DynamicCall) -> Value?
    ) -> Node<Value> {
        let node = MutableNode<Value>(immutable: nil)
        let dynamic = DynamicJoin(at: node.vertex, name: name, effect: effect)
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
