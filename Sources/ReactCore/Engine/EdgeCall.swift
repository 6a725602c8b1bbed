/// A value on its way through one edge, with the value types of the edge's source and target.
@usableFromInline package struct EdgeCall<Input: Sendable, Output: Sendable> {
    @usableFromInline package let raw: ErasedEdgeCall

    @inlinable package init(_ raw: ErasedEdgeCall) { self.raw = raw }

    /// The source's value.
    @inlinable package var value: Input {
        raw.source._withUnsafeGuaranteedRef { unsafeDowncast($0, to: ValueCell<Input>.self).wrappedValue() }
    }
    @inlinable @inline(__always) package var connection: Connection { raw.connection }
    @inlinable @inline(__always) package var isStillConnected: Bool { raw.isStillConnected }

    /// Calls `make` in the target's turn, and applies its result: stores a value, empties the target, or, for `nil`,
    /// does neither.
    ///
    /// Used by operators such as `zip` and `flatten`, which must decide the order where values become one sequence.
    /// `make` runs with no lock held. It never runs if the edge was disconnected, or if the value has passed the
    /// target.
    @inlinable package func change(_ make: @escaping () -> Output??) -> NextEdge {
        switch takeTurnIfIdle() {
        case .mine: return end(turnWith: make())
        case .refused: break
        case .someone: _ = changeContended(make)
        }
        return .nothing
    }
    /// Takes the target's turn if the target is idle: the first half of `change`.
    @inlinable @inline(__always) package func takeTurnIfIdle() -> TargetTurn {
        raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { target in
            guard target.tryAcquire() else { return .someone }
            return raw.engine._withUnsafeGuaranteedRef { engine in
                if isStillConnected, !engine.hasPassed(target) { return .mine }
                _ = engine.release(target)
                return .refused
            }
        }
    }
    /// Applies `change` to the target, whose turn this thread has, if `isWanted` returns true: the second half of
    /// `change`.
    @inlinable package func end(turnWith change: Output??, where isWanted: () -> Bool = { true }) -> NextEdge {
        raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { target in
            let cell = unsafeDowncast(target, to: ValueCell<Output>.self)
            return raw.engine._withUnsafeGuaranteedRef { engine in
                guard case .some(.some(var value)) = change else {
                    if change == nil || !engine.change(nil, in: cell, by: .turn(token)) {
                        engine.releaseAndDrain(cell)
                    }
                    return .nothing
                }
                // The code that made the change may be the user's.
                guard isStillConnected, isWanted() else {
                    engine.releaseAndDrain(cell)
                    return .nothing
                }
                return engine.store(&value, in: cell, by: .turn(token))
            }
        }
    }
    /// Calls `make` in the target's turn, for a target that is busy. Returns true if the turn comes.
    ///
    /// `afterwards` runs in that turn, after the result of `make` is stored and before it is delivered. It also runs if
    /// `make` stores nothing.
    @usableFromInline @inline(never) package func changeContended(
        through node: AnyNode? = nil, afterwards: (() -> Void)? = nil, _ make: @escaping () -> Output??
    ) -> Bool {
        let cell = unsafeDowncast(raw.target!.takeUnretainedValue(), to: ValueCell<Output>.self)
        return raw.engine._withUnsafeGuaranteedRef { engine in
            if engine.isComing(from: cell) {
                engine.noteCameRound()
                return false
            }
            return engine.sendTurn(to: cell, raw.edge, through: node) { cell, engine, edge in
                defer { afterwards?() }
                guard let change = make() else { return false }
                return engine.change(change, in: cell, by: .turn(edge))
            }
        }
    }
    @usableFromInline package var token: ConnectionToken {
        ConnectionToken(edge: raw.edge, generation: connection.generation)
    }
    /// The transaction that the delivery belongs to.
    @inlinable package var transaction: Transaction { Transaction(of: raw.engine) }
    /// The context that travels beside the value.
    @usableFromInline package var context: NodeContext? {
        raw.engine._withUnsafeGuaranteedRef { $0.contextValue }
    }
    /// The nodes that the value has passed, the source included.
    @usableFromInline package var senders: SenderList {
        raw.engine._withUnsafeGuaranteedRef { $0.senderList }
    }
    /// True if the value was at the target just before it came to the source.
    @usableFromInline package var comesStraightBack: Bool {
        senders.path?.previous?.vertex.map { Unmanaged.passUnretained($0).toOpaque() } == raw.target?.toOpaque()
    }
    /// True if a pulse has led to the call.
    @usableFromInline package var isInPulse: Bool { raw.engine._withUnsafeGuaranteedRef { $0.pulse != nil } }
    /// True if the called edge brings a pulse's value, and passes it on as a pulse.
    package var passesPulseOn: Bool {
        raw.engine._withUnsafeGuaranteedRef { engine in
            engine.pulse.map { engine.passesOn($0, raw.edge) } ?? false
        }
    }
    /// True if the target has received a value since the called edge's value was set. This thread has the target's
    /// turn.
    @inlinable @inline(__always) package var hasReachedTarget: Bool {
        raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { target in
            raw.engine._withUnsafeGuaranteedRef { engine in
                // Most targets have received none in this transaction, so that is checked first, in three instructions.
                target.lastEpoch > engine.finished && engine.hasStored(in: target)
            }
        }
    }
    /// The target's value.
    @inlinable package var targetValue: Output? {
        raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { unsafeDowncast($0, to: ValueCell<Output>.self).read() }
    }
    /// Returns true if the target is delivering a value from which this one was made, so that this one stops there.
    @inlinable package var comesBack: Bool {
        raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { target in
            raw.engine._withUnsafeGuaranteedRef { $0.framesContain(target) }
        }
    }
    /// Tells the observer that the value is dropped because it came back to the target.
    @inlinable package func noteCameBack() { raw.engine._withUnsafeGuaranteedRef { $0.noteCameRound() } }
}

