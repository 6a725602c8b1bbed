// Ends the process at a feedback loop that never ends; see `FeedbackCount`.

extension FeedbackCount {
    /// Counts one more time, in the transaction of `engine`. Returns true if the limit is exceeded.
    @inline(__always) mutating func isExceeded(in engine: Engine) -> Bool {
        isExceeded(after: engine.finished, now: engine.epoch)
    }
}

extension Vertex {
    /// Ends the process if pending values of this transaction have set the node too often. The turn is this thread's,
    /// and no lock is held.
    final func countFeedback(in engine: Engine) {
        if ownerState?.feedback.isExceeded(in: engine) == true { refuseFeedback() }
    }
    /// Ends the process because values have set the node again too often. No lock is held.
    final func refuseFeedback() -> Never {
        misuse(
            "a single set has set \(describedInMessages) again \(FeedbackCount.most) times, by its own listeners or from "
                + "downstream: a listener that sets its own node has to stop, as with "
                + "`if value != wanted { node.value = wanted }`; to follow another node, use link(to:)"
        )
    }
    /// Ends the process because the join of this vertex has fired too often. No lock is held.
    final func refuseFiring(in engine: Engine) -> Never {
        let sources = sourcesSetNow(in: engine).map(\.describedInMessages).joined(separator: " and ")
        misuse(
            "a single set has computed \(describedInMessages) \(FeedbackCount.most) times: each time, its own closure or a listener downstream has "
                + "set \(sources.isEmpty ? "a node" : sources) upstream of it again; set that only if it changes, as with "
                + "`if value != wanted { node.value = wanted }`, or derive it by link(to:), combine or computed"
        )
    }
    /// Returns the upstream vertices that have no upstream edges and were set in the open transaction. O(upstream
    /// vertices and edges).
    private final func sourcesSetNow(in engine: Engine) -> [Vertex] {
        let times = engine.finished + 1..<engine.epoch + 1
        return Vertex.allUpstream(of: [self]).found.filter { vertex in
            engine.owns(vertex) && vertex.upstreamEdges.isEmpty && times.contains(vertex.lastEpoch)
        }
    }
    private final var describedInMessages: String { handle.map(\.textAndOriginInMessages) ?? "a node that is gone" }
}
