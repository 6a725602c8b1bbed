/// A pulse on its way: where its value is, so that it can be taken away when it has been delivered.
///
/// It travels in the box of the context, also to what another thread delivers; so there is a lock. A vertex is noted before the
/// value is stored there, with the visit that stores it: one that was visited again holds something else. (So no two visits that
/// a pulse travels to are at the same time, noted or not: see `Propagation.beginVisit`.) Only what an edge that keeps nothing has
/// brought from a vertex that is noted is noted itself.
final class Pulse: Sendable {
    private struct Trace: Sendable {
        var visits: [(vertex: Vertex, visit: UInt64)] = []
        /// The last place of each vertex.
        var places: [ObjectIdentifier: Int] = [:]
    }
    private let trace = Lock(Trace())

    func note(_ vertex: Vertex, at visit: UInt64) {
        trace.withLock { trace in
            trace.places[ObjectIdentifier(vertex)] = trace.visits.count
            trace.visits.append((vertex, visit))
        }
    }
    /// Whether what the vertex holds is the pulse's. Asked by the one who delivers it.
    func isHeld(by vertex: Vertex) -> Bool {
        let visit = trace.withLock { trace in trace.places[ObjectIdentifier(vertex)].map { trace.visits[$0].visit } }
        return visit == vertex.visited
    }
    /// Takes the value away from a vertex where it has been delivered, and whose turn this thread has still.
    func fade(at vertex: Vertex) {
        if isHeld(by: vertex) { vertex.forgetValue { _ in true } }
    }
    /// Takes the value away from wherever it has been delivered. What is still being delivered is left to a later call.
    func fade() {
        let visits = trace.withLock { trace in
            let visits = trace.visits
            trace = Trace()
            return visits
        }
        for (vertex, visit) in visits {
            var isBusy = false
            vertex.forgetValue { bits in
                guard vertex.visited == visit else { return false }
                isBusy = bits & Vertex.busy != 0
                return !isBusy
            }
            if isBusy { note(vertex, at: visit) }
        }
    }
}
