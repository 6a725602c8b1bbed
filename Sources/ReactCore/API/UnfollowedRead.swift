/// Held by the node of a body that has read no node by its reader, but one by `value` or `current`: the body is never
/// called again.
private final class UnfollowedRead: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
}

extension Vertex {
    /// Notes that the body of this vertex is never called again, although it has read the node `name`.
    package final func noteUnfollowedRead(of name: String) { _ = holdByHandle(UnfollowedRead(name)) }
    /// The name of a node that the body of this vertex reads, and does not follow.
    package final var unfollowedRead: String? {
        // Released when no lock is held.
        let held = locking { coldState?.heldByHandle }
        return (held as? UnfollowedRead)?.name
    }
}
