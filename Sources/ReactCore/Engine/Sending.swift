// Sends an edge's value to its target, and stores values. Every value is stored in one way.
//
//     send ──▶ acquire the target's turn, or queue ──▶ store ──▶ push a frame ──▶ the next edge
//                                                       └──▶ gate, while something is to be done before a store
extension EdgeCall {
    /// Stores `value` in the target, which delivers it in its turn. An idle target delivers it right after the edge's
    /// call returns; a busy one after its pending deliveries. A value that has passed the target stops here.
    @inlinable @inline(__always) package func send(_ value: consuming Output) -> NextEdge { raw.send(value) }
    /// Sends the value if `isWanted` returns true, which is called only if the edge has the connection that it had when
    /// the delivery began.
    @inlinable @inline(__always) package func send(_ value: consuming Output, where isWanted: () -> Bool) -> NextEdge {
        raw.send(value, where: isWanted) { whileCurrent(isWanted) ?? false ? $0 : nil }
    }
    /// Sends the value if `isWanted` returns true. Calls `wait` instead if the target is busy.
    @inlinable @inline(__always)
    package func send(_ value: consuming Output, if isWanted: () -> Bool, elseWaiting wait: () -> Void) -> NextEdge {
        raw.send(value, where: isWanted) { _ in
            wait()
            return nil
        }
    }
    /// Calls `body` if the edge has the connection that it had when the delivery began; otherwise returns `nil`.
    @inlinable @inline(__always) package func whileCurrent<Result>(_ body: () -> Result) -> Result? {
        isStillConnected ? body() : nil
    }
    /// Empties the target.
    package func sendEmpty() {
        let cell = unsafeDowncast(raw.target!.takeUnretainedValue(), to: ValueCell<Output>.self)
        raw.engine._withUnsafeGuaranteedRef {
            _ = $0.sendTurn(to: cell, raw.edge) { $1.change(nil, in: $0, by: .turn($2)) }
        }
    }
}

extension ErasedEdgeCall {
    /// Sends a value of the target's type. See `EdgeCall.send`.
    ///
    /// Compiled once for each value type, so that clients compile sooner. Compiled into each edge's closure, a hop of a
    /// chain of maps would take about a sixth fewer instructions, and a client of 1,000 operators a third longer to
    /// compile.
    @inlinable @inline(never) func send<Output: Sendable>(_ value: consuming Output) -> NextEdge {
        send(value, where: { true }, ifBusy: { $0 })
    }
    /// Sends the value if `isWanted` returns true. If the target is busy, calls `ifBusy` with the value, and
    /// queues the value that it returns, if any.
    @inlinable @inline(__always) func send<Output: Sendable>(
        _ value: consuming Output, where isWanted: () -> Bool, ifBusy: (Output) -> Output?
    ) -> NextEdge {
        var held = consume value
        let sent = target.unsafelyUnwrapped._withUnsafeGuaranteedRef { target in
            let cell = unsafeDowncast(target, to: ValueCell<Output>.self)
            return engine._withUnsafeGuaranteedRef { engine -> NextEdge in
                engine.send(&held, to: cell, by: edge, if: isStillConnected && isWanted(), ifBusy: ifBusy)
            }
        }
        // The user's `deinit` may run when the old value is released.
        withExtendedLifetime(held) {}
        return sent
    }
}

// MARK: - Storing

