/// A link that `Node.link(to:)` has made: it can be cut, and led from another node.
///
///     let local = MutableNode("local"), remote = MutableNode("remote"), shown = Node<String>()
///     let link = shown.link(to: local)
///     link.source = remote
///     print(shown.current)     // remote
///     link.cancel()
///     remote.value = "new"
///     print(shown.current)     // remote
///
/// It keeps nothing of the graph alive, and dropping it cuts nothing. Safe from any thread.
public final class NodeLink<Value: Sendable>: Cancelable, LifetimeMember {
    private let edge: UnownedEdge
    private let membership = LifetimeMembership()

    init(_ transform: LinkTransform<Value>) { edge = UnownedEdge(of: transform) }

    /// The node from which the values come; `nil` if the link is cut, or the node that follows is gone.
    ///
    /// Setting it ends the old connection, and sends the new node's value at once. Setting the same node again does
    /// nothing. While it is `nil`, no values come. A link that is cut cannot be led from a node again.
    ///
    /// - Precondition: the new node is not the one that follows.
    /// - Complexity: As for `link(to:)`.
    public var source: Node<Value>? {
        get { transform?.from }
        set {
            guard let transform else { return }
            require(
                newValue == nil || newValue !== transform.to,
                "NodeLink.source: \(newValue?.textInMessages ?? "a node") cannot follow itself; put another node, such as a fork(), in between"
            )
            transform.from = newValue
        }
    }
    /// Cuts the link. Doing so again does nothing.
    public func cancel() {
        edge.cut()
        membership.cancel(ObjectIdentifier(self))
    }
    private var transform: LinkTransform<Value>? {
        edge.known.map { unsafeDowncast($0, to: LinkTransform<Value>.self) }
    }

    func enter(_ lifetime: LifetimeStorage) -> Bool { membership.enter(lifetime) }
    func leave(_ lifetime: LifetimeStorage) { membership.leave(lifetime) }
}
