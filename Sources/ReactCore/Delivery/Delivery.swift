/// A value on its way through one edge, with the types of the edge's two ends.
@usableFromInline package struct Delivery<Input: Sendable, Output: Sendable> {
    @usableFromInline let raw: RawDelivery

    @inlinable package init(_ raw: RawDelivery) { self.raw = raw }

    /// The source's value.
    @inlinable package var value: Input {
        raw.source._withUnsafeGuaranteedRef { unsafeDowncast($0, to: Store<Input>.self).wrappedValue() }
    }
    /// The linking by which the value came.
    @inlinable package var linking: Linking {
        Linking(number: raw.propagation._withUnsafeGuaranteedRef { $0.call.number })
    }
    /// Whether the edge is still linked as it was when the delivery began.
    @inlinable package var isCurrent: Bool {
        let number = raw.propagation._withUnsafeGuaranteedRef { $0.call.number }
        return raw.edge._withUnsafeGuaranteedRef { $0.isLinked(by: number) }
    }

    /// Changes the target when its turn comes, as `make` says then: stores a value, empties it, or, for `nil`, neither.
    ///
    /// For operators whose order must be decided where values become one sequence, such as `zip` and `flatten`. `make` is
    /// called with no lock held. The turn does not come where the edge was cut, nor for a value that came through the
    /// target.
    @inlinable package func change(_ make: @escaping () -> Output??) -> Sent {
        switch takeTurnIfIdle() {
        case .mine: return end(turnWith: make())
        case .refused: break
        case .someone: _ = changeContended(make)
        }
        return .nothing
    }
    /// The first half of `change`, where its turn has come already.
    @inlinable @inline(__always) package func takeTurnIfIdle() -> TargetTurn {
        raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { target in
            guard target.enterIfIdle() else { return .someone }
            return raw.propagation._withUnsafeGuaranteedRef { propagation in
                guard isCurrent,
                    propagation.top < propagation.room || OutOfLine.admitsTurn(at: target, by: raw.edge, propagation)
                else {
                    propagation.abandon(target)
                    return .refused
                }
                target.unlock(propagation.taker | Vertex.busy)
                return .mine
            }
        }
    }
    /// The second half: gives the target what `change` made, where `isWanted`, asked under the target's lock.
    @inlinable package func end(turnWith change: Output??, where isWanted: () -> Bool = { true }) -> Sent {
        raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { target in
            let store = unsafeDowncast(target, to: Store<Output>.self)
            return raw.propagation._withUnsafeGuaranteedRef { propagation in
                guard case .some(.some(let value)) = change else {
                    propagation.finish(store, cleaningBy: change == nil ? nil : choice)
                    return .nothing
                }
                let bits = store.lock()
                // What made it may have been the user's code, or slow.
                guard isCurrent, isWanted() else {
                    store.unlock(bits)
                    propagation.finish(store)
                    return .nothing
                }
                propagation.makeRoom()
                return propagation.put(value, in: store, unlocking: Vertex.delivering(bits))
            }
        }
    }
    /// The same as `change` where the turn is someone's. Answers whether the turn comes.
    ///
    /// `afterwards` is called in that turn, when what `make` has made is stored, if it is, and has not been delivered yet.
    @usableFromInline @inline(never) package func changeContended(
        through node: AnyNode? = nil, afterwards: (() -> Void)? = nil, _ make: @escaping () -> Output??
    ) -> Bool {
        let store = unsafeDowncast(raw.target!.takeUnretainedValue(), to: Store<Output>.self)
        return raw.propagation._withUnsafeGuaranteedRef { propagation in
            if propagation.isComing(from: store) {
                propagation.noteCameRound()
                return false
            }
            return propagation.sendTurn(to: store, raw.edge, through: node) { store, propagation, edge in
                defer { afterwards?() }
                guard let change = make() else { return false }
                return propagation.store(change, in: store, by: edge)
            }
        }
    }
    @usableFromInline package var choice: EdgeChoice { EdgeChoice(edge: raw.edge, number: linking.number) }
    /// The outermost set that the delivery is a part of.
    @inlinable package var set: OutermostSet { OutermostSet(of: raw.propagation) }
    /// What travels beside the value.
    @usableFromInline package var context: NodeContext? {
        raw.propagation._withUnsafeGuaranteedRef { $0.context?.value }
    }
    /// What the value came through, the source included.
    @usableFromInline package var senders: SenderList {
        raw.propagation._withUnsafeGuaranteedRef { $0.senderList }
    }
    /// What the target holds.
    package var targetValue: Output? {
        raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { unsafeDowncast($0, to: Store<Output>.self).read() }
    }
    /// Whether the target is delivering what this value was made of, so that the value stops there.
    @inlinable package var comesBack: Bool {
        raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { target in
            raw.propagation._withUnsafeGuaranteedRef { $0.framesContain(target) }
        }
    }
}

