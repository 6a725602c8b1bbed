import Synchronization

// Nodes that tell if values are on their way to another node: see `Node.upToDate()` in ReactScheduling.
//
// An *asker* belongs to a node, whose handle holds it. A vertex is *asked about* if its node has an asker, or if an
// asker is downstream of it. A flag of the vertex says so, and keeps the cost from all others.
//
// - If a vertex is flagged, everything upstream of it is flagged. The thread that connects an edge flags its source.
// - A flag is set before the edges upstream are read. A thread that changes an edge or the count of an edge's buffered
//   values reads the flag afterwards. So at least one of two threads sees the other's change.
// - When no asker is found downstream of a vertex, the flags there are removed.
// - A join that is last, such as `settled`, fires after the askers. A value that has left the last waiting edge may
//   still be behind it. So an answer stays false while such a join upstream is to fire, and that has the askers
//   downstream ask anew: they come before all else that its value reaches. An answer that is true stays true.
// - Flags change under one lock for all graphs, which is taken before the lock of an edge or a vertex.
// - The vertices that are asked about, and those of the askers, are in one region, also where borders lie between. So
//   an answer and the values that it tells of change in one transaction.

/// An object that is told when the answer to its question may have changed.
package protocol Asker: AnyObject, Sendable {
    var vertex: Vertex { get }
    /// The answer may have changed. Called with no lock held, by the owner of the vertex's region.
    func ask(in engine: Engine)
}

package enum Askers {
    private static let lock = Lock(())
    /// True if there has been an asker in this process.
    fileprivate static let areInUse = Atomic(false)

    /// Flags a vertex whose handle holds an asker, and everything upstream.
    package static func begin(at vertex: Vertex) {
        areInUse.store(true, ordering: .sequentiallyConsistent)
        var seen: [AnyObject] = []  // let go of when no lock is held
        lock.locking { flag(vertex, &seen) }
        unite(seen, with: vertex)
    }
    /// Makes the regions of all vertices in `flagged` that of `vertex`, now or later.
    private static func unite(_ flagged: [AnyObject], with vertex: Vertex) {
        Engine.current.transaction { engine in
            for case let other as Vertex in flagged where other !== vertex {
                engine.link(other, to: vertex) { _ in }
            }
        }
    }
    /// Tells the askers downstream of `vertices` that an edge that leads there has changed, or no longer leads there.
    @inline(never) static func edgeHasChanged(_ edge: AnyEdge, at vertices: [Vertex]) {
        var seen: [AnyObject] = []
        if edge.isConnected, case let (source?, target?) = edge.vertices, target.isAskedAbout {
            lock.locking { flag(source, &seen) }
            unite(seen, with: target)
        }
        for vertex in vertices { tell(from: vertex) }
    }
    /// Tells the askers downstream of `vertex`, in the transaction that is open on this thread.
    ///
    /// O(edges between the vertex and those askers).
    package static func tell(from vertex: Vertex) {
        guard vertex.isAskedAbout else { return }
        var seen: [AnyObject] = []
        let askers: [any Asker] = lock.locking { find(downstreamOf: vertex, &seen) }
        guard !askers.isEmpty else { return }
        Engine.current.transaction { engine in
            for asker in askers { engine.perform(in: asker.vertex) { asker.ask(in: $0) } }
        }
    }

    private static func flag(_ first: Vertex, _ seen: inout [AnyObject]) {
        var waiting = [first]
        while let vertex = waiting.popLast() {
            seen.append(vertex)
            let (edges, junction) = vertex.locking { () -> ([AnyEdge], SwitchSource?) in
                guard !vertex.isAskedAbout else { return ([], nil) }
                vertex.setAskedAbout(true)
                return (vertex.upstream.all, vertex.coldState?.junction)
            }
            for edge in edges {
                seen.append(edge)
                if let source = edge.vertices.source { waiting.append(source) }
            }
            guard let origin = junction?.vertex else { continue }
            origin.locking { origin.coldStateLocked.branchesAskedAbout.append(WeakVertex(vertex)) }
            waiting.append(origin)
        }
    }
    private static func find(downstreamOf first: Vertex, _ seen: inout [AnyObject]) -> [any Asker] {
        var found: [any Asker] = [], walk = VertexWalk(from: [first])
        defer { seen += walk.found }
        while let vertex = walk.next() {
            guard vertex.isAskedAbout else { continue }
            let (held, branches) = vertex.locking { () -> (AnyObject?, [WeakVertex]) in
                vertex.transforms.forEach { edge in
                    guard edge.isConnected, let target = edge.target.load(ordering: .acquiring) else { return }
                    walk.find(target.takeUnretainedValue())
                }
                return (vertex.coldState?.heldByHandle, vertex.coldState?.branchesAskedAbout ?? [])
            }
            for branch in branches.compactMap(\.vertex) { walk.find(branch) }
            if let held { seen.append(held) }
            if let asker = held as? any Asker { found.append(asker) }
        }
        guard found.isEmpty else { return found }
        for vertex in walk.found where vertex.isAskedAbout {
            vertex.locking {
                vertex.setAskedAbout(false)
                if let coldState = vertex.coldState { coldState.branchesAskedAbout = [] }
            }
        }
        return []
    }
}

