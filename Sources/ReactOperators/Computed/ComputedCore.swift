import ReactCore

/// A join whose inputs are the nodes that its body reads. `computed` and `effect` are built on it.
///
///     edges ──arrive──▶ ComputedCore ──lists──▶ Join ──fires──▶ begin · body · end
///                            ▲                                     │ read: by place, or connect
///                            └─────────────────────────────────────┘
///
/// **Interface to the engine.** It uses:
/// - a `Join` without inputs, for the queue of joins, the turn, and the context of a value (`arrive`, `request`,
///   `restart`, `wait(for:in:)`). `keep` holds the join while it is queued;
/// - `connect` and `cancel` of a `BodyEdge`;
/// - heights (`Vertex.height`, `Engine.hasPending(atMost:)`) and joins set aside (`Engine.hasSetAside(above:)`);
/// - `CycleSearch`, if a read would close a cycle.
///
/// **A call.** The body runs in the vertex's turn, with no lock held. The inputs are kept in the order in which the
/// last call read them, each with its newest value. So a call that reads the same nodes in the same order only compares
/// and copies. When the call is over, the inputs that it has not read are disconnected. A call is *given up*, and
/// repeated later in the same firing phase,
/// - if it reads a node that is still to change in this phase: the join has been raised above that node then;
/// - if it reads, for the first time, a node that was set in another thread's open transaction: the call is repeated
///   there when that transaction ends, or, if it is the first one, here (see FirstCall.swift);
/// - if another thread has changed an input since the call began, because one call must not see half of a change;
/// - if a read may close a cycle while another thread's transaction is open;
/// - if nobody holds the node any more.
///
/// From then on the call reads nothing more, and its result is dropped.
///
/// **Equal values.** An input of an `Equatable` type keeps the value that the last call read when another one arrives.
/// If all such inputs have equal values when the join fires, the body is not called.
///
/// **Cycles.** An edge stands for a read of the last call. It may be outdated if its join is still to be called: `a`
/// read `b` before, and `b` reads `a` from now on. An edge is up to date if a call of this phase has confirmed it. If a
/// new edge would close a cycle, the outdated edges of the cycle are disconnected, and their joins called again. If
/// there is none, the program has a true cycle.
///
/// Invariants (the lock of the vertex guards all mutable fields and the inputs):
/// - The first `next` inputs were read by the call under way, or by the last one.
/// - An edge among the inputs knows its `place`. It leaves the inputs when it is disconnected, so its source is alive
///   until then.
/// - Edges hold the join and the `ComputedCore`. The `ComputedCore` holds no edge.
///
/// Unchecked, because of the lock.
@usableFromInline final class ComputedCore: @unchecked Sendable {
    /// The name of the edges.
    @usableFromInline let name: String
    /// The name of an effect in messages, whose rounds are counted; `nil` for `computed`.
    let effect: String?
    @usableFromInline let vertex: Vertex
    /// The join that fires this one. It holds this object, which does not hold it.
    var join: Unmanaged<Join>?

    @exclusivity(unchecked) @usableFromInline var inputs: ContiguousArray<Unmanaged<AnyDependency>?> = []
    /// The place of the input that is read next if the call reads as the last one did.
    @exclusivity(unchecked) @usableFromInline var next = 0
    /// The call that may read by place: the one under way, until it is given up; otherwise 0.
    @exclusivity(unchecked) @usableFromInline var openCall: UInt64 = 0
    @exclusivity(unchecked) var calls: UInt64 = 0
    /// The engine of the thread that is in a call.
    @exclusivity(unchecked) @usableFromInline var caller: Unmanaged<Engine>?
    /// The caller's `bodyLevel` outside of the call. Only the caller uses it.
    @exclusivity(unchecked) @usableFromInline var outerBodyLevel = 0
    @exclusivity(unchecked) @usableFromInline var isGivenUp = false
    /// True if the body has to be called when the join fires, even if the inputs hold equal values.
    @exclusivity(unchecked) @usableFromInline var mustCall = true
    /// The lifetime that ends before the next call: see `NodeReader.lifetime`.
    @exclusivity(unchecked) var lifetime: Lifetime?
    /// True if the node was told to hold this object, even while the body reads nothing.
    @exclusivity(unchecked) var isHeldByHandle = false
    /// True if another thread has changed an input since the call began.
    @exclusivity(unchecked) var inputsChanged = false
    /// The number of inputs that a given-up call has read, unless a value has arrived since; otherwise 0.
    @exclusivity(unchecked) @usableFromInline var confirmed = 0
    /// The number of the firing phase in which the last call was completed.
    @exclusivity(unchecked) @usableFromInline var firingPhase: UInt64 = 0
    /// The number of calls of an effect in that phase.
    @exclusivity(unchecked) var rounds = 0
    /// The inputs that hold a transient value.
    @exclusivity(unchecked) @usableFromInline var pulses: [PulseRead] = []
    /// True while the maker, outside of any transaction of its own, has yet to give the first value. Only the maker
    /// calls the body then: see FirstCall.swift.
    @exclusivity(unchecked) @usableFromInline var isMaking = false
    /// True while the maker computes the first value from the values that the nodes hold now, whole or not.
    @exclusivity(unchecked) var takesAll = false
    /// The time of the transaction for whose end the maker waits.
    @exclusivity(unchecked) var awaited: UInt64 = 0
    /// The place of each source among the inputs, while there are too many inputs for a search.
    @exclusivity(unchecked) var places: [UnsafeRawPointer: Int]?

