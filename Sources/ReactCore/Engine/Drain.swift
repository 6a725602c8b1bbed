import Synchronization

// Contended drains: how many values of other threads a thread delivers, and when it stops. The vertex's side of this is
// in Turn.swift.
//
//     own set ──▶ up to 64 values of others, ──▶ combinations ──▶ transfers the turn; or, until a thread comes for it,
//                 and sets of own listeners                       delivers one more value, as a transaction of its own
//
// Combinations are made in between, however fast others set. In a batch, in a listener, and in the middle of a graph,
// the thread has more to do than deliver at that vertex. If it kept the turn meanwhile, other threads would wait for
// it, and it perhaps for them. So in these places, the thread transfers the turn as soon as another thread comes.

extension Engine {
    #if SCHEDULE_FAULTS
    static let enoughForOthers = 1
    #else
    /// The number of other threads' values that a thread delivers at a vertex before it transfers the turn.
    static let enoughForOthers = 64
    #endif

    /// The epochs of the transaction under way; empty while this thread delivers for others.
    var timesOfOwnSet: Range<UInt64> {
        drain.isForeign ? 0..<0 : finished.load(ordering: .relaxed) + 1..<epoch + 1
    }

    /// Does the work of `endFlags`. Called when nothing is under way, and there is more to do than count the
    /// transaction.
    @inline(never) func doLastWork() {
        let flags = endFlags
        endFlags = []
        if flags.contains(.shrink) { shrink() }
        if flags.contains(.count) { countSetOver() }
        // Another thread then fires a join that the two keep leaving to each other.
        if flags.contains(.yield), !isOfMainThread, !ScheduleFuzzing.handsOn() { Waiting.sleep(microseconds: 50) }
        serveKeptTurns()
        waitForTurn()
        if !lastWork.isServing { pauses = PauseBudget(onMainThread: isOfMainThread) }
    }

    // MARK: Turns

    /// Delivers the values that were queued while the vertex was busy, until one leaves frames on the stack, or the
    /// turn has ended or been transferred.
    @inline(never) package func takeTurns(at vertex: Unmanaged<Vertex>) {
        vertex._withUnsafeGuaranteedRef { vertex in
            // This must be read before the pass ends, because the pulse then forgets the vertices that it has reached.
            let pulse = passes[passCount - 1].context.pulse
            let epochOfPulse = pulse.flatMap { $0.isStored(in: vertex) ? vertex.lastEpoch : nil }
            takeTurns(at: vertex, after: endTurn(), forgetting: epochOfPulse)
        }
    }
    /// Ends the innermost pass, if it is one of a pending delivery, and nothing of it is left on the stack. Returns the
    /// number of other threads' values that had been delivered by then.
    private func endTurn() -> Int {
        guard passes[passCount - 1].turn != nil, isLastPassEmpty else { return 0 }
        let served = drain.othersDelivered
        endPass()
        return served
    }
    /// Delivers pending values. If a pulse has reached the vertex in `epochOfPulse`, the vertex gets its earlier
    /// value back before the next pending value is taken. At the end of the pulse's pass it would be too late: the
    /// vertex may hold a later value, or another thread may have its turn.
    private func takeTurns(at vertex: Vertex, after served: Int, forgetting epochOfPulse: UInt64? = nil) {
        var othersDelivered = served
        var epochOfPulse = epochOfPulse
        loop: while true {
            let readiness = readiness(after: othersDelivered)
            if readiness != .goesOn, let epochOfPulse = epochOfPulse.take() {
                _ = vertex.restoreValue(displacedIn: epochOfPulse, inTurn: true)
            }
            switch vertex.releaseOrDequeue(readiness) {
            case .over: break loop
            case .kept:
                // Kept until this thread's transaction is over.
                lastWork.kept.append(vertex)
                endFlags.insert(.serve)
                break loop
            case .next(let next):
                if !unsafeDowncast(next, to: QueuedDelivery.self).onlyWaits, let epochOfPulse = epochOfPulse.take() {
                    _ = vertex.restoreValue(displacedIn: epochOfPulse, inTurn: true)
                }
                if take(next, at: vertex, &othersDelivered) { break loop }
            }
        }
        call.passes = passCount
    }
    private func readiness(after othersDelivered: Int) -> TurnReadiness {
        if othersDelivered < Engine.enoughForOthers { return .goesOn }
        // True if only the end of this thread's transaction is left.
        let isLast = depth == 1 && passCount == 1 && isLastPassEmpty
        return isLast ? .pauses : .handsOn
    }
    /// Delivers a pending value. Returns true if that leaves frames on the stack; otherwise its pass has ended.
    private func take(_ next: PendingDelivery, at vertex: Vertex, _ othersDelivered: inout Int) -> Bool {
        let update = unsafeDowncast(next, to: QueuedDelivery.self)
        if !update.isOwn { othersDelivered += 1 }
        let isForeign = drain.isForeign || !update.isOwn
        _ = beginPass(context: update.context, senders: update.senders)
        passes[passCount - 1].turn = Pass.Turn(origin: update.origin, isSet: update.edge == nil)
        drain = DrainState(isForeign: isForeign, othersDelivered: othersDelivered, chain: update.chain)
        vertex.countFeedback(update.chain, isOwn: !isForeign, in: self)
        enterCall(0)
        observer?.resumed(at: vertex, by: update.edge?._withUnsafeGuaranteedRef(\.serial) ?? 0, from: update.source)
        if update.take(vertex, self) { return true }
        endPass()
        return false
    }