extension Vertex {
    /// Returns true if an edge upstream buffers a value, or if `condition` is true for this vertex or one upstream. If
    /// `countsLast`, a join upstream that is last, and is to fire, counts as an edge that buffers a value. No lock is
    /// held. O(vertices and edges upstream).
    package final func isWaiting(
        countingLast countsLast: Bool = false, or condition: (Vertex) -> Bool = { _ in false }
    ) -> Bool {
        var walk = VertexWalk(from: [self])
        while let vertex = walk.next() {
            if condition(vertex) { return true }
            let (edges, junction) = vertex.locking { (vertex.upstream.all, vertex.coldState?.junction) }
            for edge in edges where edge.isConnected {
                if edge.isBuffering || countsLast && edge.isLastJoinPending { return true }
                if let source = edge.vertices.source { walk.find(source) }
            }
            if let origin = junction?.vertex { walk.find(origin) }
        }
        return false
    }
    /// True if no value is on its way here. No lock is held. O(vertices and edges upstream).
    ///
    /// Other threads may move a value from an edge that was looked at later to a vertex that was looked at earlier. So
    /// this looks twice, and then makes sure that nothing was stored meanwhile.
    package final var isUpToDate: Bool {
        var stores: [(vertex: Vertex, number: UInt32)] = []
        let isWaiting = isWaiting {
            stores.append(($0, $0.sequence.load(ordering: .acquiring)))
            return $0.isUnderDelivery
        }
        return !isWaiting && !self.isWaiting { $0.isUnderDelivery }
            && stores.allSatisfy { $0.vertex.sequence.load(ordering: .acquiring) == $0.number }
    }
    /// True if a set in the vertex's graph is late.
    private final var hasLateWork: Bool { hasRegion && Region.hasLate(at: self) }
    /// True if a value is being delivered here, or waits for its turn here, if a join here is to fire at the end of an
    /// open transaction, or if a set in the graph is late. No lock is held.
    private final var isUnderDelivery: Bool {
        let edges = locking { isJoin ? upstream.all : [] }
        return isBusy || edges.contains { $0.isJoinPending } || hasLateWork
    }
}

extension AnyNode {
    /// Tells the askers downstream that an edge to this node has begun or ceased to buffer values.
    package final func bufferingUpstreamHasChanged() {
        if Askers.areInUse.load(ordering: .sequentiallyConsistent) { Askers.tell(from: vertex) }
    }
}
extension AnyEdge {
    /// Tells the askers downstream that the edge has begun or ceased to buffer values. A listener has none.
    package final func bufferingHasChanged() {
        guard Askers.areInUse.load(ordering: .sequentiallyConsistent), let target = targetVertex else { return }
        Askers.tell(from: target)
    }
}
