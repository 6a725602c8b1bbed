/// The senders of a long path, by their depths: it tells in one step if the path has a vertex.
///
/// The paths that a value leaves on its way share one index: each path adds its sender. A path that branches off from
/// an older one cannot, and has an index of its own later (see `SenderPath`).
///
/// Invariant: the paths that have an index are one chain, and a path holds all senders up to its own depth. So an entry
/// of a vertex that has gone has a depth that no path has any more.
final class SenderIndex: Sendable {
    private struct Content: Sendable {
        /// The depth of each sender, by its vertex's address.
        var depths: [UInt: Int]
        /// The depth of the newest path.
        var last: Int
    }
    private let content: Lock<Content>

    /// Makes an index of the senders of a path.
    init(of vertices: [Vertex], depth: Int) {
        Steps.count(vertices.count)
        let depths = Dictionary(vertices.map { ($0.address, depth) }) { first, _ in first }
        content = Lock(Content(depths: depths, last: depth))
    }
    /// Adds a sender behind the path of the depth `depth`. Fails if that is not the newest one.
    func add(_ vertex: Vertex, behind depth: Int) -> Bool {
        let address = vertex.address
        return content.withLock { content in
            guard content.last == depth else { return false }
            content.last += 1
            content.depths[address] = content.depths[address] ?? content.last
            return true
        }
    }
    /// True if the path of the depth `depth` has a vertex.
    func contains(_ vertex: Vertex, upTo depth: Int) -> Bool {
        let address = vertex.address
        return content.withLock { $0.depths[address].map { $0 <= depth } ?? false }
    }
}
