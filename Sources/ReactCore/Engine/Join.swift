import Synchronization

/// The engine's part of a node with several inputs, such as the result of `combine` or `computed`.
///
/// The edges of the inputs tell the join that a value has arrived. The join fires when its thread has nothing else left
/// to deliver, once for all values that have arrived, and reads its sources then. Joins fire in the order of their
/// heights, so each one fires after every join upstream of it.
///
/// Pure transitions of `state` decide when the join fires: see `JoinState`, and the invariants there. The join makes a
/// transition, and does the work that the transition returns.
///
/// Unchecked, because only the owner of the region uses the fields. Other threads read `summary`.
@usableFromInline package final class Join: @unchecked Sendable {
    /// Stores the newest values in the vertex as one value. Called with the vertex's turn taken.
    @usableFromInline package typealias Fire = @Sendable (Join, Engine) -> NextEdge

    // In this order, the fields leave no gaps.
    @usableFromInline package let vertex: Vertex
    /// The join's place in the firing order.
    let rank: JoinRank
    /// The trail of the arrivals since the last value was made: a place in the trail of the region's owner.
    @exclusivity(unchecked) private var arrivals = TrailPosition.none
    /// The number of inputs, or 2 if that is not known.
    let inputs: Int32
    /// The context of the newest arrival since the join last fired.
    @exclusivity(unchecked) var context: ContextBox?
    @exclusivity(unchecked) var state: JoinState {
        didSet { summary.store(state.summary, ordering: .relaxed) }
    }
    /// The part of the state that other threads may read: twice the number of values that it misses, plus 1 if it is to
    /// fire.
    private let summary = Atomic<Int32>(0)
    /// True if the node gets its earlier value back after a pulse that it has passed on.
    let passesPulses: Bool
    /// True if the last value of an input that is emptied stays in use; false if the input counts as missing then.
    @usableFromInline let keepsEmptied: Bool
    /// True if an input that is heard keeps a pulse's value: see `KeptValue`.
    @exclusivity(unchecked) var keepsPulses = false
    @exclusivity(unchecked) private var feedback = FeedbackCount()
    /// The thread that makes the join.
    private let maker = Engine.currentUnretained._withUnsafeGuaranteedRef(\.ownerID)
    /// The number of inputs that the maker has connected so far. Only the maker uses it.
    @exclusivity(unchecked) var connectedInputs: Int32 = 0
    /// The links of inputs in busy graphs, until the maker has connected all inputs. Then they are made together. Only
    /// the maker uses it.
    @exclusivity(unchecked) var lateLinks: [LeftWork.Link] = []
    /// True if an input has a value that was loaded while its graph was busy. Only the maker uses it.
    @exclusivity(unchecked) var hasLoaded = false
    /// The number of inputs that have been disconnected so far.
    @usableFromInline let disconnectCount = Atomic<UInt32>(0)
    /// The core of a `computed` or `effect`, which has made this join.
    @usableFromInline package let body: (any JoinBody)?
    private let make: Fire

    /// True if it is to fire when no value is missing. Any thread.
    package var isDirty: Bool { summary.load(ordering: .relaxed) & 1 != 0 }
    /// The number of values that it misses. Any thread.
    var missing: Int { Int(summary.load(ordering: .relaxed) >> 1) }

    /// Creates a join with the given number of inputs; 0 if that is not known.
    @usableFromInline package init(
        at vertex: Vertex, inputs: Int, rank: JoinRank = .byHeight, passesPulses: Bool = false,
        keepsEmptied: Bool = false, body: (any JoinBody)? = nil, fire: @escaping Fire
    ) {
        (self.vertex, self.rank) = (vertex, rank)
        self.inputs = inputs == 0 ? 2 : Int32(truncatingIfNeeded: inputs)
        state = JoinState(inputs: inputs)
        self.passesPulses = passesPulses
        self.keepsEmptied = keepsEmptied
        self.body = body
        make = fire
        summary.store(state.summary, ordering: .relaxed)
        vertex.becomeJoin(holdsBack: rank == .afterEffects)
    }

    /// True while `engine` is that of the maker, which has not connected all inputs yet.
    func isBeingMade(by engine: Engine) -> Bool { engine.ownerID == maker && connectedInputs < inputs }

    // MARK: Arrivals

    /// Notes that the edge called by `call` has brought a value.
    @usableFromInline @inline(never) func arrive(_ call: ErasedEdgeCall, in engine: Engine) {
        // Most often, a value arrives without a context, at a join that is idle, and cannot have passed it before.
        let isPlain =
            !vertex.isBusy && engine.bringsNothingElse && context == nil && !keepsPulses
            && (!engine.hasTrail || engine.isLastEpochEarlier(of: vertex))
        if isPlain { _ = note(state.arrive(), in: engine) } else { arriveChecked(call, in: engine) }
    }
    /// The slow path of `arrive`: notes an arrival with a context, or an arrival of a value that may have passed the
    /// join.
    @inline(never) private func arriveChecked(_ call: ErasedEdgeCall, in engine: Engine) {
        // A value that has passed the join is there for the next firing, and causes none.
        let isPassed = engine.comesBack(to: vertex)
        if !passesPulses, engine.hasTrail, engine.callBringsPulse {
            let edge = call.edge.takeUnretainedValue(), source = call.source.takeUnretainedValue()
            keepPulse(of: source, at: edge, forNext: true)
        }
        if isPassed { return endPulsesIfClean() }
        if note(state.arrive(), in: engine) { context = contextOfArrival(in: engine) }
    }
    /// Lists the join, if the state has said so of an arrival. Returns false if it is a part of the first value.
    @inline(__always) private func note(_ arrival: JoinState.Arrival, in engine: Engine) -> Bool {
        if arrival == .isOfFirst { return false }
        if arrival == .isListed { engine.joins.insert(self) }
        engine.noteArrival(at: self)
        return true
    }
    /// Returns the context for the next firing. It contains the pulse under way only if that pulse has brought the
    /// arriving value.
    private func contextOfArrival(in engine: Engine) -> ContextBox? {
        guard passesPulses, let context = engine.context, let pulse = context.pulse, !engine.brings(pulse)
        else { return engine.context }
        return ContextBox(context.value)
    }
    /// Puts the join into the engine's queue although no value has arrived.
    package func requireFiring(in engine: Engine) { if state.requireFiring() { engine.joins.insert(self) } }
    /// Notes that the firing under way was abandoned, and has to be repeated.
    ///
    /// The repeated firing carries the present arrivals, unless something has arrived meanwhile.
    package func restart(in engine: Engine, keepingArrivals: Bool = true) {
        if keepsPulses { moveKeptPulses(toNext: true) }
        guard keepingArrivals else { return requireFiring(in: engine) }
        guard state.restart() else { return }
        setArrivals(engine.passes[engine.passCount - 1].senders)
        context = engine.context
    }
    /// Fires, unless other joins have to fire first: then the join goes into the queue again. They may have to if the
    /// vertex is higher than `height`, its height when the join was put into the queue. Called when `engine` has
    /// nothing else to deliver.
    func fire(in engine: Engine, listedAt height: UInt32) {
        if vertex.mayWaitFallOrTell, waitsFallsOrTells(in: engine, listedAt: height) { return }
        checkInvariants()
        if vertex.height > height { engine.joins.insert(self) } else { fireIfDue(in: engine) }
    }
    /// Does what few joins need before they fire. Returns true if the join has to wait for one upstream. Otherwise
    /// lowers its vertex, if that may fall. If the join is last, tells the askers downstream, because it is to fire no
    /// longer.
    @inline(never) private func waitsFallsOrTells(in engine: Engine, listedAt height: UInt32) -> Bool {
        if vertex.mayWaitForUpstream, waitsForUpstream(in: engine, listedAt: height) { return true }
        if vertex.mayFall { Heights.lower(vertex) }
        if rank == .last { Askers.tell(from: vertex) }
        return false
    }
    /// Lists the join for the last time in the firing phase, if it still waits for a value that it misses.
    func endWaiting(in engine: Engine) {
        if state.endWaiting() { engine.joins.insert(self) }
    }
    /// Fires the join, which is in no queue, with all that its inputs hold.
    package func fireAtOnce(in engine: Engine) {
        _ = state.requireFiring()
        fireIfDue(in: engine)
    }
    /// Fires the join, if it is to fire.
    @inline(__always) private func fireIfDue(in engine: Engine) {
        assert(!vertex.isBusy, "a combination is to fire in its own delivery: EasyReact's engine is at fault")
        if state.beginFiring() {
            if feedback.isExceeded(in: engine) { vertex.refuseFiring(in: engine) }
            if keepsPulses { moveKeptPulses(toNext: false) }
            vertex.turn = Vertex.taken
            beginPass(in: engine)
            let pass = engine.passCount
            engine.observer?.willFire(vertex)
            let sent = make(self, engine)
            engine.observer?.didFire()
            engine.deliverAll(pass, sent)
            if keepsPulses { endPulses(keepingNext: true) }
        }
        switch state.endFiring(mayWait: !engine.joins.isEmpty) {
        case .again: engine.joins.insert(self)
        case .waits: engine.joins.incomplete.append(self)
        case .listed: break
        case .forgotten(let hadRetainedItself):
            forgetArrivals()
            // Released at the end, because that may run user code.
            let old = context.take()
            if keepsPulses { endPulses() }
            withExtendedLifetime(old) {}
            if hadRetainedItself { Unmanaged.passUnretained(self).release() }
        case .over(let hadRetainedItself):
            checkInvariants()
            if hadRetainedItself { Unmanaged.passUnretained(self).release() }
        }
    }
    /// Retains the join until it is in no queue. Called when one of its edges is no longer connected, because that
    /// edge may come to hold the last reference.
    package func retainItself() {
        if state.retainItself() { _ = Unmanaged.passRetained(self) }
    }
    /// Begins the pass of a firing, with all that has arrived.
    @inline(__always) private func beginPass(in engine: Engine) {
        if context != nil { return beginPassWithContext(in: engine) }
        engine.beginPass(in: .none, senders: takeArrivals())
    }
    @inline(never) private func beginPassWithContext(in engine: Engine) {
        let context = context.take()
        engine.beginPass(context: context, senders: takeArrivals())
        guard passesPulses, let pulse = context?.pulse else { return }
        // The firing that begins brings the pulse's value.
        engine.epoch &+= 1
        pulse.note(vertex, in: engine.epoch)
    }
    /// Has the result of a firing under way dropped, because an input is no longer connected. Any thread.
    func dropFiring() { disconnectCount.wrappingAdd(1, ordering: .relaxed) }
    /// Forgets the arrivals, because an edge is no longer connected, and may have brought some of them.
    func inputHasGone(emptying isFull: Bool = false) {
        retainItself()
        state.loseInput(emptying: isFull)
        dropFiring()
        forgetArrivals()
    }
}

