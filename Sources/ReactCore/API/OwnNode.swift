/// Held by a node that an operator has made for itself, between its inputs and its result.
private final class OwnNode: Sendable {
    static let shared = OwnNode()
}

extension AnyNode {
    /// Notes that an operator has just made this node for itself. Answers about the graph look through it.
    @usableFromInline package final func beOperatorsOwn() { _ = vertex.holdByHandle(OwnNode.shared) }
    /// True if an operator has made the node for itself.
    package final var isOperatorsOwn: Bool {
        let held = vertex.locking { vertex.coldState?.heldByHandle }
        return held is OwnNode
    }
}
