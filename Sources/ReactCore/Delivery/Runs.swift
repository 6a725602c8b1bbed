/// All that one value sets off: what travels beside it, and what it came through before.
struct Run {
    /// Where its frames begin; below is one that ends it.
    var bottom: UnsafeMutablePointer<Frame>
    /// Held.
    var context: Unmanaged<ContextBox>?
    /// A time (`now`) before the first visit of what the value came through; 0 where none is known.
    var since: UInt64
    /// What was being called when the run began, and who could send then; of no use to the first run.
    var outer: Call
    var outerSending: UInt64 = 0
    var outerTurn = Turn()
    /// Whether it is of a value that was queued.
    var isTurn = false

    /// What the value came through before the run began; -1 for nothing. The frame below the run has it, as that of each visit has it
    /// for the frame above.
    @inline(__always) var visit: Visits.Index { (bottom - 1).pointee.visit }
    @inline(__always) var senders: Senders { Senders(visit: visit, since: since) }
}
/// A part of what a thread does: what a value that was queued sets off, or what nothing was queued for.
struct Turn {
    /// Whether it is for others: so nothing of what it sets belongs to a set of this thread's.
    var isForeign = false
    /// How many values of others have been delivered at the vertex in a row, this one included.
    var foreigners = 0
    /// How many sets have led to it, each of which had to wait for the one before.
    var chain = 0
}
/// Where the edge that is being called stands: its frame ends at `top`, its run is the last below `runs`.
@usableFromInline struct Call {
    @usableFromInline var top: UnsafeMutablePointer<Frame>
    @usableFromInline var runs: Int
    /// The linking by which it was called.
    @usableFromInline var number: UInt64
}

extension Propagation {
    /// What the value of the last run came through before that began.
    var sendersOfLastRun: Senders { runs[runCount - 1].senders }
    /// Begins a run on top of those under way; returns what `drive` takes to end it.
    @discardableResult func beginRun(context: ContextBox?, senders: Senders) -> Int {
        if let context { return beginRun(holding: .passRetained(context), senders: senders) }
        return beginRun(holding: nil, senders: senders)
    }
    /// The same with a context that the run lets go of.
    @inline(__always) @discardableResult
    func beginRun(holding context: Unmanaged<ContextBox>?, senders: Senders) -> Int {
        if runCount > 0 { makePlaceForRun() }
        let run = runs + runCount
        run.pointee.context = context
        lastFrame.pointee.state = Frame.state(visit: senders.visit)
        // Without senders, the first visit of all is the run's own.
        run.pointee.since = senders.visit < 0 ? now : senders.since
        runCount &+= 1
        setFastLimit(hasTrail: hasCare(context, senders.visit))
        now &+= 1
        if let context { context._withUnsafeGuaranteedRef { $0.pulse?.beginRun() } }
        return runCount
    }
    func beginRun(context: ContextBox?, senders: SenderList) -> Int {
        beginRun(context: context, senders: record(senders))
    }
    /// Notes what goes on when the run on top of those under way has ended.
    @inline(never) private func makePlaceForRun() {
        if runCount == runCapacity { growRuns() }
        makeRoom()
        top.pointee.next = Frame.endMark
        top += 1
        (runs + runCount).initialize(
            to: Run(
                bottom: top, context: nil, since: 0, outer: call, outerSending: sending, outerTurn: turn))
        innerRuns &+= 1
        sending = innerRuns << 32
    }
    @inline(__always) func endRun() {
        runCount &-= 1
        guard runCount == 0 else { return resumeRun() }
        call.runs = 0
        if let context = runs.pointee.context { fade(context) }
    }
    @inline(never) private func resumeRun() {
        let run = runs + runCount
        top -= 1
        call = run.pointee.outer
        sending = run.pointee.outerSending
        turn = run.pointee.outerTurn
        setFastLimit(hasTrail: hasCare((run - 1).pointee.context, (run - 1).pointee.visit))
        if let context = run.pointee.context { fade(context) }
    }
    /// Whether each vertex that the run comes to has to be looked at before its value is stored: for it may have been there
    /// before, or the run is a pulse's.
    @inline(__always) private func hasCare(_ context: Unmanaged<ContextBox>?, _ visit: Visits.Index) -> Bool {
        visit >= 0 || context.map { $0._withUnsafeGuaranteedRef { $0.pulse != nil } } ?? false
    }
    /// Lets go of what travelled with a run that has ended.
    @inline(never) private func fade(_ context: Unmanaged<ContextBox>) {
        context._withUnsafeGuaranteedRef {
            $0.pulse?.endRun()
        }
        context.release()
    }
    /// Makes the last run the one that is being called, for edges that are called by no frame.
    func enterCall(_ number: UInt64) { call = Call(top: top, runs: runCount, number: number) }
    /// Runs `body`, after which what was being called is so again, wherever the stack has moved to meanwhile.
    func resumingCall(_ body: () -> Void) {
        let outer = call
        let place = outer.top - frames
        body()
        call = Call(top: frames + place, runs: outer.runs, number: outer.number)
    }
    @inline(never) private func growRuns() {
        runCapacity *= 2
        runs = runs.moved(runCount, toOwnLinesFor: runCapacity)
    }
}
