/// The engine's part of a node with several inputs, such as the result of `combine`.
///
/// The edges of the inputs store their values in slots. The join fires when its thread has nothing else left to
/// deliver, once for all values that have arrived. Joins fire in the order of their heights, so each one fires after
/// every join upstream of it.
///
/// Pure transitions of `state` decide when the join fires: see `JoinState`, and the invariants there. The join locks
/// its vertex, makes a transition, and does the work that the transition returns. The lock of the vertex guards all
/// mutable fields and the slots.
///
/// Unchecked, because of the lock.
@usableFromInline package final class Join: JoinBase, @unchecked Sendable {
    /// Stores the newest values in the vertex as one value. Called with the vertex's turn taken and its lock held;
    /// releases the lock.
    @usableFromInline package typealias Fire = @Sendable (Join, Engine) -> NextEdge

    // In this order, the fields leave no gaps.
    /// The context of the newest arrival since the join last fired.
    @exclusivity(unchecked) private var context: ContextBox?
    @exclusivity(unchecked) @usableFromInline var state: JoinState
    /// True if the node gets its earlier value back after a pulse that it has passed on.
    let passesPulses: Bool
    /// The slots that hold pulses' values.
    @exclusivity(unchecked) var slotsOfPulses: [SlotOfPulse]?
    @exclusivity(unchecked) private var feedback = FeedbackCount()
    /// The number of inputs that have been disconnected so far.
    @exclusivity(unchecked) @usableFromInline private(set) var disconnectCount: UInt32 = 0
    /// The core of a `computed` or `effect`, which has made this join.
    @usableFromInline package let body: (any JoinBody)?
    private let make: Fire

    /// True if it is to fire when no value is missing. The lock is held.
    package var isDirty: Bool { state.isDirty }

    @usableFromInline package init(
        at vertex: Vertex, inputs: Int, rank: JoinRank = .byHeight, passesPulses: Bool = false,
        body: (any JoinBody)? = nil, fire: @escaping Fire
    ) {
        state = JoinState(inputs: inputs)
        self.passesPulses = passesPulses
        self.body = body
        make = fire
        super.init(at: vertex, rank: rank, inputs: inputs)
        vertex.becomeJoin(isLate: rank == .late)
    }

    /// The slow path of `arrive`: notes an arrival with a context, or an arrival of a value that may have passed the
    /// join. The lock is held, and is released here.
    fileprivate func arriveChecked(in engine: Engine, _ slot: Unmanaged<AnyTransform>?, _ bits: UInt32) {
        // A value that has passed the join stays in its slot for the next firing, and causes none.
        let isPassed = engine.trailContains(vertex, bits)
        if let slot, slotsOfPulses != nil || engine.hasTrail { noteSlot(of: slot, in: engine) }
        if isPassed { return endPulsesIfClean(bits) }
        guard note(state.arrive(), in: engine) else { return vertex.unlock(bits) }
        replaceContext(by: contextOfArrival(in: engine), bits)
    }
    /// Does what the state has said of an arrival. Returns false if it is a part of the first value. The lock is held.
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
    /// The lock is held, and is released here, because releasing the old context may run user code.
    private func replaceContext(by new: ContextBox?, _ bits: UInt32) {
        let old = context
        context = new
        checkInvariants()
        vertex.unlock(bits)
        withExtendedLifetime(old) {}
    }
    /// Puts the join into the engine's queue although no value has arrived. The lock is held.
    package func request(in engine: Engine) { if state.request() { engine.joins.insert(self) } }
    /// Notes that the firing under way was abandoned, and has to be repeated. The lock is held.
    package func restart(in engine: Engine) {
        guard state.restart() else { return }
        keep(engine.passes[engine.passCount - 1].senders)
        context = engine.context
    }
    /// Fires. Called when `engine` has nothing else to deliver. `height` is the height of the vertex when the join was
    /// put into the queue. If the vertex is higher now, other joins may have to fire first, so the join goes into the
    /// queue again.
    override func fire(in engine: Engine, listedAt height: UInt32) {
        if vertex.mayWaitOrFall, waitsOrFalls(in: engine, listedAt: height) { return }
        let bits = vertex.lock()
        checkInvariants()
        if vertex.height > height {
            engine.joins.insert(self)
            vertex.unlock(bits)
        } else {
            fire(in: engine, bits)
        }
    }
    /// Returns true if the join waits for one upstream. Otherwise lowers its vertex if that may fall.
    @inline(never) private func waitsOrFalls(in engine: Engine, listedAt height: UInt32) -> Bool {
        if vertex.mayWaitForUpstream, waitsForUpstream(in: engine, listedAt: height) { return true }
        if vertex.mayFall { Heights.lower(vertex) }
        return false
    }
    override func endWaiting(in engine: Engine) {
        vertex.locking { if state.endWaiting() { engine.joins.insert(self) } }
    }
    /// Fires the join, if it is to fire. The lock is held, and is released here.
    @inline(__always) func fire(in engine: Engine, _ lockedBits: UInt32) {
        var bits = lockedBits
        assert(bits & Vertex.busy == 0, "a combination is to fire in its own delivery: EasyReact's engine is at fault")
        // Released when the lock is no longer held.
        var ended: [SlotOfPulse]?
        defer { withExtendedLifetime(ended) {} }
        if state.beginFiring() {
            if feedback.isExceeded(in: engine) { refuseFiring(in: engine, bits) }
            vertex.relock(Vertex.busy)
            beginPass(in: engine)
            fire(in: engine)
            bits = vertex.lock()
            if let slots = slotsOfPulses { ended = endPulses(of: slots) }
        }
        switch state.endFiring(mayWait: !engine.joins.isEmpty) {
        case .again: engine.joins.insert(self)
        case .waits: engine.joins.incomplete.append(self)
        case .listed: break
        case .forgotten(let wasKept): return forget(bits, wasKept: wasKept)
        case .over(let wasKept):
            // From here on, only its edges retain the join. They may be released as soon as the lock is.
            checkInvariants()
            vertex.unlock(bits)
            if wasKept { Unmanaged.passUnretained(self).release() }
            return
        }
        checkInvariants()
        vertex.unlock(bits)
    }
    /// Computes the value in the pass that has begun, and delivers it. The vertex is busy. The lock is held, and is
    /// released here.
    @inline(__always) func fire(in engine: Engine) {
        let pass = engine.passCount
        engine.observer?.willFire(vertex)
        let sent = make(self, engine)
        engine.observer?.didFire()
        engine.deliverAll(pass, sent)
    }
    @inline(never) private func refuseFiring(in engine: Engine, _ bits: UInt32) -> Never {
        vertex.unlock(bits)
        vertex.refuseFiring(in: engine)
    }
    /// Drops the arrivals and the context of a firing that does not take place. The lock is held, and is released
    /// here.
    @inline(never) private func forget(_ bits: UInt32, wasKept: Bool) {
        forgetArrivals()
        let ended = slotsOfPulses.map { endPulses(of: $0) }
        replaceContext(by: nil, bits)
        withExtendedLifetime(ended) {}
        if wasKept { Unmanaged.passUnretained(self).release() }
    }
    /// Keeps the join alive until it is in no queue. Called when one of its edges goes, because that
    /// edge may hold the last reference.
    package func keep() {
        vertex.locking {
            if state.keep() { _ = Unmanaged.passRetained(self) }
        }
    }
    /// Begins the pass of a firing, with all that has arrived. The lock is held.
    @inline(__always) private func beginPass(in engine: Engine) {
        if context != nil { return beginPassWithContext(in: engine) }
        engine.beginPass(in: .none, senders: takeArrivals())
    }
    @inline(never) private func beginPassWithContext(in engine: Engine) {
        let context = context.take()
        engine.beginPass(context: context, senders: takeArrivals())
        if passesPulses, let pulse = context?.pulse { note(pulse, in: engine) }
    }
    /// Notes that the firing that begins brings the pulse's value. The lock is held.
    func note(_ pulse: TransientValue, in engine: Engine) {
        engine.epoch &+= 1
        pulse.note(vertex, in: engine.epoch)
    }
    /// Has the result of a firing under way dropped, because an input is no longer connected. The lock is held.
    func dropFiring() { disconnectCount &+= 1 }
    /// Forgets the arrivals, because an edge is no longer connected, and may have brought some of them. The lock is
    /// held.
    func inputHasGone(emptyingSlot: Bool = false) {
        state.loseInput(emptyingSlot: emptyingSlot)
        dropFiring()
        forgetArrivals()
    }
}

