/// A pulse on its way: where its value is, so that it can be taken away when it has been delivered.
///
/// It travels in the box of the context, also to what another thread delivers; so there is a lock. A vertex is noted before the
/// value is stored there, with the visit that stores it: one that was visited again holds something else. (So no two visits that
/// a pulse travels to are at the same time, noted or not: see `Propagation.beginVisit`.) Only what an edge that keeps nothing has
/// brought from a vertex that is noted is noted itself.
final class Pulse: Sendable {
    private struct Trace: Sendable {
        var visits: [(vertex: Vertex, visit: UInt64)] = []
        /// The last visit of each vertex.
        var last: [ObjectIdentifier: UInt64] = [:]
    }
    private let trace = Lock(Trace())

    func note(_ vertex: Vertex, at visit: UInt64) {
        trace.withLock { trace in
            trace.last[ObjectIdentifier(vertex)] = visit
            trace.visits.append((vertex, visit))
        }
    }
    /// Whether what the vertex holds is the pulse's. Asked by the one who delivers it, or under its lock.
    func isHeld(by vertex: Vertex) -> Bool {
        let visit = trace.withLock { $0.last[ObjectIdentifier(vertex)] }
        return visit == vertex.visited
    }
    /// Takes the value away from a vertex where it has been delivered, and whose turn this thread has still.
    func fade(at vertex: Vertex) {
        if isHeld(by: vertex) { vertex.forgetValue { _ in true } }
    }
    /// Takes the value away from wherever it has been delivered. What is still being delivered is left to a later call, and stays known
    /// until then: another thread may be delivering it.
    func fade() {
        let visits = trace.withLock { $0.visits }
        var gone: Set<UInt64> = []
        for (vertex, visit) in visits {
            vertex.forgetValue { bits in
                // Where somebody delivers, the visit that is noted may be about to come.
                guard bits & Vertex.busy == 0 else { return false }
                gone.insert(visit)
                return vertex.visited == visit
            }
        }
        trace.withLock { trace in
            trace.visits.removeAll { gone.contains($0.visit) }
            for (vertex, visit) in visits where gone.contains(visit) && trace.last[ObjectIdentifier(vertex)] == visit {
                trace.last[ObjectIdentifier(vertex)] = nil
            }
        }
    }
}
