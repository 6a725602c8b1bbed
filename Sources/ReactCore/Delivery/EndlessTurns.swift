/// A listener that sets its own node each time it hears of it, and so never ends, is named in debug builds.
enum EndlessTurns {
    /// So many sets, each made by what the one before led to, are taken for a row without end.
    private static let limit = 100_000

    /// `chain` sets have led to what is to be delivered at `vertex` now. No lock is held.
    static func check(_ chain: Int, at vertex: Vertex) {
        #if DEBUG
        guard chain > limit else { return }
        let node = vertex.handle.map { "\($0)" } ?? "a node that is gone"
        misuse(
            "what \(node) leads to sets it again, and has done so \(limit) times in one set: a listener that sets its own node "
                + "has to stop, as with `if value != wanted { node.value = wanted }`; to follow another node, use link(to:)"
        )
        #endif
    }
}
