/// A pulse on its way: where its value is, so that it can be taken away when it has been delivered.
///
/// It travels in the box of the context, also to what another thread delivers; so there is a lock. A vertex is noted before the
/// value is stored there, with the visit that stores it: one that was visited again holds something else. (So no two visits that
/// a pulse travels to are at the same time, noted or not: see `OutOfLine.gate`.) Only what an edge that keeps nothing has
/// brought from a vertex that is noted is noted itself.
final class Pulse: Sendable {
    private struct Trace: Sendable {
        var visits: [(vertex: Vertex, visit: UInt64)] = []
        /// The last visit of each vertex.
        var last: [ObjectIdentifier: UInt64] = [:]
        /// Values from before earlier pulses, which go with the pulse, because no lock is held then.
        var remains: [DisplacedValue] = []
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

    /// Notes that the pulse is about to come to a vertex whose turn this thread has. The vertex at which it begins is empty afterwards;
    /// every other is as it was before. The lock of the vertex is held.
    func note(_ vertex: Vertex, at visit: UInt64, isOrigin: Bool = false) {
        let old = vertex.displaceValue(by: visit, isOrigin: isOrigin)
        trace.withLock { trace in
            if let old { trace.remains.append(old) }
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

// A pulse that an edge takes apart from the delivery, by which it would be known.

extension Propagation {
    /// What has the pulse under way know where an edge takes its value that is called apart from this delivery: in the place of the
    /// context.
    func contextForReplay(from vertex: Vertex) -> ContextBox? {
        guard let context, let pulse = context.pulse else { return context }
        let isOfReplay = pulse.isHeld(by: vertex)
        return isOfReplay == context.isOfReplay ? context : ContextBox(context.value, pulse, isOfReplay: isOfReplay)
    }
    /// The same for an edge that was linked in the middle of a pulse to a vertex that has its value, with a hold on it.
    @inline(never) func pulseForReplay(from vertex: Unmanaged<Vertex>) -> Unmanaged<ContextBox>? {
        let pulse = vertex._withUnsafeGuaranteedRef { vertex in vertex.locking { pulseHeld(by: vertex) } }
        return pulse.map { .passRetained(ContextBox(nil, $0, isOfReplay: true)) }
    }
    /// The pulse under way that has brought what `vertex` holds, if one has. The lock of that is held.
    func pulseHeld(by vertex: Vertex) -> Pulse? {
        for run in 0..<runCount {
            if let pulse = runs[run].context?._withUnsafeGuaranteedRef({ $0.pulse }), pulse.isHeld(by: vertex) {
                return pulse
            }
        }
        return nil
    }
}

extension Vertex {
    /// Takes the value away from a vertex whose handle has gone, so that it gets no other: when nothing is being delivered at
    /// `source`, nor here.
    final func forgetValue(afterTurnOf source: Vertex) {
        source.whenIdle { self.whenIdle { self.forgetValue { _ in true } } }
    }
    /// Calls `body` with no lock held: at once, or when all that is being delivered, or waits here, has been.
    final func whenIdle(_ body: @escaping () -> Void) {
        if !queueIfBusy(body) { body() }
    }
    /// Has `body` called when all that is being delivered, or waits here, has been; where nothing is, answers `false`.
    private final func queueIfBusy(_ body: @escaping () -> Void) -> Bool {
        let update = Update(context: nil, senders: SenderList(), isVisit: true) { _, _ in
            body()
            return false
        }
        guard enter(orQueue: update, of: 0..<0, on: 0).isMine else { return true }
        unlock(0)
        return false
    }
    /// Puts the value back that a pulse has displaced by `visit`, unless there was a later one: when nothing is being delivered here, because
    /// the delivering thread reads the value without the lock.
    final func restoreValue(displacedBy visit: UInt64) {
        while !restoreValue(displacedBy: visit, inTurn: false) {
            if queueIfBusy({ _ = self.restoreValue(displacedBy: visit, inTurn: true) }) { return }
        }
    }
}

extension Pulse {
    /// Ends a run. If no other run delivers the pulse, every vertex that it has come to is again as it was before: one that is delivering,
    /// when that is over. (A value that has waited for its turn until then begins a run again, which ends like this.)
    func endRun() {
        for (vertex, visit) in endRunAlone() { vertex.restoreValue(displacedBy: visit) }
    }
}
