// Joins that have to wait although they come first in the queue: those downstream of a join after effects, and those
// downstream of a cycle. Both are found by a search upstream, and only flagged vertices are searched.

extension Join {
    /// Returns true if another join has to fire before this one, which is the first in the queue, and has left it. Then
    /// this one comes back into the queue, later. No lock is held.
    @inline(never) func waitsForUpstream(in engine: Engine, listedAt height: UInt32) -> Bool {
        if rank == .afterEffects {
            let held = engine.joins.heldBack.end(self, listedAt: height & Vertex.heightLimit)
            for join in held { engine.joins.insert(join) }
        }
        if let join = engine.blocker(upstreamOf: vertex), engine.joins.heldBack.hold(self, for: join) { return true }
        return rank == .byHeight && vertex.isAfterBackEdge && waitsOnCycle(in: engine)
    }
    /// Returns true if another join has to fire before the body of this one reads `source`, from which an edge leads
    /// here by now. No lock is held.
    package func waits(toRead source: Vertex, in engine: Engine) -> Bool {
        if let first = engine.joins.firstHeight, first <= source.height { return true }
        if engine.blocker(upstreamOf: vertex) != nil { return true }
        return vertex.isAfterBackEdge && engine.pendingJoin(upstreamOf: vertex) != nil
    }
    /// Lists the join again behind a join that has to fire before it. Returns whether there is such a join.
    ///
    /// A back edge does not raise its target, so heights do not order the vertices downstream of it after those
    /// upstream of it. The search costs O(vertices upstream), and only for joins downstream of a back edge.
    private func waitsOnCycle(in engine: Engine) -> Bool {
        guard let earlier = engine.pendingJoin(upstreamOf: vertex) else { return false }
        engine.joins.insert(self, behind: earlier)
        return true
    }
}

extension Engine {
    /// Returns the identity of a vertex upstream of `first`, and not downstream as well, at which a join after effects
    /// is to fire. No lock is held.
    ///
    /// O(vertices upstream that may be held back), and only for those that no search has seen before.
    func blocker(upstreamOf first: Vertex) -> ObjectIdentifier? {
        guard !joins.heldBack.isEmpty, first.mayBeHeldBack else { return nil }
        Connection.areNoted.store(true, ordering: .relaxed)
        let age = joins.heldBack.age
        var seen: Set<UInt> = []
        var waiting = [first]
        var isInRing = false
        defer { Steps.count(seen.count) }
        while let vertex = waiting.popLast() {
            for source in vertex.sources where joins.heldBack.mayReach(source) && seen.insert(source.serial).inserted {
                if let found = joins.heldBack.blocker(at: source) {
                    guard first.isAfterBackEdge, first === source || first.isUpstream(of: source) else { return found }
                    isInRing = true
                }
                waiting.append(source)
            }
        }
        if !isInRing { joins.heldBack.noteClear(seen, at: age) }
        return nil
    }
    /// Returns a join that fires by height and is to fire at a vertex upstream of `vertex`, and not downstream as well.
    /// No lock is held. O(vertices upstream), and O(joins that are to fire).
    fileprivate func pendingJoin(upstreamOf vertex: Vertex) -> JoinQueue.Entry? {
        guard !BackEdges.areNone, joins.firstHeight.map({ $0 <= Vertex.heightLimit }) ?? false else { return nil }
        let upstream = Vertex.allUpstream(of: [vertex])
        return joins.all.first { entry in
            entry.join._withUnsafeGuaranteedRef { other in
                other.rank == .byHeight && other.vertex !== vertex && upstream.contains(other.vertex)
                    && !vertex.isUpstream(of: other.vertex)
            }
        }
    }
}

extension Vertex {
    /// Returns true if edges lead from here to `other`. No lock is held. O(vertices upstream of `other`).
    fileprivate final func isUpstream(of other: Vertex) -> Bool {
        Vertex.allUpstream(of: [other]).contains(self)
    }
}
