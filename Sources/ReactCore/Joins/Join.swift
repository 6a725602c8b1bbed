/// The engine's part of a node with several inputs, such as the result of `combine`.
///
/// The edges of the inputs store their values in slots. The join fires when its thread has nothing else left to
/// deliver, once for all values that have arrived. Joins fire in the order of their heights, so each one fires after
/// every join upstream of it.
///
/// Pure transitions of `state` decide when the join fires, and on which thread: see `JoinState`, and the invariants
/// there. The join locks its vertex, makes a transition, and does the work that the transition returns. The lock of the
/// vertex guards all mutable fields and the slots.
///
/// Unchecked, because of the lock.
@usableFromInline package final class Join: JoinBase, @unchecked Sendable {
    /// Stores the newest values in the vertex as one value. Called with the vertex's turn taken and its lock held;
    /// releases the lock.
    @usableFromInline package typealias Fire = @Sendable (Join, Engine) -> NextEdge

    // In this order, the fields leave no gaps.
    /// The sender list and the context of the arrivals, if `state.hasList` and `state.hasContext` say so.
    @exclusivity(unchecked) private(set) var beside = BesideArrivals.nothing
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
        state = JoinState(inputs: inputs, maker: Engine.currentUnretained._withUnsafeGuaranteedRef { $0.id })
        self.passesPulses = passesPulses
        self.body = body
        make = fire
        super.init(at: vertex, rank: rank, inputs: inputs)
        vertex.becomeJoin(isLate: rank == .late)
    }

    /// The slow path of `arrive`: notes an arrival with a context, an arrival of a value that may have passed the join,
    /// or an arrival while the join has other holders. The lock is held, and is released here.
    fileprivate func arriveChecked(in engine: Engine, _ slot: Unmanaged<AnyTransform>?, _ bits: UInt32) {
        // A value that has passed the join stays in its slot for the next firing, and causes none.
        let isPassed = engine.trailContains(vertex, bits)
        if let slot, slotsOfPulses != nil || engine.hasTrail { noteSlot(of: slot, in: engine) }
        if isPassed { return endPulsesIfClean(bits) }
        let arrival = state.arrive(from: engine.id, withContext: engine.hasContext)
        if arrival.isListed { engine.joins.insert(self) }
        switch arrival.place {
        case .none: return vertex.unlock(bits)
        case .arrivals:
            engine.noteArrival(at: self)
            vertex.unlock(bits)
        case .arrivalsAndContext:
            engine.noteArrival(at: self)
            replaceBeside(by: BesideArrivals(nil, contextOfArrival(in: engine)), bits)
        case .list(let isFirst, let arrivals):
            var list = engine.senderList
            if !isFirst, keepsAllArrivals, let older = beside.list { list = list.meeting(older) }
            switch arrivals {
            case .stay where keepsAllArrivals: break
            case .join where keepsAllArrivals: list = list.meeting(engine.senderList(takeArrivals()))
            case .go, .stay, .join: forgetArrivals()
            }
            replaceBeside(by: BesideArrivals(list, contextOfArrival(in: engine)), bits)
        }
    }
    /// Returns the context for the next firing. It contains the pulse under way only if that pulse has brought the
    /// arriving value.
    private func contextOfArrival(in engine: Engine) -> ContextBox? {
        guard passesPulses, let context = engine.context, let pulse = context.pulse, !engine.brings(pulse)
        else { return engine.context }
        return ContextBox(context.value)
    }
    /// The lock is held, and is released here, because releasing the old context may run user code.
    private func replaceBeside(by new: BesideArrivals, _ bits: UInt32) {
        let old = beside
        beside = new
        checkInvariants()
        vertex.unlock(bits)
        withExtendedLifetime(old) {}
    }
    /// Puts the join into the engine's queue although no value has arrived. The lock is held.
    package func request(in engine: Engine) {
        let request = state.request(by: engine.id)
        if request.isNew { engine.joins.insert(self) }
        if request.needsList { beginList(with: SenderList()) }
    }
    /// Notes that the firing under way was abandoned, and has to be repeated. The lock is held.
    package func restart(in engine: Engine) {
        let givenUp = state.restart(withContext: engine.hasContext)
        guard givenUp.isKept else { return }
        keep(engine.passes[engine.passCount - 1].senders)
        beside = BesideArrivals(nil, engine.context)
        if givenUp.needsList { moveToList(in: engine) }
    }
    /// Moves the arrivals to a sender list, which every holder can read. The lock is held.
    func moveToList(in engine: Engine) {
        let own = engine.senderList(takeArrivals())
        beginList(with: beside.list?.meeting(own) ?? own)
    }
    /// Makes `senders` the sender list. The lock is held.
    func beginList(with senders: SenderList) { beside = BesideArrivals(senders, beside.context) }
    /// Fires, or is set aside for another holder. Called when `engine` has nothing else to deliver. `height` is the
    /// height of the vertex when the join was put into the queue. If the vertex is higher now, other joins may have to
    /// fire first, so the join goes into the queue again.
    ///
    /// The transaction remains a holder while it fires the join. So other threads can hand it joins that must
    /// not overtake this one.
    override func fire(in engine: Engine, listedAt height: UInt32) {
        if vertex.mayWaitOrFall, waitsOrFalls(in: engine, listedAt: height) { return }
        engine.setAside.followConnections()
        let bits = vertex.lock()
        checkInvariants(firedBy: engine)
        // Another thread may have handed joins to this thread that are upstream of this one.
        let mayWait = vertex.height > height || !engine.setAside.isEmpty || !engine.inbox.isEmpty
        if mayWait, isPutOff(in: engine, listedAt: height, bits) { return }
        fire(in: engine, bits)
    }
    /// Returns true if the join waits for one upstream. Otherwise lowers its vertex if that may fall.
    @inline(never) private func waitsOrFalls(in engine: Engine, listedAt height: UInt32) -> Bool {
        if vertex.mayWaitForUpstream, waitsForUpstream(in: engine, listedAt: height) { return true }
        if vertex.mayFall { Heights.lower(vertex, if: { state.isHeldOnly(by: engine.id) }) }
        return false
    }
    /// Puts the join into the queue again if its vertex is higher now, or if the engine has to search downstream of the
    /// joins that it has set aside again. Sets it aside if it is downstream of one of them. Returns whether it did one
    /// of these. The lock is held; if the answer is true, it is released here.
    @inline(never) private func isPutOff(in engine: Engine, listedAt height: UInt32, _ bits: UInt32) -> Bool {
        if vertex.height > height {
            engine.joins.insert(self)
        } else if !engine.inbox.isEmpty {
            engine.joins.putBack(self)
        } else if state.hasSeveralHolders || !engine.setAside.insertIfReached(self) {
            return false
        }
        vertex.unlock(bits)
        return true
    }
    override func endWaiting(in engine: Engine) {
        vertex.locking { if state.endWaiting(by: engine.id) { engine.joins.insert(self) } }
    }
    override func leaveSetAside(in engine: Engine) { engine.leaveSetAside() }
    /// Fires, or is set aside for another holder. The lock is held, and is released here.
    @inline(__always) func fire(in engine: Engine, _ lockedBits: UInt32) {
        var bits = lockedBits
        // Released when the lock is no longer held.
        var ended: [SlotOfPulse]?
        defer { withExtendedLifetime(ended) {} }
        switch state.beginFiring(isBusy: bits & Vertex.busy != 0) {
        case .isLeft: return setAside(in: engine, bits)
        case .isNothing: break
        case .fires(let takesMore):
            if feedback.isExceeded(in: engine) { refuseFiring(in: engine, bits) }
            vertex.relock(Vertex.busy)
            beginPass(in: engine, takingMore: takesMore)
            fire(in: engine)
            bits = vertex.lock()
            if let slots = slotsOfPulses { ended = endPulses(of: slots) }
        }
        switch state.endFiring(by: engine.id, mayWait: !engine.joins.isEmpty) {
        case .again: engine.joins.insert(self)
        case .waits: engine.joins.incomplete.append(self)
        case .listed: break
        case .left(let needsList): if needsList { moveToList(in: engine) }
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
    /// Drops the arrivals, list and context of a firing that does not take place. The lock is held, and is released
    /// here.
    @inline(never) private func forget(_ bits: UInt32, wasKept: Bool) {
        forgetArrivals()
        let ended = slotsOfPulses.map { endPulses(of: $0) }
        replaceBeside(by: .nothing, bits)
        withExtendedLifetime(ended) {}
        if wasKept { Unmanaged.passUnretained(self).release() }
    }
    /// Forgets everything that has arrived. Returns the objects that the caller has to release when no lock is held.
    /// The lock is held.
    func takeAllThatArrived() -> BesideArrivals {
        defer { beside = .nothing }
        forgetArrivals()
        return beside
    }
    /// Keeps the join alive until it is in no queue. Called when one of its edges goes, because that
    /// edge may hold the last reference.
    package func keep() {
        vertex.locking {
            if state.keep() { _ = Unmanaged.passRetained(self) }
        }
    }
    /// Begins the pass of a firing. The lock is held.
    @inline(__always) private func beginPass(in engine: Engine, takingMore takesMore: Bool) {
        if takesMore { return beginPassTakingMore(in: engine) }
        engine.beginPass(in: .none, senders: takeArrivals())
    }
    /// Begins the pass of a firing that has a list or a context. The lock is held.
    @inline(never) private func beginPassTakingMore(in engine: Engine) {
        let (list, context) = (beside.list, beside.context)
        beside = .nothing
        let own = takeArrivals()
        let senders = list.map { engine.record($0, with: own) } ?? own
        engine.beginPass(context: context, senders: senders)
        if passesPulses, let pulse = context?.pulse { note(pulse, in: engine) }
    }
    /// Notes that the firing that begins brings the pulse's value. The lock is held.
    func note(_ pulse: TransientValue, in engine: Engine) {
        engine.epoch &+= 1
        pulse.note(vertex, in: engine.epoch)
    }
    /// Forgets the arrivals, because an edge is no longer connected, and may have brought some of them. The lock is
    /// held.
    package func inputHasGone(emptyingSlot: Bool = false) {
        state.loseInput(emptyingSlot: emptyingSlot)
        disconnectCount &+= 1
        forgetArrivals()
    }
}

/// The sender list and the context for the next firing, in one word, because most firings have neither. The context
/// came with the newest arrival. The list covers everything that has arrived.
enum BesideArrivals {
    case nothing
    case context(ContextBox)
    /// A list that has senders, without a context.
    case senders(SenderPath)
    indirect case list(SenderList, ContextBox?)

    init(_ list: SenderList?, _ context: ContextBox?) {
        if context == nil, let path = list?.path {
            self = .senders(path)
        } else {
            self = list.map { .list($0, context) } ?? context.map { .context($0) } ?? .nothing
        }
    }
    var list: SenderList? {
        switch self {
        case .nothing, .context: nil
        case .senders(let path): SenderList(path: path, since: 0)
        case .list(let list, _): list
        }
    }
    var context: ContextBox? {
        switch self {
        case .nothing, .senders: nil
        case .context(let context): context
        case .list(_, let context): context
        }
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
            bits & Vertex.busy == 0 && engine.bringsNothingElse
            && (!engine.hasTrail || engine.isLastEpochEarlier(of: vertex))
        let arrival = isPlain ? state.arriveFast(from: engine.id) : .isMore
        if arrival == .isMore {
            arriveChecked(in: engine, slot, bits)
        } else {
            if arrival == .isListed { engine.joins.insert(self) }
            engine.noteArrival(at: self)
            vertex.unlock(bits)
        }
        return .nothing
    }
}

extension JoinHolder {
    @inline(__always) final var id: TransactionID { TransactionID(Unmanaged.passUnretained(self).toOpaque()) }
}
extension TransactionID {
    /// Precondition: the caller has the lock of a join that this holder holds.
    var holder: JoinHolder { Unmanaged.fromOpaque(address).takeUnretainedValue() }
}

extension Join {
    /// Checks, in debug builds, the invariants of a join that `engine` is about to fire. The lock is held.
    @inline(__always) func checkInvariants(firedBy engine: Engine) {
        #if DEBUG
        assert(state.isHeld(by: engine.id), "a combination is on the list of one who does not hold it")
        checkInvariants()
        #endif
    }
    /// Checks the invariants of a join that was fired, or left to others. The lock is held.
    @inline(__always) func checkInvariants() {
        #if DEBUG
        if let violation = state.violation { assertionFailure("of a combination: \(violation)") }
        assert(state.hasList == (beside.list != nil), "a combination's list and its state disagree")
        assert(state.hasContext == (beside.context != nil), "a combination's context and its state disagree")
        assert(state.isDirty || !hasArrivals, "a combination is clean, and knows of an arrival")
        #endif
    }
}

/// The code of a join that reads nodes, and what it has read: the core of a `computed` or an `effect`.
@usableFromInline package protocol JoinBody: AnyObject, Sendable {
    /// Forgets an edge whose connection ends. The lock of the join's vertex is held.
    func lose(_ edge: AnyBodyEdge)
    /// Ends an effect: the body is called no more. Returns an object that does the rest when it goes. The rest is user
    /// code.
    func end() -> AnyObject
    /// The number of calls so far, with the one under way. Takes the lock of the join's vertex.
    var callCount: UInt64 { get }
}
