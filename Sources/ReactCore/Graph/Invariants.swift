extension AnyNode {
    /// Checks what must hold of the node and its edges, in debug builds; in release builds it does nothing.
    ///
    /// The engine does so by itself after every change of the graph. O(edges).
    package final func checkInvariants() { Structure.read { vertex.checkInvariants() } }
    #if SCHEDULE_FAULTS
    /// What tells this node from others at the points of a schedule.
    package final var schedulePlace: UInt { vertex.place }
    #endif
}

extension Vertex {
    /// Checks what must hold after every change of the graph, in debug builds. `Structure`'s lock is held.
    ///
    /// A list of more than 64 edges is walked only when its length is a power of two, so that a long one can be built.
    final func checkInvariants() {
        #if DEBUG
        let bits = lock()
        defer { unlock(bits) }
        check(listens, at: .source) { $0.leadsToListener && $0.origin === self }
        check(transforms, at: .source) { edge in
            !edge.leadsToListener && edge.origin === self
                && (!edge.counts || edge.leads(toRankAbove: rank))
        }
        check(upstream, at: .destination) { edge in
            edge.target.load(ordering: .relaxed)?.toOpaque() == Unmanaged.passUnretained(self).toOpaque()
        }
        assert(bits & Vertex.busy != 0 || rare?.queue.isEmpty ?? true, "a queue is not empty while its node is idle")
        assert(bits & Vertex.busy != 0 || bits & Vertex.pending == 0, "something is pending while the node is idle")
        #endif
    }
    #if DEBUG
    private final func check(_ slots: EdgeSlots, at end: EdgeEnd, _ holds: (AnyEdge) -> Bool) {
        let count = slots.count
        guard count <= 64 || count & (count - 1) == 0 else { return }
        var seen: Set<ObjectIdentifier> = []
        slots.forEach { edge in
            assert(seen.insert(ObjectIdentifier(edge)).inserted, "an edge is listed twice")
            assert(holds(edge), "an edge is listed at a node that is not at that end of it, or ranks fall along it")
            assert(end == .destination || edge.link.load(ordering: .relaxed) != 0, "a cut edge is still listed")
        }
    }
    #endif
}

#if DEBUG
extension AnyEdge {
    fileprivate final func leads(toRankAbove rank: UInt32) -> Bool {
        guard let next = target.load(ordering: .relaxed)?.takeUnretainedValue() else { return false }
        return next.rank >= rank + (next.isJoin ? 1 : 0)
    }
}
#endif
