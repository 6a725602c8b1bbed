import Synchronization

// What a thread delivers for others, and when it stops: see `HandingOn` for what a vertex knows of it.
//
//     its own set ──▶ what others set meanwhile: so much, ──▶ combinations ──▶ hands the turn on; or, as long as nobody comes,
//                     and what its listeners set                              delivers one value more, as a set of its own
//
// So combinations are made in between, however fast others set. Where there is more to be done on the thread than deliver at
// that vertex, as in a batch, a listener, or in the middle of a graph, the turn is not kept while that is done: others would
// wait for it, and perhaps it for them. There it is handed on as soon as somebody comes, and until then the thread goes on.

extension Propagation {
    #if SCHEDULE_FAULTS
    static let enoughForOthers = 1
    #else
    /// So many values of others a thread delivers at a vertex before it hands on.
    static let enoughForOthers = 64
    #endif

    /// The times of the set that is under way; none while this thread delivers for others.
    var timesOfOwnSet: Range<UInt64> {
        turn.isForeign ? 0..<0 : finished.load(ordering: .relaxed) + 1..<now + 1
    }

    /// Called when nothing is under way, and there is more to do than to count the set.
    @inline(never) func doLastWork() {
        let duties = lastDuties
        lastDuties = []
        if duties.contains(.shrink) { shrinkIfUnused() }
        if duties.contains(.count) { countSetOver() }
        // So that another thread fires a join that the two keep leaving to each other.
        if duties.contains(.yield), !ScheduleFaults.handsOn() { Waiting.sleep(microseconds: 50) }
        serveKeptTurns()
        waitForTurn()
        if !lastWork.isServing { pauses = PauseBudget() }
    }

    // MARK: Turns

    /// Delivers what was queued while the vertex was busy, until a turn leaves something on the stack, or has been handed on.
    @inline(never) func takeTurns(at vertex: Unmanaged<Vertex>) {
        vertex._withUnsafeGuaranteedRef { vertex in
            // To be asked before the run ends, by which the pulse forgets where it has been.
            let pulse = runs[runCount - 1].context?._withUnsafeGuaranteedRef { $0.pulse }
            let visit = pulse.flatMap { $0.isHeld(by: vertex) ? vertex.visited : nil }
            takeTurns(at: vertex, after: endTurn(), forgetting: visit)
        }
    }
    /// Ends the last run if it is one of a value that was queued, and has nothing left; says how many values of others had
    /// been delivered by then.
    private func endTurn() -> Int {
        guard runs[runCount - 1].isTurn, isLastRunEmpty else { return 0 }
        let served = turn.foreigners
        endRun()
        return served
    }
    /// Where a pulse has come to the vertex by a `visit`, its value is taken away before anything that comes next is taken: when the pulse's
    /// run ends, the vertex may hold that, or be another thread's.
    private func takeTurns(at vertex: Vertex, after served: Int, forgetting visit: UInt64? = nil) {
        var foreigners = served
        var visit = visit
        loop: while true {
            let readiness = readiness(after: foreigners)
            if readiness != .goesOn, let visit = visit.take() {
                _ = vertex.restoreValue(displacedBy: visit, inTurn: true)
            }
            switch vertex.leaveOrTakeNext(readiness) {
            case .over: break loop
            case .kept:
                // Until this thread's set is over.
                lastWork.kept.append(vertex)
                lastDuties.insert(.serve)
                break loop
            case .next(let next):
                if !unsafeDowncast(next, to: Update.self).isVisit, let visit = visit.take() {
                    _ = vertex.restoreValue(displacedBy: visit, inTurn: true)
                }
                if take(next, at: vertex, &foreigners) { break loop }
            }
        }
        call.runs = runCount
    }
    private func readiness(after foreigners: Int) -> Readiness {
        if foreigners < Propagation.enoughForOthers { return .goesOn }
        // Whether all that is left of this thread's set is its end.
        let isLast = depth == 1 && runCount == 1 && isLastRunEmpty
        return isLast ? .pauses : .handsOn
    }
    /// Delivers what has waited. Answers whether something is left on the stack; if not, its run has ended.
    private func take(_ next: PendingUpdate, at vertex: Vertex, _ foreigners: inout Int) -> Bool {
        let update = unsafeDowncast(next, to: Update.self)
        if !update.isOwn { foreigners += 1 }
        let isForeign = turn.isForeign || !update.isOwn
        _ = beginRun(context: update.context, senders: update.senders)
        runs[runCount - 1].isTurn = true
        turn = Turn(isForeign: isForeign, foreigners: foreigners, chain: update.chain)
        vertex.countFeedback(update.chain, isOwn: !isForeign, in: self)
        enterCall(0)
        observer?.resumed(at: vertex, by: update.edge?._withUnsafeGuaranteedRef(\.serial) ?? 0, from: update.source)
        if update.take(vertex, self) { return true }
        endRun()
        return false
    }

