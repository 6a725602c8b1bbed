import Synchronization

/// A join whose inputs are the nodes that its body reads: what `computed` and `effect` are built on.
///
///     edges ──arrive──▶ DynamicJoin ──lists──▶ Join ──fires──▶ begin · body · end
///                            ▲                                     │ read: by place, or link
///                            └─────────────────────────────────────┘
///
/// **The seam.** Of the rest of the engine it needs: a `Join` of no inputs, for the list of what is to fire, the turn,
/// what travels beside a value, and who has it when the node is let go of (`arrive`, `request`, `giveUp`, `wait(for:in:)`, `keep`); an edge's `relink` and `cancel`; heights (`Vertex.height`,
/// and `Propagation.hasPending(atMost:)`); and, where a read would close a ring, `WayBack`.
///
/// **A call.** The body runs in the vertex's turn, with no lock held. The inputs are kept in the order in which the last call
/// read them, each with its newest value; so a call that reads the same nodes in the same order compares and copies, no more.
/// What it has not read is cut when it is over. A call is *given up*, and made again later in the same wave,
/// - where it reads a node that is still to change in this wave: the join has been raised above that then;
/// - where it reads a node for the first time that was set in a batch of another thread's which is still under way: it is made
///   when that is over, there;
/// - where another thread has changed an input since it began: so what one call sees belongs together;
/// - where a read may close a ring while another thread's set is under way, or nobody has the node any more.
/// From then on it reads nothing more, and what it returns is dropped.
///
/// **Equal values.** An input whose values can be compared keeps what the last call read, once something else has come. Where the join
/// fires, and every such input has an equal value by then, the body is not called.
///
/// **Rings.** An edge stands for what the last call read, and may be out of date where its join is still to be called: `a` read
/// `b` before, and `b` reads `a` from now on. So where a new edge would close a ring, the edges on the way that no call of
/// this wave has confirmed are cut, and their joins called again. If none is on the way, the ring is one.
///
/// Invariants (all mutable fields, and the inputs, are guarded by the lock of the vertex):
/// - The first `next` inputs were read by the call under way, or by the last one.
/// - An edge among the inputs knows its `place`, and has not been told that it was unlinked: until then its source is there.
/// - Edges hold the join and this; nothing here holds an edge.
///
/// Unchecked, because of the lock.
@usableFromInline package final class DynamicJoin: @unchecked Sendable {
    /// What the edges are called.
    @usableFromInline let name: StaticString
    /// What messages call an effect, whose rounds are counted; `nil` for what is computed.
    let effect: String?
    @usableFromInline let vertex: Vertex
    /// What fires this; holds it.
    var join: Unmanaged<Join>?

    @exclusivity(unchecked) @usableFromInline var inputs: UnsafeMutablePointer<Unmanaged<AnyDynamicInput>?>
    @exclusivity(unchecked) @usableFromInline var count = 0
    @exclusivity(unchecked) var capacity = 2
    /// The place of the input that is to be read next, if all is as it was.
    @exclusivity(unchecked) @usableFromInline var next = 0
    /// The call that may read by place: so the one under way, until it is given up.
    @exclusivity(unchecked) @usableFromInline var openCall: UInt64 = 0
    @exclusivity(unchecked) var calls: UInt64 = 0
    /// Who is in a call.
    @exclusivity(unchecked) @usableFromInline var caller: Unmanaged<Propagation>?
    /// The caller's `bodyLevel` outside of the call. Only the one who is in the call looks at it.
    @exclusivity(unchecked) @usableFromInline var outerBodyLevel = 0
    @exclusivity(unchecked) @usableFromInline var isGivenUp = false
    /// Whether the body is to be called when the join fires, whatever the inputs hold.
    @exclusivity(unchecked) @usableFromInline var mustCall = true
    /// What ends before the next call: see `NodeReader.lifetime`.
    @exclusivity(unchecked) var lifetime: Lifetime?
    /// Whether the node was told to hold this, also while nothing is read.
    @exclusivity(unchecked) var isHeldByHandle = false
    /// Whether another thread has changed an input since the call began.
    @exclusivity(unchecked) var isTorn = false
    /// How many inputs a call has read, before it was given up, that nothing has come from since.
    @exclusivity(unchecked) @usableFromInline var confirmed = 0
    /// The wave in which the last call was completed.
    @exclusivity(unchecked) @usableFromInline var wave: UInt64 = 0
    /// How often it was called in that wave.
    @exclusivity(unchecked) var rounds = 0
    /// Whether an input may hold what a pulse has brought.
    @exclusivity(unchecked) @usableFromInline var holdsPulses = false
    /// Where which node stands among the inputs, while they are too many to be gone through.
    @exclusivity(unchecked) var places: [UnsafeRawPointer: Int]?

    static let mostRounds = 10_000

    @usableFromInline init(at vertex: Vertex, name: StaticString, effect: String?) {
        self.vertex = vertex
        self.name = name
        self.effect = effect
        inputs = .allocate(capacity: capacity)
        Propagation.looksTwice.store(true, ordering: .sequentiallyConsistent)
    }
    deinit {
        inputs.deallocate()
        lifetime?.cancel()
    }

    /// Has the first call made: when the outermost set or batch on the thread ends; or at once where it is made in a body, which may
    /// be about to read it.
    @usableFromInline func start(_ join: Join) {
        self.join = .passUnretained(join)
        let propagation = Propagation.current
        propagation.begin()
        if propagation.bodyLevel > 0 {
            join.fireAtOnce(in: propagation)
        } else {
            vertex.locking { join.request(in: propagation) }
        }
        join.keep()
        propagation.end()
    }

    // MARK: A call

    /// Begins a call, and answers its number; 0 where there is none, as nobody has the node any more, or all that was read equals what
    /// came. The lock is held, and not when it returns; the turn is this thread's.
    @usableFromInline func begin(_ propagation: Propagation) -> UInt64 {
        guard vertex.hasHandle else {
            vertex.unlock(Vertex.busy)
            endLifetime()
            propagation.takeTurns(at: .passUnretained(vertex))
            return 0
        }
        var bits = propagation.taker | Vertex.busy
        if !mustCall {
            // Anything that arrives while the lock is free clears `confirmed`.
            confirmed = max(next, 1)
            let differ = inputsDiffer(&bits)
            let hasArrived = confirmed == 0
            confirmed = 0
            // The inputs may hold one half of another thread's batch. The join fires again for the arrival.
            if hasArrived { return giveUpBeforeCall(propagation, bits) }
            if !differ { return skipCall(propagation, bits) }
        }
        mustCall = false
        calls += 1
        openCall = calls
        caller = .passUnretained(propagation)
        isGivenUp = false
        isTorn = false
        next = 0
        confirmed = 0
        if effect != nil { countRound(in: propagation) }
        let hasLifetime = lifetime != nil
        vertex.unlock(bits)
        propagation.enterCall(0)
        outerBodyLevel = propagation.bodyLevel
        propagation.bodyLevel = propagation.level
        if hasLifetime { endLifetime() }
        return calls
    }
    /// Ends a firing for which nothing that the last call read has changed. The lock is held, and not when it returns.
    private func skipCall(_ propagation: Propagation, _ bits: UInt32) -> UInt64 {
        // The edges stand for this wave as well.
        if wave != propagation.wave { (wave, rounds) = (propagation.wave, 0) }
        propagation.observer?.firedNothing(vertex, .unchanged)
        vertex.unlock(bits)
        propagation.takeTurns(at: .passUnretained(vertex))
        return 0
    }
    /// Leaves the call to the firing that follows. The lock is held, and not when it returns.
    private func giveUpBeforeCall(_ propagation: Propagation, _ bits: UInt32) -> UInt64 {
        propagation.observer?.firedNothing(vertex, .givenUp)
        if let join { join._withUnsafeGuaranteedRef { $0.giveUp(in: propagation) } }
        vertex.unlock(bits)
        propagation.takeTurns(at: .passUnretained(vertex))
        return 0
    }
    /// Whether an input has another value than the last call read. The lock is held, and let go of to compare; `bits` are those to
    /// unlock with.
    private func inputsDiffer(_ bits: inout UInt32) -> Bool {
        var place = 0
        while place < count {
            if let input = inputs[place]?._withUnsafeGuaranteedRef({ $0.hasChanged ? $0 : nil }) {
                vertex.unlock(bits)
                let differs = input.differs()
                bits = vertex.lock()
                if differs || mustCall { return true }
            }
            place += 1
        }
        return false
    }
    /// Ends a call: stores what it made, if that is new, and says how the delivery goes on.
    @inlinable @inline(__always) func end<Output: Sendable>(
        _ made: Output?, in propagation: Propagation, isSame: ((Output, Output) -> Bool)?
    ) -> Sent {
        Unmanaged.passUnretained(vertex)._withUnsafeGuaranteedRef { vertex in
            let store = unsafeDowncast(vertex, to: Store<Output>.self)
            propagation.bodyLevel = outerBodyLevel
            // Only the call itself changes these.
            guard !isGivenUp, next == count || cutUnread(), var made else { return close(propagation) }
            // Who has the turn reads the value without the lock.
            if let isSame, let old = store.value, isSame(old, made) { return close(propagation, isSame: true) }
            let bits = store.lock()
            guard openCall != 0 else {
                store.unlock(bits)
                return close(propagation)
            }
            endCall(propagation)
            let holdsPulses = holdsPulses
            let sent = propagation.store(&made, in: store, by: .firing, unlocking: bits)
            if holdsPulses { forgetPulses() }
            return sent
        }
    }
    /// Cuts what the call has not read.
    @usableFromInline @inline(never) func cutUnread() -> Bool {
        let bits = vertex.lock()
        let unread = takeUnread()
        vertex.unlock(bits)
        for input in unread { input.cancel() }
        return true
    }
    /// Ends a call that leaves the value as it is.
    @usableFromInline func close(_ propagation: Propagation, isSame: Bool = false) -> Sent {
        let bits = vertex.lock()
        let isGivenUp = isGivenUp || isTorn
        propagation.observer?.firedNothing(vertex, isGivenUp ? .givenUp : isSame ? .same : .waits)
        if isGivenUp {
            propagation.enterCall(0)
            if let join { join._withUnsafeGuaranteedRef { $0.giveUp(in: propagation) } }
            confirmed = isTorn ? 0 : next
            mustCall = true
            openCall = 0
            caller = nil
        } else {
            endCall(propagation)
        }
        let holdsPulses = holdsPulses && !isGivenUp
        vertex.unlock(bits)
        if holdsPulses { forgetPulses() }
        propagation.takeTurns(at: .passUnretained(vertex))
        return .nothing
    }
    /// The lock is held.
    @inlinable @inline(__always) func endCall(_ propagation: Propagation) {
        openCall = 0
        caller = nil
        wave = propagation.wave
    }
    /// An effect that sets itself off without end is cut off. The lock is held.
    private func countRound(in propagation: Propagation) {
        rounds = wave == propagation.wave ? rounds + 1 : 1
        if rounds > DynamicJoin.mostRounds {
            vertex.unlock(Vertex.busy)
            refuseRound()
        }
    }

    /// Has the join called again in this wave, whether or not something arrives.
    func request(in propagation: Propagation) {
        vertex.locking {
            mustCall = true
            if let join { join._withUnsafeGuaranteedRef { $0.request(in: propagation) } }
        }
    }
    /// Whether the edge stands for what a call read that is to be made again.
    func isOutdated(_ input: AnyDynamicInput, in propagation: Propagation) -> Bool {
        vertex.locking {
            let place = Int(input.place)
            guard let join else { return false }
            let isDirty = join._withUnsafeGuaranteedRef { $0.state.phase != .clean } || caller != nil
            if isDirty { return place < 0 || place >= (caller != nil ? next : confirmed) }
            return wave != propagation.wave
        }
    }

    // MARK: What comes

    /// The lock is held.
    @inlinable @inline(__always) func noteArrival(_ propagation: Unmanaged<Propagation>) {
        if openCall | UInt64(truncatingIfNeeded: confirmed) != 0 { noteArrivalInCall(propagation) }
    }
    @usableFromInline func noteArrivalInCall(_ propagation: Unmanaged<Propagation>) {
        confirmed = 0
        // What a body sets itself makes another call, and not this one void.
        guard openCall != 0, caller?.toOpaque() != propagation.toOpaque() else { return }
        isTorn = true
        openCall = 0
    }
    /// Forgets an edge whose linking ends: its source is there for the last time. The lock is held.
    func lose(_ input: AnyDynamicInput) {
        if input.place >= 0 {
            // What the call under way makes of it is stored nowhere.
            if openCall != 0, input.place < next { openCall = 0 }
            inputs[Int(input.place)] = nil
            places = nil
            input.place = -1
        }
        if let join { join._withUnsafeGuaranteedRef { $0.inputHasGone(from: input.sourceVertex) } }
        input.sourceVertex = nil
    }
}
