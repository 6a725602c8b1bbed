// The regions of a thread's transaction. A transaction takes each region at its first set or change there, and keeps it
// to its end. Everything inside is plain, single-threaded code.

extension Engine {
    /// This engine's address, by which a region knows its owner.
    @inline(__always) var ownerID: UInt { Unmanaged.passUnretained(self).address }
    @inline(__always) func owns(_ vertex: Vertex) -> Bool { vertex.isOwned(by: ownerID) }
    /// Takes the region of a vertex, if this thread does not own it yet. Fails if another thread owns it. Called inside
    /// a transaction, which leaves the region at its end.
    @inline(__always) func take(_ vertex: Vertex) -> Bool { take(vertex) { noteOwned($0) } }
    /// Takes the region of a vertex, which the caller keeps until the transaction is over. The region is retained, as
    /// `take` does, in an inner transaction, and between two pieces of late work, where it is kept for longer.
    @inline(__always) func takeForSet(_ vertex: Vertex) -> Bool {
        take(vertex) { region in depth == 1 && !hasMoreLateWork ? owned.addRegionOfSet(region) : noteOwned(region) }
    }
    @inline(__always) private func take(_ vertex: Vertex, _ note: (Region) -> Void) -> Bool {
        vertex.root._withUnsafeGuaranteedRef { region in
            if region.isOwned(by: ownerID) { return true }
            guard region.tryTake(for: ownerID) else { return false }
            note(region)
            return true
        }
    }
    /// Notes that this thread has become the owner of a region.
    @inline(__always) func noteOwned(_ region: Region) { owned.add(region) }
    /// Notes that this thread has become the owner of the region of a vertex.
    func noteOwnedRegion(of vertex: Vertex) { noteOwned(vertex.region) }
    /// Leaves all regions. Runs no user code.
    @inline(__always) func leaveRegions() { if !hasMoreLateWork { owned.leaveAll(ownerID, stayingForRemovals: false) } }
    /// Leaves all regions, at the end of the outermost transaction. Before, does the removals that others have left.
    @inline(__always) func leaveRegionsAtEnd() {
        if hasMoreLateWork { return }
        owned.leaveAll(ownerID, stayingForRemovals: !doesRemovals)
        if !owned.isEmpty { doRemovals() }
    }
    @inline(never) private func doRemovals() {
        doesRemovals = true
        begin()
        for removal in owned.takeRemovals() { removal.work(self) }
        end()
        doesRemovals = false
    }
}

extension Vertex {
    /// Does `work`, which removes the vertex or an edge that leaves from it, as the owner of its region: at once, or,
    /// if another thread owns that, when the owner leaves it. Never waits. Allocates nothing if the region is free.
    ///
    /// The caller keeps the vertex until this returns.
    @inline(__always) package final func asOwner(_ work: @escaping (Vertex) -> Void) {
        Engine.currentUnretained._withUnsafeGuaranteedRef { engine in
            engine.begin()
            if engine.takeForSet(self) || leaveRemoval(work, to: engine) { work(self) }
            engine.end()
        }
    }
    /// Leaves `work` to the owner of the region. Returns true, and leaves nothing, if the region has become free and is
    /// this thread's now.
    private final func leaveRemoval(_ work: @escaping (Vertex) -> Void, to engine: Engine) -> Bool {
        var isLeft = false
        while true {
            let isMine = Region.change(of: self) { region, line in
                if region.tryTake(for: engine.ownerID) { return true }
                if !isLeft { line.add((self, LateWork.step { _ in work(self) })) }
                isLeft = true
                return false
            }
            if isMine {
                engine.noteOwnedRegion(of: self)
                // The removal is done when this thread leaves the region.
                return !isLeft
            }
            // The owner may have left the region before he could see the removal.
            if region.owner != 0 { return false }
        }
    }
}
