/// A node that is made from several: what `combine` is built on.
///
/// Its edges store their values in slots, and the join fires when nothing else is left to deliver: lowest height first, so
/// after every join upstream of it, and once for all that arrived.
///
/// When it fires, and who fires it, its `state` decides, by pure transitions: see `JoinState`, and the invariants there. A join takes
/// the lock of its vertex, makes a transition, and does what that answers. All mutable fields, and the slots, are guarded by
/// that lock.
///
/// Unchecked, because of the lock.
@usableFromInline package final class Join: AnyJoin, @unchecked Sendable {
    /// Fires: stores the newest values in the vertex as one. Called with the vertex entered and locked; unlocks it.
    @usableFromInline typealias Fire = @Sendable (Join, Propagation) -> Sent

    /// As `state.hasList` and `state.hasContext` say.
    @exclusivity(unchecked) private(set) var beside = BesideArrivals.nothing
    @exclusivity(unchecked) @usableFromInline var state: JoinState
    /// How often an input has gone.
    @exclusivity(unchecked) @usableFromInline private(set) var losses: UInt32 = 0
    @exclusivity(unchecked) private var feedback = FeedbackCount()
    private let make: Fire
    /// True if the node is again as it was before when a pulse that it has passed on is over.
    private let keepsNothing: Bool

    @usableFromInline init(
        at vertex: Vertex, inputs: Int, rank: JoinRank = .byHeight, keepsNothing: Bool = false, fire: @escaping Fire
    ) {
        state = JoinState(inputs: inputs, maker: Propagation.currentUnretained._withUnsafeGuaranteedRef { $0.id })
        self.keepsNothing = keepsNothing
        make = fire
        super.init(at: vertex, rank: rank, inputs: inputs)
        vertex.becomeJoin()
    }

    /// `arrive(at:)` where something travels beside the value, or that may have come through the join, or others hold it.
    fileprivate func arriveClosely(in propagation: Propagation, _ bits: UInt32) {
        // A value that came through the join is kept for the next firing, and sets off none.
        if propagation.cameThrough(vertex, bits) { return vertex.unlock(bits) }
        let arrival = state.arrive(from: propagation.id, withContext: propagation.hasContext)
        if arrival.isListed { propagation.joins.insert(self) }
        switch arrival.place {
        case .none: return vertex.unlock(bits)
        case .arrivals:
            noteArrival(in: propagation)
            vertex.unlock(bits)
        case .arrivalsAndContext:
            noteArrival(in: propagation)
            replaceBeside(by: BesideArrivals(nil, contextOfArrival(in: propagation)), bits)
        case .list(let isFirst):
            forgetArrivals()
            let newest = propagation.senderList
            let list = isFirst || inputs == 1 ? newest : newest.meeting(beside.list ?? SenderList())
            replaceBeside(by: BesideArrivals(list, contextOfArrival(in: propagation)), bits)
        }
    }
    /// The context that the next firing begins with: it knows the pulse under way only if that has brought the value that arrives.
    private func contextOfArrival(in propagation: Propagation) -> ContextBox? {
        guard keepsNothing, let context = propagation.context, let pulse = context.pulse, !propagation.brings(pulse)
        else { return propagation.context }
        return ContextBox(context.value)
    }
    /// The lock is held, and not when it returns: what goes may be the user's.
    private func replaceBeside(by new: BesideArrivals, _ bits: UInt32) {
        let old = beside
        beside = new
        checkInvariants()
        vertex.unlock(bits)
        withExtendedLifetime(old) {}
    }
    /// Notes what the called edge of `propagation` carries among the arrivals. The lock is held.
    fileprivate func noteArrival(in propagation: Propagation) {
        makeRoom(with: &propagation.visits)
        propagation.noteArrival(at: self)
    }
    /// Lists the join where nothing has arrived. The lock is held.
    func request(in propagation: Propagation) {
        let request = state.request(by: propagation.id)
        if request.isNew { propagation.joins.insert(self) }
        if request.needsList { beginList(with: SenderList()) }
    }
    /// Notes that the firing under way came to nothing, and is to be made again. The lock is held.
    func giveUp(in propagation: Propagation) {
        let givenUp = state.giveUp(withContext: propagation.hasContext)
        guard givenUp.isKept else { return }
        keep(propagation.sendersOfLastRun)
        beside = BesideArrivals(nil, propagation.context)
        if givenUp.needsList { moveToList(in: propagation) }
    }
    /// Keeps what arrived where any holder finds it. The lock is held.
    func moveToList(in propagation: Propagation) {
        beginList(with: propagation.senderList(takeArrivals(for: &propagation.visits)))
    }
    /// Has the list tell of what came through `senders`. The lock is held.
    func beginList(with senders: SenderList) { beside = BesideArrivals(senders, beside.context) }
    /// Fires, when `propagation` has nothing else left, unless another holder has yet to.
    /// Where it has risen above the height that the join was listed with, it has more to wait for.
    ///
    /// It stays held while it fires: who asks may hand over what must not overtake it.
    override func fire(in propagation: Propagation, listedAt height: UInt32) {
        if !propagation.joinsLeft.isEmpty, follow(propagation.joinsLeft, propagation) { return }
        if vertex.isNearRing, waitsForUpstream(in: propagation) { return }
        let bits = vertex.lock()
        checkInvariants(firedBy: propagation)
        guard vertex.height <= height else {
            propagation.joins.insert(self)
            return vertex.unlock(bits)
        }
        fire(in: propagation, bits)
    }
    /// Fires, unless another holder has yet to. The lock is held, and not when it returns.
    @inline(__always) func fire(in propagation: Propagation, _ lockedBits: UInt32) {
        var bits = lockedBits
        switch state.beginFiring(isBusy: bits & Vertex.busy != 0) {
        case .isLeft:
            vertex.unlock(bits)
            return leave(propagation)
        case .isNothing: break
        case .fires(let takesMore):
            if feedback.isExceeded(in: propagation) { refuseFiring(in: propagation, bits) }
            vertex.relock(Vertex.busy)
            beginRun(in: propagation, takingMore: takesMore)
            fire(in: propagation)
            bits = vertex.lock()
        }
        switch state.endFiring(by: propagation.id) {
        case .again: propagation.joins.insert(self)
        case .listed: break
        case .left(let needsList): if needsList { moveToList(in: propagation) }
        case .forgotten(let wasKept): return forget(bits, wasKept: wasKept)
        case .over(let wasKept):
            // From here on nothing holds the join but its edges, which may go as soon as the lock is let go of.
            checkInvariants()
            vertex.unlock(bits)
            if wasKept { Unmanaged.passUnretained(self).release() }
            return
        }
        checkInvariants()
        vertex.unlock(bits)
    }
    /// Makes the value in the run that was begun, and delivers it. The vertex is busy, its lock is held, and not when it returns.
    @inline(__always) func fire(in propagation: Propagation) {
        let run = propagation.runCount
        let outer = propagation.observer?.willFire(vertex)
        let sent = make(self, propagation)
        if let outer { propagation.observer?.didFire(vertex, inside: outer) }
        propagation.drive(run, sent)
    }
    @inline(never) private func refuseFiring(in propagation: Propagation, _ bits: UInt32) -> Never {
        vertex.unlock(bits)
        vertex.refuseFiring(in: propagation)
    }
    /// Forgets what a firing was to be told by, which does not take place. The lock is held, and not when it returns.
    @inline(never) private func forget(_ bits: UInt32, wasKept: Bool) {
        forgetArrivals()
        replaceBeside(by: .nothing, bits)
        if wasKept { Unmanaged.passUnretained(self).release() }
    }
    /// Forgets what has arrived. Answers what is to be let go of with no lock held. The lock is held.
    func takeAllThatArrived() -> BesideArrivals {
        defer { beside = .nothing }
        forgetArrivals()
        return beside
    }
    /// Called when an edge of the join's goes, which may be the last that holds it: it has to be there until it is on nobody's
    /// list, and on no trail.
    func keep() {
        vertex.locking {
            if state.keep() { _ = Unmanaged.passRetained(self) }
            keepOnTrail()
        }
    }
    /// Begins the run of a firing. The lock is held.
    @inline(__always) private func beginRun(in propagation: Propagation, takingMore takesMore: Bool) {
        if takesMore { return beginRunTakingMore(in: propagation) }
        propagation.beginRun(holding: nil, senders: takeArrivals(for: &propagation.visits))
    }
    /// The same where there is more than arrivals.
    @inline(never) private func beginRunTakingMore(in propagation: Propagation) {
        let (list, context) = (beside.list, beside.context)
        beside = .nothing
        if list != nil { forgetArrivals() }
        let senders = list.map(propagation.record) ?? takeArrivals(for: &propagation.visits)
        propagation.beginRun(holding: context.map { .passRetained($0) }, senders: senders)
        if keepsNothing, let pulse = context?.pulse {
            propagation.now &+= 1
            pulse.note(vertex, at: propagation.now)
        }
    }
    /// Forgets what may go now that an edge from `source` is linked no more. The lock is held.
    func inputHasGone(from source: UnsafeRawPointer?, emptyingSlot: Bool = false) {
        state.loseInput(emptyingSlot: emptyingSlot)
        losses &+= 1
        forget(from: source)
    }
}

