import Synchronization

// Transactions, and the joins that fire at their end.
extension Propagation {
    /// Begins a transaction, or a part of the open one. Joins fire when the outermost one ends.
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
    /// Fires all joins that values have reached, and clears the trail.
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
    /// Clears the trail, the newest entry first. That may run user code that sets nodes. Then stops, and the trail is
    /// cleared after the joins that those sets reach have fired.
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

    /// Returns the next join to fire, of those reached on this thread or handed over by another.
    @inline(__always) func nextJoin() -> JoinQueue.Entry? {
        if !inbox.isEmpty { inbox.empty(into: &joins) }
        return joins.popFirst()
    }

    /// The height of the lowest join that is to fire, if there is one.
    var lowestPending: UInt32? {
        if !inbox.isEmpty { inbox.empty(into: &joins) }
        return joins.firstHeight
    }
    /// Returns true if a join at or below `height` is to fire.
    func hasPending(atMost height: UInt32) -> Bool { lowestPending.map { $0 <= height } ?? false }
    /// Declares the outermost transaction over, and still fires joins that other threads left here just before.
    @inline(never) func closeWave() {
        finished.store(now, ordering: .sequentiallyConsistent)
        while !inbox.isEmpty || !joins.isEmpty || !visits.isEmpty {
            settle()
            finished.store(now, ordering: .sequentiallyConsistent)
        }
    }
}