extension Engine {
    /// Takes the turn of `cell`, and puts the called edge's value there if `isWanted` returns true.
    @inlinable @inline(__always) package func send<Value>(
        _ value: inout Value, to cell: ValueCell<Value>, by edge: Unmanaged<AnyEdge>,
        if isWanted: @autoclosure () -> Bool = true, ifBusy: (Value) -> Value? = { $0 }
    ) -> NextEdge {
        guard cell.tryAcquire() else {
            guard let value = ifBusy(value) else { return .nothing }
            return sendToBusy(value, cell, edge)
        }
        guard isWanted() else { return release(cell) }
        return self.store(&value, in: cell, by: .call(edge))
    }
    /// Stores a value in a vertex whose turn this thread has, and pushes its frame. Returns the first edge.
    ///
    /// Every value is stored here. The old value is left in `value`. (If it is plain data, nothing is left.) The gate
    /// may refuse a value that the called edge brings.
    @inlinable @inline(__always)
    package func store<Value>(_ value: inout Value, in cell: ValueCell<Value>, by cause: StoreCause) -> NextEdge {
        guard checkGate(to: .store, cell, by: cause) else { return .nothing }
        return exchange(&value, in: cell)
    }
    /// Stores a value that the gate has let through. See `store`.
    @inlinable @inline(__always) func exchange<Value>(_ value: inout Value, in cell: ValueCell<Value>) -> NextEdge {
        cell.exchange(&value)
        return push(cell, state: Frame.state(isEmptying: false))
    }
    /// Stores a value in a vertex whose turn this thread has, or empties it. Returns false, and changes nothing, if the
    /// edge that brings the value has been disconnected.
    @usableFromInline package func change<Value>(_ value: Value?, in vertex: ValueCell<Value>, by cause: StoreCause)
        -> Bool
    {
        if case .turn(let token) = cause, !token.isStillConnected { return false }
        if var value {
            leaveOnStack(store(&value, in: vertex, by: cause))
            return true
        }
        guard checkGate(to: .empty, vertex, by: cause) else { return true }
        let old = vertex.replace(with: nil)
        leaveOnStack(push(vertex, state: Frame.state(isEmptying: true)))
        withExtendedLifetime(old) {}
        return true
    }
    /// Pushes a vertex that the called edge's value passes without being stored there. This thread has the turn.
    /// Returns false if the gate refuses it.
    @inlinable @inline(__always) func letPass(_ vertex: Vertex, by cause: StoreCause) -> Bool {
        guard checkGate(to: .pass, vertex, by: cause) else { return false }
        pushFrame(of: vertex, state: Frame.state(isEmptying: false)).pointee.next = 0
        return true
    }
    /// Pushes a vertex whose turn this thread has, for a value to pass. Returns false if the edge has been
    /// disconnected, or given another end.
    package func letPass(_ vertex: Vertex, by edge: ConnectionToken) -> Bool {
        edge.isStillConnected && letPass(vertex, by: .turn(edge))
    }
    /// Lets the called edge's value pass a vertex whose turn this thread has. The caller sends the value on. If `isNew`
    /// is true, first exchanges `value` with the vertex's value. The vertex delivers its new value after the one that
    /// passes. Returns false if the gate refuses the value.
    @inlinable @inline(__always) package func letPass<Value>(
        _ cell: ValueCell<Value>, storing value: inout Value, if isNew: Bool, by edge: Unmanaged<AnyEdge>
    ) -> Bool {
        if isNew {
            guard checkGate(to: .store, cell, by: .call(edge)) else { return false }
            leaveOnStack(exchange(&value, in: cell))
        } else {
            guard letPass(cell, by: .call(edge)) else { return false }
        }
        // From here on, the value has passed the vertex.
        call.top = top
        return true
    }
    /// Calls the gate if something is to be done before this thread does `action` at a vertex whose turn it has.
    /// Returns false if the gate has refused the action: then the turn has ended.
    @inlinable @inline(__always) func checkGate(to action: GateAction, _ vertex: Vertex, by cause: StoreCause) -> Bool {
        top < fastLimit || gate(action, vertex, by: cause)
    }
    /// Ends a turn that was taken for a value which may not be stored. No code has run since, so nothing is pending.
    @inlinable @inline(__always) package func release(_ vertex: Vertex) -> NextEdge {
        vertex.turn = 0
        return .nothing
    }
    /// Ends the turn of a vertex that gets no value, and delivers the values that are pending there.
    @usableFromInline @inline(never) func releaseAndDrain(_ vertex: Vertex) { takeTurns(at: .passUnretained(vertex)) }
    /// Returns true if the called edge's value has passed `vertex`, whose turn was taken just now.
    @inlinable @inline(__always) package func hasPassed(_ vertex: Vertex) -> Bool {
        hasTrail && hasComeRound(to: vertex)
    }
    /// Returns true if the called edge passes on the pulse under way, as a pulse.
    func passesOn(_ pulse: TransientValue, _ edge: Unmanaged<AnyEdge>) -> Bool {
        edge._withUnsafeGuaranteedRef { $0.passesPulses } && brings(pulse)
    }
    /// True if a pulse is under way, and the called edge brings its value.
    var callBringsPulse: Bool { pulse.map { brings($0) } ?? false }
    /// Returns true if the called edge brings the value of the pulse under way.
    func brings(_ pulse: TransientValue) -> Bool {
        guard call.top > passes[call.passes - 1].bottom else { return context?.isOfInitialDelivery ?? false }
        return (call.top - 1).pointee.vertex._withUnsafeGuaranteedRef { pulse.isStored(in: $0) }
    }
}