/// What the next firing is to be told beside what is among the arrivals, in one word: most often nothing. A context is what came with the
/// newest arrival, and a list tells of all that arrived.
enum BesideArrivals {
    case nothing
    case context(ContextBox)
    indirect case list(SenderList, ContextBox?)

    init(_ list: SenderList?, _ context: ContextBox?) {
        self = list.map { .list($0, context) } ?? context.map { .context($0) } ?? .nothing
    }
    var list: SenderList? { if case .list(let list, _) = self { list } else { nil } }
    var context: ContextBox? {
        switch self {
        case .nothing: nil
        case .context(let context): context
        case .list(_, let context): context
        }
    }
}

/// Notes the arrival of what the called edge of `propagation` carries. The lock is held, and not when it returns.
///
/// Whatever takes more than a few instructions is called last: so what remains needs no place on the thread's stack. A function of
/// nobody's, as `currentPropagation` is.
@usableFromInline @inline(never) func arrive(at join: Join, _ propagation: Propagation, _ bits: UInt32) -> Sent {
    // Most often nothing travels beside the value, and it has not come through the join.
    guard bits & Vertex.busy == 0, propagation.bringsNothingElse, !join.isFull,
        !propagation.hasTrail || propagation.isPastVisit(of: join.vertex)
    else { return arriveClosely(at: join, propagation, bits) }
    switch join.state.arrivePlainly(from: propagation.id) {
    case .isNoted: break
    case .isListed:
        guard propagation.joins.insertAtOnce(join) else { return arriveOutOfLine(at: join, propagation, bits) }
    case .isMore: return arriveClosely(at: join, propagation, bits)
    }
    guard propagation.noteArrivalAtHand(at: join) else { return noteArrival(at: join, propagation, bits) }
    join.vertex.unlock(bits)
    return .nothing
}
/// The same where the join is to go to a place in the queue that has to be looked for.
@inline(never) private func arriveOutOfLine(at join: Join, _ propagation: Propagation, _ bits: UInt32) -> Sent {
    propagation.joins.insert(join)
    return noteArrival(at: join, propagation, bits)
}
@inline(never) private func noteArrival(at join: Join, _ propagation: Propagation, _ bits: UInt32) -> Sent {
    join.noteArrival(in: propagation)
    join.vertex.unlock(bits)
    return .nothing
}
@inline(never) private func arriveClosely(at join: Join, _ propagation: Propagation, _ bits: UInt32) -> Sent {
    join.arriveClosely(in: propagation, bits)
    return .nothing
}

extension JoinHolder {
    @inline(__always) final var id: HolderID { HolderID(Unmanaged.passUnretained(self).toOpaque()) }
}
extension HolderID {
    /// Precondition: the lock of a join is held that has it among its holders.
    var holder: JoinHolder { Unmanaged.fromOpaque(address).takeUnretainedValue() }
}