    static let mostRounds = 10_000

    @usableFromInline init(at vertex: Vertex, name: String, effect: String?) {
        self.vertex = vertex
        self.name = name
        self.effect = effect
        Engine.looksTwice.store(true, ordering: .sequentiallyConsistent)
    }
    deinit { lifetime?.cancel() }
    @inlinable var count: Int { inputs.count }

    /// Makes the join that calls `body` when it fires, and stores the result. If `isSame` returns true for the present
    /// value and a new one, the new one is dropped.
    @inlinable @inline(__always) func makeJoin<Output: Sendable>(
        rank: JoinRank = .byHeight, isSame: (@Sendable (Output, Output) -> Bool)?,
        _ body: @escaping @Sendable (NodeReader) throws -> Output
    ) -> Join {
        Join(at: vertex, inputs: 0, rank: rank) { [self] _, engine in
            let call = begin(engine)
            guard call != 0 else { return .nothing }
            return end(NodeReader(self, call).result(of: body), in: engine, isSame: isSame)
        }
    }

    // MARK: A call

    /// Begins a call, and returns its number. Returns 0 if there is no call: nobody holds the node, all values equal
    /// those that were read, or a value arrives meanwhile. The lock is held, and is released here. The turn is this
    /// thread's.
    @usableFromInline func begin(_ engine: Engine) -> UInt64 {
        guard vertex.hasHandle else {
            vertex.unlock(Vertex.busy)
            endLifetime()
            engine.takeTurns(at: .passUnretained(vertex))
            return 0
        }
        var bits = engine.ownerBits | Vertex.busy
        if !mustCall {
            // An arrival while the lock is released sets `confirmed` to 0.
            confirmed = max(next, 1)
            let differ = inputsDiffer(&bits)
            let hasArrived = confirmed == 0
            confirmed = 0
            // After an arrival, the inputs may hold one half of another thread's batch. The join fires again for that
            // arrival.
            if hasArrived { return giveUpBeforeCall(engine, bits) }
            if !differ { return skipCall(engine, bits) }
        }
        mustCall = false
        calls += 1
        openCall = calls
        caller = .passUnretained(engine)
        isGivenUp = false
        inputsChanged = false
        next = 0
        confirmed = 0
        if effect != nil { countRound(in: engine) }
        let hasLifetime = lifetime != nil
        vertex.unlock(bits)
        engine.enterCall(0)
        outerBodyLevel = engine.bodyLevel
        engine.bodyLevel = engine.level
        if hasLifetime { endLifetime() }
        return calls
    }
    /// Ends a firing without a call, because no value has changed since the last call. The lock is held, and is
    /// released here.
    private func skipCall(_ engine: Engine, _ bits: UInt32) -> UInt64 {
        // The edges are up to date for this firing phase as well.
        if firingPhase != engine.firingPhase { (firingPhase, rounds) = (engine.firingPhase, 0) }
        engine.observer?.firedNothing(vertex, .unchanged)
        vertex.unlock(bits)
        engine.takeTurns(at: .passUnretained(vertex))
        return 0
    }
    /// Leaves the call to the firing that follows. The lock is held, and is released here.
    private func giveUpBeforeCall(_ engine: Engine, _ bits: UInt32) -> UInt64 {
        engine.observer?.firedNothing(vertex, .givenUp)
        if let join { join._withUnsafeGuaranteedRef { $0.restart(in: engine) } }
        vertex.unlock(bits)
        engine.takeTurns(at: .passUnretained(vertex))
        return 0
    }
    /// Returns true if an input's value differs from the one that the last call read. The lock is held, and released
    /// for each comparison. `bits` are those to unlock with.
    private func inputsDiffer(_ bits: inout UInt32) -> Bool {
        var place = 0
        while place < count {
            var changed = inputs[place]?._withUnsafeGuaranteedRef({ $0.hasChanged ? $0 : nil })
            if let input = changed.take() {
                vertex.unlock(bits)
                let differs = Self.differs(consume input)
                bits = vertex.lock()
                if differs || mustCall { return true }
            }
            place += 1
        }
        return false
    }
    /// Compares an input's value with the one that was read, and releases the input. The last release locks the
    /// vertex, so the lock must not be held.
    @inline(never) private static func differs(_ input: consuming AnyDependency) -> Bool { input.differs() }
    /// Ends a call. Stores its result if that is new, and returns the edge that is called next.
    @inlinable @inline(__always) func end<Output: Sendable>(
        _ made: Output?, in engine: Engine, isSame: ((Output, Output) -> Bool)?
    ) -> NextEdge {
        Unmanaged.passUnretained(vertex)._withUnsafeGuaranteedRef { vertex in
            let store = unsafeDowncast(vertex, to: ValueCell<Output>.self)
            engine.bodyLevel = outerBodyLevel
            // No lock is needed, because only the call itself changes these fields.
            guard !isGivenUp, next == count || cutUnread(), var made else { return close(engine) }
            // The owner reads the value without the lock.
            if let isSame, let old = store.value, isSame(old, made) { return close(engine, isSame: true) }
            let bits = store.lock()
            guard openCall != 0 else {
                store.unlock(bits)
                return close(engine)
            }
            endCall(engine)
            let holdsPulses = !pulses.isEmpty
            let sent = engine.store(&made, in: store, by: .firing, unlocking: bits)
            if holdsPulses { forgetPulses() }
            return sent
        }
    }
    /// Disconnects the inputs that the call has not read.
    @usableFromInline @inline(never) func cutUnread() -> Bool {
        let bits = vertex.lock()
        let unread = takeUnread()
        vertex.unlock(bits)
        for edge in unread { edge.cancel() }
        return true
    }
    /// Ends a call that leaves the value as it is.
    @usableFromInline func close(_ engine: Engine, isSame: Bool = false) -> NextEdge {
        let bits = vertex.lock()
        let isGivenUp = isGivenUp || inputsChanged
        engine.observer?.firedNothing(vertex, isGivenUp ? .givenUp : isSame ? .same : .waits)
        if isGivenUp {
            engine.enterCall(0)
            if let join { join._withUnsafeGuaranteedRef { restart($0, in: engine) } }
            confirmed = inputsChanged ? 0 : next
            mustCall = true
            openCall = 0
            caller = nil
        } else {
            endCall(engine)
        }
        let holdsPulses = !pulses.isEmpty && !isGivenUp
        vertex.unlock(bits)
        if holdsPulses { forgetPulses() }
        engine.takeTurns(at: .passUnretained(vertex))
        return .nothing
    }
    /// Requests another call of the body, after one that was given up. The lock is held.
    private func restart(_ join: Join, in engine: Engine) {
        if isMaking { return }  // The maker repeats it.
        if takesAll { join.request(in: engine) } else { join.restart(in: engine) }
    }
    /// The lock is held.
    @inlinable @inline(__always) func endCall(_ engine: Engine) {
        openCall = 0
        caller = nil
        firingPhase = engine.firingPhase
        if isMaking { endMaking() }
    }
    /// Ends the process if an effect has set itself off too often. The lock is held.
    private func countRound(in engine: Engine) {
        rounds = firingPhase == engine.firingPhase ? rounds + 1 : 1
        guard rounds > ComputedCore.mostRounds else { return }
        let edges = inputs.compactMap { $0?.takeUnretainedValue().edge }
        vertex.unlock(Vertex.busy)
        let read = edges.compactMap { $0.source?.textInMessages }.joined(separator: ", ")
        misuse(
            "\(effect ?? "an effect") has set itself off \(ComputedCore.mostRounds) times in one set. It read \(read): do not set a node that the effect reads, or only if that changes its value"
        )
    }