/// An action that a thread is about to take at a vertex.
@usableFromInline enum GateAction {
    case store, empty
    /// A value passes the vertex, and is not stored there.
    case pass
}

extension Engine {
    /// Does all that may be due before `action`. In order: grows the stack, checks the trail, notes a transient value,
    /// and tells the observer. See `checkGate`.
    ///
    /// May refuse an action only where an edge is its cause.
    @usableFromInline @inline(never) func gate(_ action: GateAction, _ vertex: Vertex, by cause: StoreCause) -> Bool {
        if top == limit { grow() }
        if hasTrail, !prepareStore(in: vertex, by: cause) { return false }
        if action != .pass, let reports {
            let isEmptying = action == .empty
            reports._withUnsafeGuaranteedRef { $0.observer.willStore(in: vertex, isEmptying: isEmptying, by: cause) }
        }
        return true
    }
    /// Returns true if the called edge's value has passed `vertex`, whose turn was taken just now.
    @usableFromInline @inline(never) func hasComeRound(to vertex: Vertex) -> Bool {
        guard trailContainsIdle(vertex) else { return false }
        noteCameRound()
        return true
    }
    /// Sends a value to a vertex that is busy.
    @usableFromInline @inline(never) func sendToBusy<Output>(
        _ value: Output, _ cell: ValueCell<Output>, _ edge: Unmanaged<AnyEdge>
    ) -> NextEdge {
        // Most often the value has come round a cycle, so that is checked before a pending delivery is made.
        if isComing(from: cell) {
            noteCameRound()
        } else {
            sendTurn(to: cell, edge) { $1.change(value, in: $0, by: .turn($2)) }
        }
        return .nothing
    }
    /// Checks the trail, and notes a transient value: see `gate`.
    @inline(never) fileprivate func prepareStore(in vertex: Vertex, by cause: StoreCause) -> Bool {
        if case .call = cause, !isLastEpochEarlier(of: vertex), trailContainsUnsettled(vertex) {
            noteCameRound()
            takeTurns(at: .passUnretained(vertex))
            return false
        }
        if let edge = cause.edge, let pulse {
            // A new epoch, so that the store that follows is told from all others.
            epoch &+= 1
            if passesOn(pulse, edge) { pulse.note(vertex, in: epoch) }
        }
        return true
    }
}

extension StoreCause {
    var edge: Unmanaged<AnyEdge>? {
        switch self {
        case .set, .firing: nil
        case .call(let edge): edge
        case .turn(let token): token.edge
        }
    }
}

// A user's closure may send one value, and only during its call: see `NodeSender`.
extension Engine {
    /// The number of the call that begins now.
    @inlinable package var numberOfSend: UInt64 { sending }
    /// Ends the right of the call `number` to send. Returns false if it has none any more.
    @inlinable package func endSend(_ number: UInt64) -> Bool {
        guard sending == number else { return false }
        sending = number &+ 1
        return true
    }
}
