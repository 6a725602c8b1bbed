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
        /// How many runs deliver it, on whatever threads.
        var runs = 0
    }
    private let trace = Lock(Trace())

    func beginRun() { trace.withLock { $0.runs += 1 } }
    /// Ends a run; answers where the value has come to, each with the visit that brought it, where no other run delivers it.
    func endRunAlone() -> [(vertex: Vertex, visit: UInt64)] {
        trace.withLock { trace in
            trace.runs -= 1
            guard trace.runs == 0 else { return [] }
            let visits = trace.visits
            (trace.visits, trace.last) = ([], [:])
            return visits
        }
    }

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
}