/// Whose turn it is at the node that a value is on its way to.
@usableFromInline package enum TargetTurn {
    case mine, someone
    /// Nobody's for this value: the edge was cut, or the value came through the node.
    case refused
}

extension Propagation {
    /// Notes that what is made of the called edge's value is to come through `vertex` as well: a visit on record, or -1 where it did.
    @usableFromInline func visit(_ vertex: Vertex) -> Int32 {
        if vertex.word.load(ordering: .relaxed) & Vertex.busy != 0 || hasSenders, cameThrough(vertex) {
            return -1
        }
        return visits.append(.passUnretained(vertex), after: senders.visit)
    }
    /// Begins a run with what travels beside the called edge's value, which has come by `visit` as well.
    /// The run is served, and ended, where the call returns to.
    @usableFromInline func beginRunOfCall(by visit: Int32) {
        guard visit >= 0 else { return }
        if tape != nil, let vertex = visits.vertex(at: visit) { noteSwitched(to: vertex) }
        let context = runs[call.runs &- 1].context
        // When the value came through that vertex, its mark does not tell: it is looked for on the trail.
        call.runs = beginRun(holding: context?.retain(), senders: Senders(visit: visit, since: 0))
    }
    /// Ends a turn that was taken for nothing. The vertex's lock is held.
    @usableFromInline func abandon(_ vertex: Vertex) {
        vertex.unlock(0)
    }
    /// The same where the vertex may not be given what has come for it, for those that answer what was sent.
    @inlinable @inline(__always) func refuse(_ vertex: Vertex) -> Sent {
        abandon(vertex)
        return .nothing
    }
    /// `Delivery.send` to a vertex that is locked or busy.
    @usableFromInline @inline(never) func sendContended<Output>(
        _ value: Output, to store: Store<Output>, _ edge: Unmanaged<AnyEdge>
    ) {
        sendTurn(to: store, edge) { $1.store(value, in: $0, by: $2) }
    }
    /// Ends the turn of a vertex that is given no value, or is emptied by an edge, unless that has been cut meanwhile.
    @usableFromInline @inline(never) func finish<Output>(_ store: Store<Output>, cleaningBy edge: EdgeChoice? = nil) {
        if let edge, self.store(nil, in: store, by: edge, isStaged: true) { return }
        cancelStaged(givenAnother: false)
        takeTurns(at: .passUnretained(store))
    }
    /// Has `take` change `store` when its turn comes: at once if it is idle. Answers whether the turn comes.
    @discardableResult func sendTurn<Output>(
        to store: Store<Output>, _ edge: Unmanaged<AnyEdge>, through node: AnyNode? = nil,
        _ take: @escaping (Store<Output>, Propagation, EdgeChoice) -> Bool
    ) -> Bool {
        let bits = store.lock()
        let comesBack = cameThrough(store, bits)
        store.unlock(bits)
        if comesBack {
            noteCameRound()
            return false
        }
        let pulse = context?.pulse
        let passedOn = pulse.flatMap { passesOn($0, edge) ? $0 : nil }
        let number = call.number
        let take = { (store: Store<Output>, propagation: Propagation) in
            if pulse != nil { propagation.beginVisit(of: store, passedOn) }
            return take(store, propagation, EdgeChoice(edge: edge, number: number))
        }
        // Asked again when the turn comes, so that nothing is made of what a cut edge has brought. (That nothing is stored
        // of it is asked in `store`, under the lock.)
        let carrier = edge.takeUnretainedValue()
        var senders = senderList
        if let node, !senders.contains(node) {
            senders = senders.appending(node)
            noteSwitched(to: node.vertex)
        }
        let update = Update(
            context: context, senders: senders, after: turn, edge: edge.address, source: tape?.source ?? 0
        ) { _, propagation in
            carrier.isLinked(by: number) && take(store, propagation)
        }
        var comes = false
        let entered = store.enter(orQueue: update, of: timesOfOwnSet, on: taker) { _ in
            comes = edge._withUnsafeGuaranteedRef { $0.isLinked(by: number) }
            return comes
        } noting: {
            noteQueued(at: store, by: edge.address)
        }
        if entered.wantsHeir { waitWhenOver(for: store) }
        guard entered.isMine else { return comes }
        store.unlock(taker | Vertex.busy)
        noteTurn(of: store, by: edge.address)
        if !take(store, self) { takeTurns(at: .passUnretained(store)) }
        return true
    }
    /// Stores a value in a vertex whose turn this thread has, or with `nil` empties it, and puts that on the stack; but not by an edge that
    /// has been cut. A turn that was taken by `Delivery.takeTurnIfIdle` may be staged as a record.
    func store<Value>(
        _ value: Value?, in store: Store<Value>, by edge: EdgeChoice? = nil, isStaged: Bool = false
    ) -> Bool {
        let bits = store.lock()
        if let edge, !edge.isCurrent {
            store.unlock(bits)
            return false
        }
        if top >= usualRoom { prepareChange(of: store, isCleaning: value == nil, by: edge, isStaged: isStaged) }
        if let value {
            leaveOnStack(put(value, in: store, unlocking: Vertex.delivering(bits)))
            return true
        }
        let old = store.value.take()
        leaveOnStack(push(store, isCleaning: true))
        store.unlock(Vertex.delivering(bits))
        withExtendedLifetime(old) {}
        return true
    }
}

