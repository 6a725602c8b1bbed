/// An edge from a node that a body has read to the node that the body computes. The state belongs to the operator. The
/// edge's own types mean nothing, because the source's value goes into the state.
///
/// Unchecked, as `AnyEdge` is: it stores nothing of its own.
@usableFromInline package final class BodyEdge: StatefulTransform<Never, Never>, @unchecked Sendable {
    @usableFromInline override package init(
        name: String, state: any OperatorState, forward: @escaping @Sendable (ErasedEdgeCall) -> NextEdge
    ) { super.init(name: name, state: state, forward: forward) }
    override package var isOfBody: Bool { true }
    override package var missingInputCount: Int? { 0 }
    override package var isWaitedFor: Bool { true }
    override package var missesValue: Bool { source?.isEmpty ?? true }

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
