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
                guard isCurrent, !propagation.hasPassed(target) else {
                    _ = propagation.refuse(target)
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
                guard case .some(.some(var value)) = change else {
                    if change == nil || !propagation.empty(store, by: choice) { propagation.finish(store) }
                    return .nothing
                }
                let bits = store.lock()
                // What made it may have been the user's code, or slow.
                guard isCurrent, isWanted() else {
                    store.unlock(bits)
                    propagation.finish(store)
                    return .nothing
                }
                return propagation.store(&value, in: store, by: .turn(choice), unlocking: bits)
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
                return propagation.change(change, in: store, by: .turn(edge))
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
        if vertex.word.load(ordering: .relaxed) & Vertex.busy != 0 || hasTrail, cameThrough(vertex) {
            return -1
        }
        return visits.append(.passUnretained(vertex), after: senders.visit)
    }
    /// Begins a run with what travels beside the called edge's value, which has come by `visit` as well.
    /// The run is served, and ended, where the call returns to.
    @usableFromInline func beginRunOfCall(by visit: Int32) {
        guard visit >= 0 else { return }
        if let observer, let vertex = visits.vertex(at: visit) { observer.switched(to: vertex) }
        // When the value came through that vertex, its mark does not tell: it is looked for on the trail.
        call.runs = beginRun(context: contextForRun, senders: Senders(visit: visit, since: 0))
    }
    /// `Delivery.send` to a vertex that is locked or busy.
    @usableFromInline @inline(never) func sendContended<Output>(
        _ value: Output, to store: Store<Output>, _ edge: Unmanaged<AnyEdge>
    ) {
        sendTurn(to: store, edge) { $1.change(value, in: $0, by: .turn($2)) }
    }
    /// Empties a vertex whose turn was taken for an edge, unless that has been cut meanwhile; answers whether it did.
    @usableFromInline @inline(never) func empty<Output>(_ store: Store<Output>, by edge: EdgeChoice) -> Bool {
        change(nil, in: store, by: .turn(edge))
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
        let choice = EdgeChoice(edge: edge, number: call.number)
        var senders = senderList
        if let node, !senders.contains(node) {
            senders = senders.appending(node)
            observer?.switched(to: node.vertex)
        }
        // Asked again when the turn comes, so that nothing is made of what a cut edge has brought. (That nothing is stored
        // of it is asked in `change`, under the lock.)
        let carrier = edge.takeUnretainedValue()
        let update = Update(
            context: contextForRun, senders: senders, after: turn, edge: edge,
            source: observer?.sourceOfCall ?? 0
        ) { _, propagation in
            carrier.isLinked(by: choice.number) && take(store, propagation, choice)
        }
        var comes = false
        let entered = store.enter(orQueue: update, of: timesOfOwnSet, on: taker) { _ in
            comes = choice.isCurrent
            return comes
        } noting: {
            observer?.queued(at: store, by: carrier.serial)
        }
        if entered.wantsHeir { waitWhenOver(for: store) }
        guard entered.isMine else { return comes }
        store.unlock(taker | Vertex.busy)
        observer?.tookTurn(of: store)
        if !take(store, self, choice) { takeTurns(at: .passUnretained(store)) }
        return true
    }
    /// What travels beside the called edge's value, for a run that begins with that: it says whether the value is a pulse's.
    private var contextForRun: ContextBox? {
        guard let context, let pulse = context.pulse else { return context }
        let isOfReplay = brings(pulse)
        return isOfReplay == context.isOfReplay ? context : ContextBox(context.value, pulse, isOfReplay: isOfReplay)
    }
}