extension Propagation {
    @inline(__always) fileprivate func admits(_ vertex: Vertex, by edge: Unmanaged<AnyEdge>) -> Bool {
        makeRoom()
        guard hasSenders else { return true }
        if cameThroughIdle(vertex) { return false }
        if let pulse = context?.pulse { beginVisit(of: vertex, passesOn(pulse, edge) ? pulse : nil) }
        return true
    }
    /// Has the visit that is about to come be told from all others; and the pulse know it, if one is passed on.
    @inline(never) private func beginVisit(of vertex: Vertex, _ passedOn: Pulse?) {
        now &+= 1
        passedOn?.note(vertex, at: now)
    }
    /// The same, noting where the value came round.
    @inline(__always) fileprivate func admitsOrNotes(_ vertex: Vertex, by edge: Unmanaged<AnyEdge>) -> Bool {
        let isAdmitted = admits(vertex, by: edge)
        if !isAdmitted { noteCameRound() }
        return isAdmitted
    }
    /// Whether the called edge passes on the pulse under way, and keeps nothing of it.
    private func passesOn(_ pulse: Pulse, _ edge: Unmanaged<AnyEdge>) -> Bool {
        edge._withUnsafeGuaranteedRef { $0.keepsNothing } && brings(pulse)
    }
    /// Whether what the called edge brings is the value of the pulse under way.
    func brings(_ pulse: Pulse) -> Bool {
        guard call.top > runs[call.runs - 1].bottom else { return context?.isOfReplay ?? false }
        return (call.top - 1).pointee.vertex._withUnsafeGuaranteedRef { pulse.isHeld(by: $0) }
    }
}

extension OutOfLine {
    /// Whether a value may be stored in `vertex`, which was idle: not if it came through it. Makes room for a frame.
    @usableFromInline @inline(never)
    static func admits(_ vertex: Vertex, by edge: Unmanaged<AnyEdge>, _ propagation: Propagation) -> Bool {
        guard propagation.top < propagation.usualRoom else { return admitsRecorded(vertex, by: edge, propagation) }
        return propagation.admitsAtOnce(vertex) || admitsClosely(vertex, by: edge, propagation)
    }
    @inline(never)
    private static func admitsClosely(
        _ vertex: Vertex, by edge: Unmanaged<AnyEdge>, _ propagation: Propagation
    ) -> Bool {
        propagation.admits(vertex, by: edge)
    }
    /// Where the value has come through nothing before its run began, as most often, all that is to be done is to record.
    @inline(never)
    private static func admitsRecorded(
        _ vertex: Vertex, by edge: Unmanaged<AnyEdge>, _ propagation: Propagation
    ) -> Bool {
        guard propagation.top != propagation.limit, !propagation.hasSenders else {
            return admitsRecordedClosely(vertex, by: edge, propagation)
        }
        propagation.noteStored(in: vertex)
        return true
    }
    /// The same where it has, or where the stack is full.
    @inline(never)
    private static func admitsRecordedClosely(
        _ vertex: Vertex, by edge: Unmanaged<AnyEdge>, _ propagation: Propagation
    ) -> Bool {
        guard propagation.admitsOrNotes(vertex, by: edge) else { return false }
        propagation.noteStored(in: vertex)
        return true
    }
    /// `admits`, where what is to be stored, if anything is, is known later.
    @usableFromInline @inline(never)
    static func admitsTurn(at vertex: Vertex, by edge: Unmanaged<AnyEdge>, _ propagation: Propagation) -> Bool {
        guard propagation.top < propagation.usualRoom else { return admitsTurnRecorded(vertex, by: edge, propagation) }
        // Not by `admitsClosely`: the compiler would make one function of this and `admits`, which takes two instructions more.
        return propagation.admitsAtOnce(vertex) || propagation.admits(vertex, by: edge)
    }
    @inline(never)
    private static func admitsTurnRecorded(
        _ vertex: Vertex, by edge: Unmanaged<AnyEdge>, _ propagation: Propagation
    ) -> Bool {
        guard propagation.admitsOrNotes(vertex, by: edge) else { return false }
        propagation.stageStored(in: vertex)
        return true
    }
    /// Sends a value to a vertex that is locked or busy.
    @inlinable @inline(never) static func send<Output>(
        _ value: Output, to store: Store<Output>, _ edge: Unmanaged<AnyEdge>, _ propagation: Propagation
    ) -> Sent {
        // Most often a ring's end, or a second way to the same node: told apart before a turn is made.
        if propagation.isComing(from: store) {
            propagation.noteCameRound()
        } else {
            propagation.sendContended(value, to: store, edge)
        }
        return .nothing
    }
}
