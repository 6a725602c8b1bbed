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

extension Propagation {
    /// What has the pulse under way know where an edge takes its value that is called apart from this delivery.
    func pulseForReplay(in context: ContextBox?, from vertex: Vertex) -> ContextBox? {
        guard let context, let pulse = context.pulse, pulse.isHeld(by: vertex) else { return nil }
        return ContextBox(context.value, pulse, isOfReplay: true)
    }
    /// The same for an edge that was linked in mid-delivery. The vertex's lock is held.
    func pulseForReplay(from vertex: Vertex) -> Unmanaged<AnyObject>? {
        for run in 0..<runCount {
            guard let context = runs[run].context?.takeUnretainedValue(), let pulse = context.pulse else { continue }
            if pulse.isHeld(by: vertex) { return .passRetained(ContextBox(nil, pulse, isOfReplay: true)) }
        }
        return nil
    }
}
