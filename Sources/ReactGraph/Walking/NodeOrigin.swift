import ReactCore

/// Remembers a node without holding it.
///
/// An address is used again once its node is gone; so as long as the node of either of two origins lives, the other's
/// must be the same object. Of two nodes that are both gone since, the address is all there is to go by.
struct NodeOrigin: Sendable {
    let address: ObjectIdentifier
    private weak let node: AnyNode?

    init(_ node: AnyNode) {
        address = ObjectIdentifier(node)
        self.node = node
    }

    func isSame(as other: NodeOrigin) -> Bool { address == other.address && node === other.node }
}
