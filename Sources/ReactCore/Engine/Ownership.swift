// The regions of a thread's transaction. A transaction takes each region at its first set or change there, and keeps it
// to its end. Everything inside is plain, single-threaded code.

extension Engine {
    /// This engine's address, by which a region knows its owner.
    @inline(__always) var ownerID: UInt { Unmanaged.passUnretained(self).address }
    @inline(__always) func owns(_ vertex: Vertex) -> Bool {
        vertex.hasRegion && vertex.root._withUnsafeGuaranteedRef { $0.isOwned(by: ownerID) }
    }
    /// Takes the region of a vertex, if this thread does not own it yet. Fails if another thread owns it. Called inside
    /// a transaction, which leaves the region at its end.
    @inline(__always) func take(_ vertex: Vertex) -> Bool { take(vertex) { hold($0) } }
    /// Takes the region of a vertex, which the caller keeps until the transaction is over. An inner transaction retains
    /// the region, as `take` does.
    @inline(__always) func takeForSet(_ vertex: Vertex) -> Bool {
        take(vertex) { region in depth == 1 ? owned.addRegionOfSet(region) : hold(region) }
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
    @inline(__always) func hold(_ region: Region) { owned.add(region) }
    /// Notes that this thread has become the owner of the region of a vertex.
    func holdRegion(of vertex: Vertex) { hold(vertex.region) }
    /// Leaves all regions. Runs no user code.
    @inline(__always) func leaveRegions() { if !keepsRegions { owned.leaveAll(ownerID) } }
}
