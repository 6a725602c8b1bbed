extension Vertex {
    /// Checks the invariants that hold after every change of the graph, where assertions are on: in this
    /// package's own checked builds.
    ///
    /// The owner calls this after every change of the graph, when no lock but an edge's is held. O(edges). A list of
    /// more than 64 edges is walked only when its length is a power of two, so that building a long list stays
    /// affordable.
    package final func checkInvariants() { assert(invariantsHold()) }

    private final func invariantsHold() -> Bool {
        check(listens, at: .source) { $0.leadsToListener }
        check(transforms, at: .source) { edge in
            guard !edge.leadsToListener, let target = edge.knownTarget else { return false }
            return edge.isBackEdge || edge.isBorder || !edge.isConnected
                || Heights.suffice(from: self, to: target.takeUnretainedValue())
        }
        locking { check(upstream, at: .destination) { edge in edge.leads(to: self) } }
        if isBusy { return true }
        assert(ownerState?.queue.isEmpty ?? true, "a queue is not empty while its node is idle")
        assert(ownerState?.deferred.isEmpty ?? true, "releases are deferred while the node is idle")
        assert(turn == 0, "something is pending while the node is idle")
        return true
    }
    private final func check(_ slots: EdgeStorage, at end: EdgeEnd, _ holds: (AnyEdge) -> Bool) {
        let count = slots.count
        guard count <= 64 || count & (count - 1) == 0 else { return }
        var seen: Set<ObjectIdentifier> = []
        for (edge, generation) in slots.entries() {
            assert(seen.insert(ObjectIdentifier(edge)).inserted, "an edge is listed twice")
            assert(holds(edge), "an edge is listed where it does not lead, or heights fall along it")
            guard end == .source else { continue }
            assert(edge.generation == generation, "an edge is listed by another connection than it is in")
            let word = edge.knownWord
            assert(
                ownerState?.catchUpBuffers[ObjectIdentifier(edge)] == nil
                    || word & (ConnectionState.catchingUp | ConnectionState.cut) != 0,
                "values are kept for an edge that has caught up")
        }
    }
}
