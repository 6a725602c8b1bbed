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
    /// Takes the value that a visit has brought away, unless there was a later one: when nothing is being delivered here, for whoever
    /// delivers reads the value without the lock.
    final func forgetValue(of visit: UInt64) {
        var isBusy = false
        repeat {
            forgetValue { bits in
                isBusy = bits & Vertex.busy != 0
                return !isBusy && visited == visit
            }
        } while isBusy && !queueIfBusy { self.forgetValueInTurn(of: visit) }
    }
    /// The same for the thread whose turn it is.
    final func forgetValueInTurn(of visit: UInt64) { forgetValue { _ in visited == visit } }
}

extension Pulse {
    /// Ends a run. Where no other delivers the pulse, its value is taken away from wherever it has come to: where something else is
    /// being delivered, when that is over. (What has waited for its turn until then is a run again, and ends like this.)
    func endRun() {
        for (vertex, visit) in endRunAlone() { vertex.forgetValue(of: visit) }
    }
}