    // MARK: Serving

    /// Hands on the turns that were kept, or serves them, each value as a set of its own. Nothing is under way.
    private func serveKeptTurns() {
        // What a set in here keeps is come to in the loop below.
        guard !lastWork.isServing else { return }
        lastWork.isServing = true
        while let vertex = lastWork.kept.popFirst() {
            guard case .next(let next) = vertex.leaveOrTakeNext(.handsOn) else { continue }
            serve {
                var foreigners = Propagation.enoughForOthers
                if !take(next, at: vertex, &foreigners) { takeTurns(at: vertex, after: foreigners) }
            }
        }
        lastWork.isServing = false
    }
    private func serve(_ begin: () -> Void) {
        turn.isForeign = true
        self.begin()
        let run = beginRun(context: nil, senders: Senders.none)
        begin()
        drive(run)
        end()
        turn = Turn()
    }

    // MARK: Waiting for a turn

    /// Has this thread wait for the turn of `vertex`, where something of its own is queued, when its outermost set is over.
    func waitWhenOver(for vertex: Vertex) {
        if !lastWork.awaited.contains(where: { $0 === vertex }) { lastWork.awaited.append(vertex) }
        lastDuties.insert(.serve)
    }
    /// Waits for a turn, and if it comes delivers there. Nothing is under way.
    ///
    /// One set waits at one vertex alone, so that it waits no longer than said; which of several, changes.
    private func waitForTurn() {
        guard !lastWork.awaited.isEmpty, !lastWork.isServing else { return }
        let awaited = lastWork.awaited
        lastWork.awaited = []
        lastWork.isServing = true
        let vertex = awaited[Clock.place(at: now, among: awaited.count)]
        if let (heir, atMost) = vertex.beginWaiting() {
            sleep(as: heir, of: vertex, atMost: pauses.left(of: atMost))
            if vertex.endWaiting(heir) { serve { takeTurns(at: vertex, after: 0) } }
        }
        lastWork.isServing = false
        serveKeptTurns()
        // What was served may have had something queued elsewhere: none of that was this thread's own, and it waits for none of it.
        let others = lastWork.awaited
        lastWork.awaited = []
        withExtendedLifetime((awaited, others)) {}
    }
    /// Returns when the heir has the turn, or will have none, or the time is over.
    private func sleep(as heir: Heir, of vertex: Vertex, atMost microseconds: Int) {
        let begin = ContinuousClock.now
        var time = begin
        var awakeUntil = begin + .microseconds(heir.state == .comes ? 100 : 0)
        while !heir.state.isOver, time < begin + .microseconds(microseconds) {
            if heir.state == .isCalled {
                vertex.come(heir)
                awakeUntil = time + .microseconds(100)
            }
            if ScheduleFaults.handsOn() {
                // A thread under control goes by no clock. Others have run.
                if heir.state != .isCalled { return }
            } else if time < awakeUntil {
                Waiting.letOthersRun()
            } else {
                Waiting.sleep(microseconds: 50)
            }
            time = ContinuousClock.now
        }
    }
}