extension Join {
    /// False if the join passes on its last arrival alone, as `withLatest` and `settled` do.
    @inline(__always) var keepsAllArrivals: Bool { rank != .afterEffects && rank != .last }
    /// The arrivals that a value is made of together with the next one.
    @inline(__always) var earlierArrivals: TrailPosition { keepsAllArrivals ? arrivals : .none }
    /// Notes that all arrivals are now those behind `senders`.
    @inline(__always) func setArrivals(_ senders: TrailPosition) { arrivals = senders }
    @inline(__always) private func forgetArrivals() { arrivals = .none }
    /// Takes out all arrivals.
    @inline(__always) private func takeArrivals() -> TrailPosition {
        defer { forgetArrivals() }
        return arrivals
    }
    /// Checks the invariants, in debug builds.
    @inline(__always) func checkInvariants() {
        #if DEBUG
        if let violation = state.violation { assertionFailure("of a combination: \(violation)") }
        assert(state.isDirty || context == nil, "a combination is clean, and keeps a context")
        assert(
            state.isDirty || arrivals.since == TrailPosition.none.since,
            "a combination is clean, and knows of an arrival")
        #endif
    }
}

/// The code of a join that reads nodes, with the edges from these nodes: the core of a `computed` or an `effect`.
@usableFromInline package protocol JoinBody: AnyObject, Sendable {
    /// Notes that a value has arrived by an edge from a node that the body has read.
    func hasArrived(by edge: AnyEdge)
    /// Forgets an edge whose connection ends.
    func lose(_ edge: AnyEdge)
    /// Has the result of a call under way dropped if that has read an edge whose connection has ended, or if
    /// `evenIfUnread`. Any thread.
    func dropCall(evenIfUnread: Bool)
    /// Ends an effect: the body is called no more. Returns an object that does the rest when it goes. The rest is user
    /// code.
    func end() -> AnyObject
    /// The number of calls so far, with the one under way. Any thread.
    var callCount: UInt64 { get }
}