extension Join {
    /// Notes the arrival of the value that the edge called by `engine` carries. The lock is held, and is released here.
    ///
    /// `slot` is the edge if the value is in its slot by now.
    @usableFromInline @inline(never)
    package final func arrive(in engine: Engine, slot: Unmanaged<AnyTransform>? = nil, _ bits: UInt32) -> NextEdge {
        // Most often there is no context, and the value has not passed the join.
        let isPlain =
            bits & Vertex.busy == 0 && engine.bringsNothingElse && context == nil && slotsOfPulses == nil
            && (!engine.hasTrail || engine.isLastEpochEarlier(of: vertex))
        if isPlain {
            _ = note(state.arrive(), in: engine)
            vertex.unlock(bits)
        } else {
            arriveChecked(in: engine, slot, bits)
        }
        return .nothing
    }
}

extension Join {
    /// Checks the invariants, in debug builds. The lock is held.
    @inline(__always) func checkInvariants() {
        #if DEBUG
        if let violation = state.violation { assertionFailure("of a combination: \(violation)") }
        assert(state.isDirty || context == nil, "a combination is clean, and keeps a context")
        assert(state.isDirty || !hasArrivals, "a combination is clean, and knows of an arrival")
        #endif
    }
}

/// The code of a join that reads nodes, and what it has read: the core of a `computed` or an `effect`.
@usableFromInline package protocol JoinBody: AnyObject, Sendable {
    /// Forgets an edge whose connection ends. The lock of the join's vertex is held.
    func lose(_ edge: AnyBodyEdge)
    /// Has the result of a call under way dropped. The lock of the join's vertex is held.
    func dropCall()
    /// Ends an effect: the body is called no more. Returns an object that does the rest when it goes. The rest is user
    /// code.
    func end() -> AnyObject
    /// The number of calls so far, with the one under way. Takes the lock of the join's vertex.
    var callCount: UInt64 { get }
}
