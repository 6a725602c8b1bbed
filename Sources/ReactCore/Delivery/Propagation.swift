import Synchronization

/// The engine: how a value travels. One for each thread that sets nodes, found by `current`.
///
///     set ──▶ enter: one delivery at a time per vertex, others queue
///              │
///              ▼
///         store, push a frame ──▶ listen edges, in order ──▶ transforms, in order, depth first
///              ▲                                                 │ `forward` makes the next value
///              └─────────────────────────────────────────────────┘ and stores it in the edge's target
///         when nothing is left: joins that were reached, lowest height first, each once
///
/// Whoever pushes a frame answers its first edge (`Sent`), and the loop goes on there; whatever is left of the frame it comes
/// back to.
///
/// It is a loop over a stack of its own: it never recurses, however deep the graph. A vertex stays busy until its whole
/// downstream has been served; so the vertices that a value came through are the frames below it, all of them busy, and
/// a vertex that is found idle is not among them. Only a run that began with senders behind it (a join, a queued value,
/// a value sent later) has more to look at.
///
/// Invariants:
/// - Every frame's vertex is busy, and this thread's.
/// - Nothing on the stack is held: a frame's vertex is held by the edge that led to it, the edge by the lists of the
///   frame below, which lets go of nothing before it is idle again (see `Vertex`). The first frame's is held by its caller.
/// - No lock is held while an edge is called.
@usableFromInline package final class Propagation: JoinHolder {
    /// All that one value sets off: what travels beside it, and what it came through before.
    struct Run {
        /// Where its frames begin; below is one that ends it.
        var bottom: UnsafeMutablePointer<Frame>
        /// Held.
        var context: Unmanaged<ContextBox>?
        /// Where there are none, `since` becomes a time before the first visit of the run, once one is on record.
        var senders: Senders
        /// What was being called when the run began, and who could send then; of no use to the first run.
        var outer: Call
        var outerSending: UInt64 = 0
    }
    /// Where the edge that is being called stands: its frame ends at `top`, its run is the last below `runs`.
    @usableFromInline struct Call {
        @usableFromInline var top: UnsafeMutablePointer<Frame>
        @usableFromInline var runs: Int
        /// The linking by which it was called.
        @usableFromInline var number: UInt64
    }

    // The stack: its beginning, the place for the next frame, and its end. See `Frame`.
    @exclusivity(unchecked) @usableFromInline var frames: UnsafeMutablePointer<Frame>
    @exclusivity(unchecked) @usableFromInline var top: UnsafeMutablePointer<Frame>
    @exclusivity(unchecked) @usableFromInline var limit: UnsafeMutablePointer<Frame>
    /// Up to where a frame may be put on the stack without further ado. That is `limit`; or `frames`, so that there is no
    /// room, while the last run has senders behind it, or is a pulse's: then each vertex has to be looked at.
    @exclusivity(unchecked) @usableFromInline var room: UnsafeMutablePointer<Frame>
    @exclusivity(unchecked) private(set) var runs: UnsafeMutablePointer<Run>
    @exclusivity(unchecked) private var runCapacity = 8
    @exclusivity(unchecked) private(set) var runCount = 0
    @exclusivity(unchecked) private(set) var depth = 0
    @exclusivity(unchecked) @usableFromInline var call: Call
    /// How many runs this thread has begun, and in the highest bits the thread.
    @exclusivity(unchecked) @usableFromInline var now: UInt64
    @exclusivity(unchecked) var visits = Visits()
    @exclusivity(unchecked) private var spareVisits = Visits()
    @exclusivity(unchecked) var joins = JoinQueue()
    /// Joins that another thread has left to this one.
    let inbox = JoinInbox()
    /// Joins that this propagation has left to others.
    @exclusivity(unchecked) var joinsLeft: [Join] = []
    /// Who may send by a `OneSend` now, or will be next. Each run inside another begins with numbers of its own: the higher half
    /// counts these runs.
    @exclusivity(unchecked) @usableFromInline var sending: UInt64 = 0
    @exclusivity(unchecked) private var innerRuns: UInt64 = 0
    /// How many bodies of dynamic joins are being called, one inside another.
    @exclusivity(unchecked) @usableFromInline var bodies = 0
    /// Tells one run of joins from the next, on any thread.
    @exclusivity(unchecked) @usableFromInline private(set) var wave: UInt64
    /// What this thread set up to this time (`now`) belongs to outermost sets that are over.
    let finished = Atomic<UInt64>(0)
    /// What is left for the end of the outermost set, if anything is.
    @exclusivity(unchecked) var lastWork = LastWork()
    @exclusivity(unchecked) var hasLastWork = false
    /// How many outermost sets of this thread that somebody knew are over, times two; and one more if somebody waits until the
    /// present one is. See `OutermostSet`.
    let setsOver = Atomic<UInt64>(0)
    let waiters = Lock<Queue<OutermostSet.Waiter>>(Queue())
    /// The custom edge whose own code runs, innermost.
    @exclusivity(unchecked) var calling: Unmanaged<AnyEdge>?
    @exclusivity(unchecked) var teardown = Teardown()
    /// Where this thread records, while it does. See `RecordedDelivery`.
    @exclusivity(unchecked) var tape: Tape?
    @exclusivity(unchecked) var closedTape: Tape?
    /// One that is open only until a lock is let go of.
    @exclusivity(unchecked) var tapeUnderLock: Unmanaged<Tape>?
    /// The value that an edge is sending now, which it has held: see `RecordedHold`.
    @exclusivity(unchecked) var wordOfHold: UInt = 0
    /// What `room` is while the last run has no senders behind it: `limit`, or less than any frame while a tape is open.
    @exclusivity(unchecked) var usualRoom: UnsafeMutablePointer<Frame>

    static let clockBits: UInt64 = 48

    init(thread: UInt64) {
        now = thread << Propagation.clockBits
        wave = now + 1
        (frames, top, limit) = Propagation.makeFrames()
        room = limit
        usualRoom = limit
        call = Call(top: top, runs: 0, number: 0)
        runs = .allocate(capacity: runCapacity)
        runs.initialize(to: Run(bottom: top, context: nil, senders: .none, outer: call))
    }
    deinit {
        frames.deallocate()
        runs.deallocate()
        visits.deallocate()
        spareVisits.deallocate()
        joins.deallocate()
    }

    // MARK: Beginning and ending

    /// Brackets all that is set or linked together; joins fire when the outermost ends.
    @usableFromInline func begin() {
        depth &+= 1
        openTapeIfNeeded()
    }
    @usableFromInline func end() {
        if tape != nil { closeTape() }
        endQuickly()
    }
    /// The same where no tape was opened.
    @inline(__always) private func endQuickly() {
        if depth == 1 {
            while !joins.isEmpty || !visits.isEmpty || !inbox.isEmpty { settle() }
            finished.store(now, ordering: .releasing)
            if DynamicJoin.areUsed.load(ordering: .relaxed) { closeWave() }
            if limit - frames > Propagation.firstCapacity << 8 { shrink() }
        } else if visits.isLong {
            visits.share()
        }
        depth &-= 1
        if hasLastWork, depth == 0 { doLastWork() }
    }
    /// Begins to deliver what was stored in `vertex`, whose turn this thread has. Its lock is held, and not when this returns.
    @usableFromInline func beginSet(_ vertex: Vertex, _ context: ContextBox?) -> Sent {
        depth &+= 1
        if context == nil, runCount == 0 {
            beginFirstRun()
        } else {
            beginRun(context: context, senders: .none)
            makeRoom()
        }
        let sent = push(vertex)
        vertex.unlock(Vertex.busy)
        return sent
    }
    /// Delivers what `beginSet` began with.
    @usableFromInline func endSet(_ sent: Sent) {
        serve(runCount, sent)
        endQuickly()
    }

    override func add(_ join: Join) { inbox.add(join) }

    func settle() {
        while let entry = nextJoin() {
            entry.join._withUnsafeGuaranteedRef { $0.fire(in: self, listedAt: entry.height) }
        }
        endWave()
    }
    @inline(__always) func endWave() {
        if !joinsLeft.isEmpty { joinsLeft = [] }
        wave &+= 1
        if !visits.isEmpty { letGoOfTrail() }
    }
    /// Lets go of what values came through. That may set nodes, which go on a trail of their own.
    private func letGoOfTrail() {
        var old = spareVisits
        swap(&old, &visits)
        old.removeAll()
        spareVisits = old
    }

    /// The next join to fire, of those that were reached here, or handed over by another thread.
    @inline(__always) func nextJoin() -> JoinQueue.Entry? {
        if !inbox.isEmpty { inbox.empty(into: &joins) }
        return joins.popFirst()
    }

    /// Whether a join that is no higher than `height` is to fire.
    func hasPending(atMost height: UInt32) -> Bool {
        if !inbox.isEmpty { inbox.empty(into: &joins) }
        return joins.firstHeight.map { $0 <= height } ?? false
    }

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
        run.pointee.senders = senders
        runCount &+= 1
        room = hasCare(run) ? frames : usualRoom
        now &+= 1
        return runCount
    }
    /// The same for the first run, of a value that nothing travels beside.
    @inline(__always) func beginFirstRun() {
        runs.pointee.context = nil
        runs.pointee.senders = .none
        runCount = 1
        room = usualRoom
        now &+= 1
    }
    func beginRun(context: ContextBox?, senders: SenderList) -> Int {
        beginRun(context: context, senders: record(senders))
    }
    /// Notes what goes on when the run on top of those under way has ended.
    @inline(never) private func makePlaceForRun() {
        if runCount == runCapacity { growRuns() }
        pushEnd()
        (runs + runCount).initialize(
            to: Run(bottom: top, context: nil, senders: .none, outer: call, outerSending: sending))
        innerRuns &+= 1
        sending = innerRuns << 32
    }
    @inline(__always) func endRun() {
        runCount &-= 1
        guard runCount == 0 else { return resumeRun() }
        call.runs = 0
        if let context = runs.pointee.context { letGo(of: context) }
    }
    @inline(never) private func resumeRun() {
        let run = runs + runCount
        top -= 1
        call = run.pointee.outer
        sending = run.pointee.outerSending
        room = hasCare(run - 1) ? frames : usualRoom
        if let context = run.pointee.context { letGo(of: context) }
    }
    /// Whether each vertex that the run comes to has to be looked at before its value is stored: for it may have been there
    /// before, or the run is a pulse's.
    @inline(__always) private func hasCare(_ run: UnsafeMutablePointer<Run>) -> Bool {
        run.pointee.senders.visit >= 0
            || run.pointee.context.map { $0._withUnsafeGuaranteedRef { $0.pulse != nil } } ?? false
    }
    /// Lets go of what travelled with a run that has ended.
    @inline(never) private func letGo(of context: Unmanaged<ContextBox>) {
        context._withUnsafeGuaranteedRef { $0.pulse?.fade() }
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
    /// Whether nothing is under way on this thread.
    var isIdle: Bool { depth == 0 }
    /// Whether the last run has left nothing on the stack.
    var isLastRunEmpty: Bool { top == runs[runCount - 1].bottom }
    /// Whether the last run began with senders behind it, or is a pulse's.
    @inlinable var hasSenders: Bool { room == frames }

    // MARK: Delivering

    /// Serves all frames of the run `own`, and of those on top of it, and ends it. What was `sent` last comes first.
    @usableFromInline func drive(_ own: Int, _ sent: Sent = .nothing) {
        if tape == nil { serve(own, sent) } else { serveRecorded(own, sent) }
    }
    /// The same where no tape is open.
    func driveQuickly(_ own: Int, _ sent: Sent) { serve(own, sent) }
    @inline(__always) private func serve(_ own: Int, _ first: Sent) {
        var sent = first
        call.runs = runCount
        while true {
            if let edge = sent.edge {
                sent = call(edge, sent.number)
            } else if lastFrame.pointee.next != Frame.endMark {
                sent = advance()
            } else {
                endRun()
                if runCount < own { return }
                call.runs = runCount
            }
        }
    }
    /// Takes the next edge from the last frame; or, when there is none, that frame from the stack.
    @inline(__always) func advance() -> Sent {
        assert(call.runs == runCount, "what is being called is not of the last run: EasyReact's engine is at fault")
        let frame = lastFrame
        let next = frame.pointee.next
        if next & Frame.marks == Frame.slotMark, next != frame.pointee.limit {
            frame.pointee.next = next &+ UInt(MemoryLayout<EdgeSlot>.stride)
            let slot = UnsafePointer<EdgeSlot>(bitPattern: next & ~Frame.marks).unsafelyUnwrapped.pointee
            return Sent(slot.edge, number: slot.number)
        }
        if next == 0 {
            leave(frame)
            return .nothing
        }
        if next & Frame.marks == 0 {
            frame.pointee.next = 0
            return Sent(
                .fromOpaque(UnsafeRawPointer(bitPattern: next).unsafelyUnwrapped), number: UInt64(frame.pointee.limit))
        }
        return frame.pointee.goOn()
    }
    /// Ends the turn of a vertex that has been served, and of those below that have been as well: in a chain, all of them.
    @inline(__always) private func leave(_ last: UnsafeMutablePointer<Frame>) {
        var frame = last
        repeat {
            top = frame
            let vertex = frame.pointee.vertex
            guard vertex._withUnsafeGuaranteedRef({ $0.leaveIfNothingPending() }) else { return takeTurns(at: vertex) }
            frame -= 1
        } while frame.pointee.next == 0
    }
    /// Hands the last frame's value to one edge, unless that was cut since it was linked as `number`.
    @inline(__always) func call(_ edge: Unmanaged<AnyEdge>, _ number: UInt64) -> Sent {
        let end = top
        let frame = end - 1
        return edge._withUnsafeGuaranteedRef { edge in
            // In this order: a target that is seen here while the edge is still in its linking is that linking's.
            let target = edge.target.load(ordering: .acquiring)
            ScheduleFaults.pause(at: .linkIsRead, of: UInt(bitPattern: frame.pointee.vertex.toOpaque()))
            guard edge.link.load(ordering: .acquiring) == number else { return callUnlessPlain(edge, number, target) }
            ScheduleFaults.pause(at: .linkIsChecked, of: UInt(bitPattern: frame.pointee.vertex.toOpaque()))
            call.top = end
            call.number = number
            return pass(from: frame, to: edge, target)
        }
    }
    @inline(__always)
    private func pass(from frame: UnsafeMutablePointer<Frame>, to edge: AnyEdge, _ target: Unmanaged<Vertex>?) -> Sent {
        let delivery = RawDelivery(
            caller: .propagation(self), edge: .passUnretained(edge), source: frame.pointee.vertex, target: target)
        return frame.pointee.isCleaning ? edge.forwardEmpty(delivery) : edge.forward(delivery)
    }
    /// The same for an edge that was cut, that is catching up, or whose listener has to be asked for.
    @inline(never) private func callUnlessPlain(_ edge: AnyEdge, _ number: UInt64, _ target: Unmanaged<Vertex>?) -> Sent
    {
        let word = edge.link.load(ordering: .acquiring)
        guard LinkWord.isCurrent(word, number) else { return .nothing }
        enterCall(number)
        let frame = lastFrame
        if word & LinkWord.replaying != 0, leaveForReplay(edge, frame) { return .nothing }
        if word & LinkWord.asks != 0, edge.currentDestination == nil { return .nothing }
        return pass(from: frame, to: edge, target)
    }
    /// Delivers what was queued while the vertex was busy, until a turn leaves something on the stack.
    @inline(never) func takeTurns(at vertex: Unmanaged<Vertex>) {
        vertex._withUnsafeGuaranteedRef { vertex in
            while let next = vertex.leaveOrTakeNext() {
                let update = unsafeDowncast(next, to: Update.self)
                _ = beginRun(context: update.context, senders: update.senders)
                noteResumed(at: vertex, by: update.edge, from: update.source)
                if update.take(vertex, self) { break }
                endRun()
            }
            call.runs = runCount
        }
    }

    @inline(never) private func growRuns() {
        let larger = UnsafeMutablePointer<Run>.allocate(capacity: runCapacity * 2)
        larger.moveInitialize(from: runs, count: runCount)
        runs.deallocate()
        runs = larger
        runCapacity *= 2
    }
}

/// A delivery that waits until its vertex is no longer busy.
final class Update: PendingUpdate {
    let context: ContextBox?
    let senders: SenderList
    /// Stores the value and says whether there is something to deliver.
    let take: (Vertex, Propagation) -> Bool
    /// The edge that brings the value, and its source, for the record; none for a set.
    let edge: UInt
    let source: UInt

    init(
        context: ContextBox?, senders: SenderList, edge: UInt = 0, source: UInt = 0,
        take: @escaping (Vertex, Propagation) -> Bool
    ) {
        self.context = context
        self.senders = senders
        self.edge = edge
        self.source = source
        self.take = take
    }
}

/// What travels beside a value, in a box, so that having nothing costs nothing.
@usableFromInline final class ContextBox: Sendable {
    let value: NodeContext?
    /// What a pulse leaves no trace of.
    let pulse: Pulse?

    init(_ value: NodeContext?, _ pulse: Pulse? = nil) {
        self.value = value
        self.pulse = pulse
    }
    @usableFromInline static func box(_ context: NodeContext?) -> ContextBox? { context.map { ContextBox($0) } }
}
