import Synchronization

// What is set together: an outermost set or batch, and the joins that fire at the end of it.
extension Propagation {
    /// Brackets all that is set or linked together; joins fire when the outermost ends.
    @usableFromInline func begin() {
        depth &+= 1
        if Observers.isOn { openObserver() }
    }
    @usableFromInline func end() {
        if observer != nil { closeObserver() }
        guard depth == 1 else {
            if visits.isLong { visits.share() }
            depth &-= 1
            return
        }
        stabilize()
        finished.store(now, ordering: .releasing)
        if Propagation.looksTwice.load(ordering: .relaxed) { closeWave() }
        checkInvariants()
        depth = 0
        if !lastDuties.isEmpty { doLastDuties() }
    }
    /// Fires all joins that were reached, and lets go of the trail.
    @inline(__always) func stabilize() {
        while !joins.isEmpty || !visits.isEmpty || !inbox.isEmpty { settle() }
    }
    func settle() {
        while let entry = nextJoin() {
            entry.join._withUnsafeGuaranteedRef { $0.fire(in: self, listedAt: entry.height) }
        }
        endWave()
    }
    @inline(__always) func endWave() {
        if !joinsLeft.isEmpty { joinsLeft = [] }
        wave &+= 1
        if !visits.isEmpty { letGoOfTrail() }
    }
    /// Lets go of what values came through, the newest first. That may set nodes: what those come through is let go of, with all that is
    /// left, when the joins that they reach have fired.
    private func letGoOfTrail() {
        visits.beginToGo()
        defer { visits.endToGo() }
        while !visits.isEmpty {
            let visit = visits.popLast()
            let count = visits.count
            visit.letGo()
            if visits.count != count { return }
        }
    }

    /// The next join to fire, of those that were reached here, or handed over by another thread.
    @inline(__always) func nextJoin() -> JoinQueue.Entry? {
        if !inbox.isEmpty { inbox.empty(into: &joins) }
        return joins.popFirst()
    }

    /// The height of the lowest join that is to fire, if one is.
    var lowestPending: UInt32? {
        if !inbox.isEmpty { inbox.empty(into: &joins) }
        return joins.firstHeight
    }
    /// Whether a join that is no higher than `height` is to fire.
    func hasPending(atMost height: UInt32) -> Bool { lowestPending.map { $0 <= height } ?? false }
    /// Says that the outermost set is over. What others have left here just before is fired still.
    @inline(never) func closeWave() {
        finished.store(now, ordering: .sequentiallyConsistent)
        while !inbox.isEmpty || !joins.isEmpty || !visits.isEmpty {
            settle()
            finished.store(now, ordering: .sequentiallyConsistent)
        }
    }
}