    // MARK: Serving

    /// Transfers the turns that were kept, or delivers there, each value as a transaction of its own. Nothing is under
    /// way.
    private func serveKeptTurns() {
        // Turns that a set in here keeps are reached by the loop below.
        guard !lastWork.isServing else { return }
        lastWork.isServing = true
        while let vertex = lastWork.kept.popFirst() {
            guard case .next(let next) = vertex.releaseOrDequeue(.handsOn) else { continue }
            serve {
                var othersDelivered = Engine.enoughForOthers
                if !take(next, at: vertex, &othersDelivered) { takeTurns(at: vertex, after: othersDelivered) }
            }
        }
        lastWork.isServing = false
    }
    private func serve(_ begin: () -> Void) {
        drain.isForeign = true
        self.begin()
        let pass = beginPass(context: nil, senders: TrailPosition.none)
        begin()
        deliverAll(pass)
        end()
        drain = DrainState()
    }

    // MARK: Waiting for a turn

    /// Lets this thread wait for the turn of `vertex`, where a value of its own is queued, when its outermost
    /// transaction is over. The main thread does not wait.
    func waitWhenOver(for vertex: Vertex) {
        if isOfMainThread { return }
        if !lastWork.awaited.contains(where: { $0 === vertex }) { lastWork.awaited.append(vertex) }
        endFlags.insert(.serve)
    }
    /// Waits for a turn, and delivers there if it gets the turn. Nothing is under way.
    ///
    /// A thread waits at only one vertex per transaction, so that it waits no longer than promised. Which one, if there
    /// are several, changes each time.
    private func waitForTurn() {
        guard !lastWork.awaited.isEmpty, !lastWork.isServing else { return }
        let awaited = lastWork.awaited
        lastWork.awaited = []
        lastWork.isServing = true
        let vertex = awaited[Epoch.place(at: epoch, among: awaited.count)]
        if let (waiter, atMost) = vertex.beginWaiting() {
            sleep(as: waiter, of: vertex, atMost: atMost)
            if vertex.endWaiting(waiter) { serve { takeTurns(at: vertex, after: 0) } }
        }
        lastWork.isServing = false
        serveKeptTurns()
        // The deliveries above may have queued values elsewhere. None of them belongs to this thread, so it does not
        // wait for them.
        let others = lastWork.awaited
        lastWork.awaited = []
        withExtendedLifetime((awaited, others)) {}
    }
    /// Returns when the waiter has the turn, when it will not get it, or when the time or the pause budget is used up.
    func sleep(as waiter: TurnWaiter, of vertex: Vertex, atMost microseconds: Int) {
        let begin = ContinuousClock.now, end = begin + .microseconds(pauses.left(of: microseconds))
        var time = begin
        let loan = PriorityLoan(toOwnerOf: vertex)
        defer {
            loan.end()
            pauses.use(Int((time - begin) / .microseconds(1)))
        }
        var awakeUntil = begin + .microseconds(waiter.state == .comes ? 100 : 0)
        while !waiter.state.isOver, time < end {
            if waiter.state == .isCalled {
                vertex.come(waiter)
                awakeUntil = time + .microseconds(100)
            }
            if ScheduleFuzzing.handsOn() {
                // A controlled thread does not go by the clock. Other threads have run.
                if waiter.state != .isCalled { return }
            } else if time < awakeUntil {
                Waiting.letOthersRun()
            } else {
                Waiting.sleep(microseconds: 50)
            }
            time = ContinuousClock.now
        }
    }
}

/// The state of a drain: the deliveries that a thread makes one after another at a vertex, or, outside of a drain, its
/// own transaction.
struct DrainState {
    /// True if the thread delivers for others. Then no set that it makes belongs to a transaction of its own.
    var isForeign = false
    /// The number of other threads' values that have been delivered at the vertex in a row, including this one.
    var othersDelivered = 0
    /// The number of sets in a row that led to this delivery, each of which had to wait for the one before.
    var chain = 0
}