    /// Requests another call of the body in this firing phase, even if nothing arrives.
    func request(in engine: Engine) {
        vertex.locking {
            mustCall = true
            if let join { join._withUnsafeGuaranteedRef { $0.request(in: engine) } }
        }
    }
    /// Returns true if the next call may not read the edge's source again: no call of this firing phase has confirmed
    /// the edge. If the body is not to be called as things are, that counts only if `guessing`.
    func isOutdated(_ input: AnyDependency, guessing: Bool, in engine: Engine) -> Bool {
        vertex.locking {
            let place = Int(input.place)
            guard let join else { return false }
            let isDirty = join._withUnsafeGuaranteedRef { $0.isDirty } || caller != nil
            if isDirty { return place < 0 || place >= (caller != nil ? next : confirmed) }
            return guessing && firingPhase != engine.firingPhase
        }
    }

    // MARK: Arrivals

    /// The lock is held.
    @inlinable @inline(__always) func noteArrival(_ engine: Unmanaged<Engine>) {
        if openCall | UInt64(truncatingIfNeeded: confirmed) != 0 { noteArrivalInCall(engine) }
    }
    @usableFromInline func noteArrivalInCall(_ engine: Unmanaged<Engine>) {
        confirmed = 0
        // A value that the body itself sets leads to another call, and leaves this one valid.
        guard openCall != 0, !takesAll, caller?.toOpaque() != engine.toOpaque() else { return }
        inputsChanged = true
        openCall = 0
    }
    /// Forgets an edge whose connection ends. From here on its source may go. The lock is held.
    func lose(_ input: AnyDependency) {
        if input.place >= 0 {
            // The call under way has read this input, so its result is not stored.
            if openCall != 0, input.place < next { openCall = 0 }
            inputs[Int(input.place)] = nil
            if !pulses.isEmpty { pulses.removeAll { $0.isOf(input) } }
            places = nil
            input.place = -1
        }
        if let join { join._withUnsafeGuaranteedRef { $0.inputHasGone() } }
        input.sourceVertex = nil
    }
}
