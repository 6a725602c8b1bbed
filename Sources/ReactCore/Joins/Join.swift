import Synchronization

/// The engine's part of a node with several inputs, such as the result of `combine`.
///
/// The edges of the inputs store their values in slots. The join fires when its thread has nothing else left to
/// deliver, once for all values that have arrived. Joins fire in the order of their heights, so each one fires after
/// every join upstream of it.
///
/// Pure transitions of `state` decide when the join fires: see `JoinState`, and the invariants there. The join makes a
/// transition, and does the work that the transition returns.
///
/// Unchecked, because only the owner of the region uses the fields and the slots. Other threads read `summary`.
@usableFromInline package final class Join: JoinBase, @unchecked Sendable {
    /// Stores the newest values in the vertex as one value. Called with the vertex's turn taken.
    @usableFromInline package typealias Fire = @Sendable (Join, Engine) -> NextEdge

    // In this order, the fields leave no gaps.
    /// The context of the newest arrival since the join last fired.
    @exclusivity(unchecked) private var context: ContextBox?
    @exclusivity(unchecked) @usableFromInline var state: JoinState {
        didSet { summary.store(state.summary, ordering: .relaxed) }
    }
    /// The part of the state that other threads may read: twice the number of values that it misses, plus 1 if it is to
    /// fire.
    @usableFromInline final let summary = Atomic<Int32>(0)
    /// True if the node gets its earlier value back after a pulse that it has passed on.
    let passesPulses: Bool
    /// True if the last value of an input that is emptied stays in use; false if the input counts as missing then.
    let keepsEmptied: Bool
    /// The slots that hold pulses' values.
    @exclusivity(unchecked) var slotsOfPulses: [SlotOfPulse]?
    @exclusivity(unchecked) private var feedback = FeedbackCount()
    /// The number of inputs that the maker has connected so far. Only the maker uses it.
    @exclusivity(unchecked) var linked: Int32 = 0
    /// True if an input has a value that was loaded while its graph was busy. Only the maker uses it.
    @exclusivity(unchecked) @usableFromInline var hasLoaded = false
    /// The number of inputs that have been disconnected so far.
    @usableFromInline final let disconnectCount = Atomic<UInt32>(0)
    /// The core of a `computed` or `effect`, which has made this join.
    @usableFromInline package let body: (any JoinBody)?
    private let make: Fire

    /// True if it is to fire when no value is missing. Any thread.
    package var isDirty: Bool { summary.load(ordering: .relaxed) & 1 != 0 }
    /// The number of values that it misses. Any thread.
    var missing: Int { Int(summary.load(ordering: .relaxed) >> 1) }

    @usableFromInline package init(
        at vertex: Vertex, inputs: Int, rank: JoinRank = .byHeight, passesPulses: Bool = false,
        keepsEmptied: Bool = false, body: (any JoinBody)? = nil, fire: @escaping Fire
    ) {
        state = JoinState(inputs: inputs)
        self.passesPulses = passesPulses
        self.keepsEmptied = keepsEmptied
        self.body = body
        make = fire
        super.init(at: vertex, rank: rank, inputs: inputs)
        summary.store(state.summary, ordering: .relaxed)
        vertex.becomeJoin(isLate: rank == .late)
    }

    /// The slow path of `arrive`: notes an arrival with a context, or an arrival of a value that may have passed the
    /// join.
    fileprivate func arriveChecked(in engine: Engine, _ slot: Unmanaged<AnyTransform>?) {
        // A value that has passed the join stays in its slot for the next firing, and causes none.
        let isPassed = engine.comesBack(to: vertex)
        if let slot, slotsOfPulses != nil || engine.hasTrail { noteSlot(of: slot, in: engine) }
        if isPassed { return endPulsesIfClean() }
        if note(state.arrive(), in: engine) { context = contextOfArrival(in: engine) }
    }
    /// Lists the join, if the state has said so of an arrival. Returns false if it is a part of the first value.
    @inline(__always) fileprivate func note(_ arrival: JoinState.Arrival, in engine: Engine) -> Bool {
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
    package func request(in engine: Engine) { if state.request() { engine.joins.insert(self) } }
    /// Notes that the firing under way was abandoned, and has to be repeated.
    package func restart(in engine: Engine) {
        guard state.restart() else { return }
        keep(engine.passes[engine.passCount - 1].senders)
        context = engine.context
    }
    /// Fires. Called when `engine` has nothing else to deliver. `height` is the height of the vertex when the join was
    /// put into the queue. If the vertex is higher now, other joins may have to fire first, so the join goes into the
    /// queue again.
    override func fire(in engine: Engine, listedAt height: UInt32) {
        if vertex.mayWaitFallOrTell, waitsFallsOrTells(in: engine, listedAt: height) { return }
        checkInvariants()
        if vertex.height > height { engine.joins.insert(self) } else { fireIfDue(in: engine) }
    }
    /// Returns true if the join waits for one upstream. Otherwise lowers its vertex if that may fall, and has those who
    /// ask about a join that is last ask anew, when it has fired or is found with nothing to fire.
    @inline(never) private func waitsFallsOrTells(in engine: Engine, listedAt height: UInt32) -> Bool {
        if vertex.mayWaitForUpstream, waitsForUpstream(in: engine, listedAt: height) { return true }
        if vertex.mayFall { Heights.lower(vertex) }
        if rank == .last { Askers.tell(from: vertex) }
        return false
    }
    override func endWaiting(in engine: Engine) {
        if state.endWaiting() { engine.joins.insert(self) }
    }
    /// Fires the join, if it is to fire.
    @inline(__always) func fireIfDue(in engine: Engine) {
        assert(!vertex.isBusy, "a combination is to fire in its own delivery: EasyReact's engine is at fault")
        if state.beginFiring() {
            if feedback.isExceeded(in: engine) { vertex.refuseFiring(in: engine) }
            vertex.turn = Vertex.taken
            beginPass(in: engine)
            fire(in: engine)
            if let slots = slotsOfPulses { endPulses(of: slots) }
        }
        switch state.endFiring(mayWait: !engine.joins.isEmpty) {
        case .again: engine.joins.insert(self)
        case .waits: engine.joins.incomplete.append(self)
        case .listed: break
        case .forgotten(let wasKept):
            forgetArrivals()
            // Released at the end, because that may run user code.
            let old = (context: context.take(), slots: slotsOfPulses)
            if let slots = old.slots { endPulses(of: slots) }
            withExtendedLifetime(old) {}
            if wasKept { Unmanaged.passUnretained(self).release() }
        case .over(let wasKept):
            checkInvariants()
            if wasKept { Unmanaged.passUnretained(self).release() }
        }
    }
    /// Computes the value in the pass that has begun, and delivers it. The turn is taken.
    @inline(__always) func fire(in engine: Engine) {
        let pass = engine.passCount
        engine.observer?.willFire(vertex)
        let sent = make(self, engine)
        engine.observer?.didFire()
        engine.deliverAll(pass, sent)
    }
    /// Keeps the join alive until it is in no queue. Called when one of its edges is no longer connected, because that
    /// edge may come to hold the last reference.
    package func keep() {
        if state.keep() { _ = Unmanaged.passRetained(self) }
    }
    /// Begins the pass of a firing, with all that has arrived.
    @inline(__always) private func beginPass(in engine: Engine) {
        if context != nil { return beginPassWithContext(in: engine) }
        engine.beginPass(in: .none, senders: takeArrivals())
    }
    @inline(never) private func beginPassWithContext(in engine: Engine) {
        let context = context.take()
        engine.beginPass(context: context, senders: takeArrivals())
        if passesPulses, let pulse = context?.pulse { note(pulse, in: engine) }
    }
    /// Notes that the firing that begins brings the pulse's value.
    func note(_ pulse: TransientValue, in engine: Engine) {
        engine.epoch &+= 1
        pulse.note(vertex, in: engine.epoch)
    }
    /// Has the result of a firing under way dropped, because an input is no longer connected. Any thread.
    func dropFiring() { disconnectCount.wrappingAdd(1, ordering: .relaxed) }
    /// Forgets the arrivals, because an edge is no longer connected, and may have brought some of them.
    func inputHasGone(emptyingSlot: Bool = false) {
        keep()
        state.loseInput(emptyingSlot: emptyingSlot)
        dropFiring()
        forgetArrivals()
    }
}

extension Join {
    /// Notes the arrival of the value that the edge called by `engine` carries.
    ///
    /// `slot` is the edge if the value is in its slot by now.
    @usableFromInline @inline(never)
    package final func arrive(in engine: Engine, slot: Unmanaged<AnyTransform>? = nil) -> NextEdge {
        // Most often there is no context, and the value has not passed the join.
        let isPlain =
            !vertex.isBusy && engine.bringsNothingElse && context == nil && slotsOfPulses == nil
            && (!engine.hasTrail || engine.isLastEpochEarlier(of: vertex))
        if isPlain { _ = note(state.arrive(), in: engine) } else { arriveChecked(in: engine, slot) }
        return .nothing
    }
}

extension Join {
    /// Checks the invariants, in debug builds.
    @inline(__always) func checkInvariants() {
        #if DEBUG
        if let violation = state.violation { assertionFailure("of a combination: \(violation)") }
        assert(state.isDirty || context == nil, "a combination is clean, and keeps a context")
        assert(state.isDirty || !hasArrivals, "a combination is clean, and knows of an arrival")
        #endif
    }
}

/// The code of a join that reads nodes, with the edges from these nodes: the core of a `computed` or an `effect`.
@usableFromInline package protocol JoinBody: AnyObject, Sendable {
    /// Forgets an edge whose connection ends.
    func lose(_ edge: AnyBodyEdge)
    /// Has the result of a call under way dropped. Any thread.
    func dropCall()
    /// Ends an effect: the body is called no more. Returns an object that does the rest when it goes. The rest is user
    /// code.
    func end() -> AnyObject
    /// The number of calls so far, with the one under way. Any thread.
    var callCount: UInt64 { get }
}
