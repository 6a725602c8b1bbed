import ReactCore

/// Identifies a node without retaining it.
///
/// An address may be reused once its node is gone. So if the node of one of two origins lives, the other origin must
/// refer to that very object. If both nodes are gone, only the addresses are compared.
struct NodeOrigin: Sendable {
    let address: ObjectIdentifier
    private weak let node: AnyNode?

    init(_ node: AnyNode) {
        address = ObjectIdentifier(node)
        self.node = node
    }

    func isSame(as other: NodeOrigin) -> Bool { address == other.address && node === other.node }
}