extension ErasedEdgeCall {
    /// The connection through which the value came.
    @inlinable package var connection: Connection {
        Connection(generation: engine._withUnsafeGuaranteedRef { $0.call.generation })
    }
    /// Returns true if the edge still has the connection that it had when the delivery began.
    @inlinable package var isStillConnected: Bool {
        let generation = engine._withUnsafeGuaranteedRef { $0.call.generation }
        return edge._withUnsafeGuaranteedRef { $0.isConnected(by: generation) }
    }
}

/// Who has the turn at an edge's target, as the edge finds it.
@usableFromInline package enum TargetTurn {
    case mine, someone
    /// The value may not be stored: the edge was disconnected, or the value has passed the target.
    case refused
}

extension Engine {
    /// Adds `vertex` to the trail of values made of the called edge's value. Returns the trail entry's index, or -1 if
    /// the value has already passed `vertex`.
    @usableFromInline package func addEntry(for vertex: Vertex) -> Int32 {
        if vertex.isBusy || hasTrail, trailContains(vertex) { return -1 }
        return trail.append(.passUnretained(vertex), after: senders.entry)
    }
    /// Begins a pass with the context of the called edge's value, and with a trail that ends at `entry`. The
    /// caller of the edge delivers and ends that pass.
    @usableFromInline package func beginPassOfCall(by entry: Int32) {
        guard entry >= 0 else { return }
        if let observer, let vertex = trail.vertex(at: entry) { observer.switched(to: vertex) }
        // The vertex's last epoch says nothing of this entry, so the beginning is loose.
        let since = Epoch.namingStrangers(passes[call.passes &- 1].since)
        call.passes = beginPass(context: contextForPass, senders: TrailPosition(entry: entry, since: since))
    }
    /// Calls `take` when the turn of `cell` comes, which is at once if it is idle. Returns true if the turn comes.
    @discardableResult package func sendTurn<Output>(
        to cell: ValueCell<Output>, _ edge: Unmanaged<AnyEdge>, through node: AnyNode? = nil,
        _ take: @escaping (ValueCell<Output>, Engine, ConnectionToken) -> Bool
    ) -> Bool {
        if comesBack(to: cell) {
            noteCameRound()
            return false
        }
        let token = ConnectionToken(edge: edge, generation: call.generation)
        var senders = senderList
        if let node, !senders.contains(node) {
            senders = senders.appending(node)
            observer?.switched(to: node.vertex)
        }
        guard token.isStillConnected else { return false }
        // Checked again when the turn comes, so that no user code runs for a disconnected edge. `change` checks once
        // more, before it stores.
        let carrier = edge.takeUnretainedValue()
        let update = QueuedDelivery(
            context: contextForPass, senders: senders, edge: edge,
            source: observer?.sourceOfCall ?? 0
        ) { _, engine in
            carrier.isConnected(by: token.generation) && take(cell, engine, token)
        }
        let isMine = cell.acquireOrEnqueue(update) {
            update.origin = originOfQueuedSend(senders)
            observer?.queued(at: cell, by: carrier.serial)
        }
        guard isMine else { return true }
        observer?.tookTurn(of: cell)
        if !take(cell, self, token) { takeTurns(at: .passUnretained(cell)) }
        return true
    }
    /// The context for a pass that begins with the called edge's value.
    private var contextForPass: ContextBox? { context { brings($0) } }
}
