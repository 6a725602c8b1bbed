/// An edge from a node that a body has read to the node that the body computes. The state belongs to the operator.
///
/// Unchecked, as `AnyEdge` is: it adds a constant.
@usableFromInline package final class BodyEdge: AnyTransform, @unchecked Sendable {
    @usableFromInline package let state: any OperatorState

    @usableFromInline package init(
        name: String, state: any OperatorState, forward: @escaping @Sendable (ErasedEdgeCall) -> NextEdge
    ) {
        self.state = state
        super.init(name: name, forward: forward)
    }
    override package var isOfBody: Bool { true }
    override package var missingInputCount: Int? { 0 }
    override func willDisconnect() { state.willDisconnect() }
    override func didDisconnect(_ connection: Connection) { state.discard(connection) }
    override func forwardEmpty(_ delivery: ErasedEdgeCall) -> NextEdge { state.emptied(delivery) }

    /// Connects the edge, which has never been connected, unless nobody holds the node of `target`. Returns whether it
    /// did.
    ///
    /// There is no initial delivery. Instead, `read` is called with the source, under its lock.
    package func connect(from source: AnyNode, to target: Vertex, reading read: (Vertex) -> Void) -> Bool {
        var isLed = false
        _ = reconnect(mayBeHalfConnected: false, replays: false, reading: read) { deferred in
            setTarget(target, &deferred)
            isLed = leads(to: target)
            if isLed { fromNode = source }
        }
        return isLed
    }
}
