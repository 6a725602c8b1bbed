import ReactCore
import Synchronization

/// The core of a `computed` or an `effect`: a join whose inputs are the nodes that its body reads.
///
///     edges ──arrive──▶ Join ──fires──▶ begin · body · end
///       ▲                                      │ read: by place, or connect
///       └──────────────────────────────────────┘
///
/// **Interface to the engine.** It uses:
/// - a `Join` without inputs, for the queue of joins, the turn, the context of a value, and pulses (`fireAtOnce`,
///   `requireFiring`, `restart`). `retainItself` holds the join while it is queued;
/// - `unite`, `connect` and `cancel` of a `BodyEdge`, and `enterBody` and `leaveBody` around the call;
/// - joins that are to fire (`Join.waits(toRead:in:)`);
/// - `CycleSearch`, if a read would close a cycle.
///
/// **A call.** `BodyState` has its states. The body runs in the vertex's turn. The inputs are kept in the order in
/// which the last call read them. So a call that reads the same nodes in the same order only compares and copies: it
/// changes no edge, and allocates nothing.
/// When the call is over, the inputs that it has not read are disconnected. A call is *given up*, and repeated later in
/// the same firing phase,
/// - if it reads a node that is still to change in this phase: the join has been raised above that node then;
/// - if an input has changed while values were compared;
/// - if nobody holds the node any more.
///
/// From then on the call reads nothing more, and its result is dropped.
///
/// **Equal values.** An input of an `Equatable` type keeps the value that the last call read. If the nodes of all such
/// inputs hold equal values when the join fires, the body is not called.
///
/// **Cycles.** An edge stands for a read of the last call. An edge may be outdated while its body is still to be
/// called. Example: `a` read `b` in its last call, and will not read it again. Now `b` reads `a`. An edge is up to date
/// if a call of this phase has confirmed it. If a new edge would close a cycle, the outdated edges of the cycle are
/// disconnected, and their joins called again. If there is none, the program has a true cycle.
///
/// Invariants:
/// - The first `next` inputs were read by the call under way, or by the last one.
/// - An edge among the inputs knows its `place`. It leaves the inputs when it is disconnected, so its source is alive
///   until then.
/// - Edges hold the join, and the join holds the core. The core holds neither. While nothing is read, no edge is there.
///   The listen edge of an effect holds its join all the same.
///
/// Unchecked, because only the owner of the region uses the fields, but for those that are atomic.
@usableFromInline class ComputedCore: JoinBody, @unchecked Sendable {
    // In this order, the fields leave no gaps.
    @usableFromInline final let vertex: Vertex
    /// The join that fires this one. It holds this object, which does not hold it.
    final var join: Unmanaged<Join>?
    /// The number of calls so far, with the one under way. Any thread may read it.
    @usableFromInline final var callCount: UInt64 {
        get { counted.load(ordering: .relaxed) }
        set { counted.store(newValue, ordering: .relaxed) }
    }
    private final let counted = Atomic<UInt64>(0)
    /// The number of the firing phase in which the last call was completed.
    @exclusivity(unchecked) final var firingPhase: UInt64 = 0
    /// Fields that most bodies never need.
    @exclusivity(unchecked) @usableFromInline final var rare: Rare?
    @exclusivity(unchecked) @usableFromInline final var inputs = BodyInputs()
    /// The engine behind `caller`. Atomic, because a thread that uses another call's reader by mistake finds it here.
    private final let storedCaller = Atomic<Unmanaged<Engine>?>(nil)
    /// True while the maker computes the first value from the values that the nodes hold now: see FirstCall.swift.
    @exclusivity(unchecked) final var takesAll = false
    @exclusivity(unchecked) @usableFromInline final var state = BodyState.resting(mustCall: true)
    /// True once a node that a call has read could not be linked at once, because its graph was busy.
    @exclusivity(unchecked) final var isLinkLeft = false
    /// True once an effect has ended: it is called no more.
    @exclusivity(unchecked) final var isOver = false
    /// The cuts by other threads during the call under way: bit 1 stands for one input, bit 2 for all.
    private final let cuts = Atomic<UInt8>(0)
    /// The number of calls of an effect in that phase.
    @exclusivity(unchecked) final var rounds: UInt16 = 0
    /// The number behind `next`.
    @exclusivity(unchecked) @usableFromInline final var nextPlace: Int32 = 0
    /// The call of `computed` or `effect` that made this object. Messages name it.
    final let site: BodySite
    #if DEBUG
    /// The reads of the body around this one.
    @exclusivity(unchecked) final var outerReads = ReadPastReader()
    #endif

    /// The place of the input that is read next if the call reads as the last one did.
    @inlinable @inline(__always) final var next: Int {
        get { Int(nextPlace) }
        set { nextPlace = Int32(truncatingIfNeeded: newValue) }
    }

    /// The engine that is in the body, and not yet comparing; `nil` if none is.
    final var caller: Unmanaged<Engine>? {
        get { storedCaller.load(ordering: .relaxed) }
        set { storedCaller.store(newValue, ordering: .relaxed) }
    }

    @usableFromInline final class Rare {
        /// The lifetime that ends before the next call: see `NodeReader.lifetime`.
        @exclusivity(unchecked) var lifetime: Lifetime?
        /// True if the node was told to hold this object, even while the body reads nothing.
        @exclusivity(unchecked) var isHeldByHandle = false
        /// The place of each source among the inputs, while there are too many inputs for a search.
        @exclusivity(unchecked) var places: [UnsafeRawPointer: Int]?
    }
    /// The rare part, allocated if necessary.
    final var madeRare: Rare {
        if let rare { return rare }
        let made = Rare()
        rare = made
        return made
    }

    static let mostRounds = 10_000

    @usableFromInline init(at vertex: Vertex, _ site: BodySite) {
        (self.vertex, self.site) = (vertex, site)
    }
    deinit { rare?.lifetime?.cancel() }

    @usableFromInline final func hasArrived(by edge: AnyEdge) {
        if !state.isResting { state.arrive(byCaller: caller != nil || takesAll) }
        if unsafeDowncast(edge, to: AnyBodyEdge.self).isNotCompared { state.requireCall() }
    }
    @usableFromInline final func dropCall(evenIfUnread: Bool) {
        cuts.bitwiseOr(evenIfUnread ? 2 : 1, ordering: .releasing)
    }

    // MARK: A call

    /// Begins a call, and returns its number, and the engine's `bodyLevel` outside of it. The turn is this thread's.
    ///
    /// Returns `nil`, and ends the turn, if there is no call: nobody holds the node, the effect has ended, all values
    /// equal those that were read, or another value arrived while they were compared.
    @usableFromInline @inline(never) final func begin(_ engine: Engine) -> (call: UInt64, outer: Int)? {
        guard !vertex.hasEnded, !isOver else {
            endLifetime()
            engine.takeTurns(at: .passUnretained(vertex))
            return nil
        }
        let mustCall = state.begin()
        callCount &+= 1
        next = 0
        cuts.store(0, ordering: .relaxed)
        let hasLifetime = rare?.lifetime != nil
        if !mustCall, !inputsDiffer, !mayCall(engine) { return nil }
        if site.isEffect { countRound(in: engine) }
        let outer = engine.enterBody()
        #if DEBUG
        outerReads = engine.beginReads()
        #endif
        caller = .passUnretained(engine)
        if hasLifetime { endLifetime() }
        return (callCount, outer)
    }
    /// True if the value of an input differs from the one that the last call read.
    private final var inputsDiffer: Bool {
        for place in 0..<inputs.count {
            guard let input = inputs[place], input._withUnsafeGuaranteedRef({ $0.isChanged }) else { continue }
            // The edge may go while the user's `==` is called. `differs` does not touch it from then on.
            if input._withUnsafeGuaranteedRef({ $0.differs }) { return true }
        }
        return false
    }
    /// Ends a call before the body is called, because all inputs hold equal values. Returns true if the body has to be
    /// called all the same. If the answer is false, the turn has ended.
    private final func mayCall(_ engine: Engine) -> Bool {
        let skip = state.skip()
        if skip == .mustCall { return true }
        next = inputs.count
        if skip == .isSkipped {
            // Nothing has arrived since it began, so nothing refers to its number.
            callCount &-= 1
            // The edges are up to date for this firing phase as well.
            if firingPhase != engine.phase { (firingPhase, rounds) = (engine.phase, 0) }
        } else if let join {
            // An input has changed while values were compared.
            join._withUnsafeGuaranteedRef { $0.restart(in: engine) }
        }
        engine.observer?.firedNothing(vertex, skip == .isSkipped ? .unchanged : .givenUp)
        engine.takeTurns(at: .passUnretained(vertex))
        return false
    }
    /// Ends a call. Stores its result if that is new, and returns the edge that is called next.
    ///
    /// Compiled once for each value type, so that clients compile sooner.
    @inlinable @inline(never) final func end<Output: Sendable>(
        _ result: Output?, in engine: Engine, leavingTo outer: Int, isSame: (@Sendable (Output, Output) -> Bool)?
    ) -> NextEdge {
        Unmanaged.passUnretained(vertex)._withUnsafeGuaranteedRef { vertex in
            let cell = unsafeDowncast(vertex, to: ValueCell<Output>.self)
            leaveBody(engine, to: outer)
            guard var made = result else { return close(engine) }
            if let isSame, cell.holds({ isSame($0, made) }) { return close(engine, isSame: true) }
            guard endCall(engine) else { return close(engine) }
            let sent = engine.store(&made, in: cell, by: .firing)
            withExtendedLifetime(made) {}
            return sent
        }
    }
    /// Notes that the body has returned, and disconnects the inputs that it has not read.
    @usableFromInline final func leaveBody(_ engine: Engine, to outer: Int) {
        engine.leaveBody(to: outer)
        #if DEBUG
        if let read = engine.endReads(backTo: outerReads) { hasRead(pastReader: read) }
        outerReads = ReadPastReader()
        #endif
        caller = nil
        // Only the call itself changes these two.
        if next != inputs.count, !state.isRepeated { for edge in takeUnread() { edge.cancel() } }
    }
    /// Ends a call that leaves the value as it is.
    @usableFromInline @inline(never) final func close(_ engine: Engine, isSame: Bool = false) -> NextEdge {
        if cuts.load(ordering: .acquiring) != 0 { noteCuts() }
        let isRepeated = state.end(read: Int32(truncatingIfNeeded: next))
        engine.observer?.firedNothing(vertex, isRepeated ? .givenUp : isSame ? .same : .waits)
        if isRepeated {
            engine.enterCall(0)
            if let join { join._withUnsafeGuaranteedRef { $0.restart(in: engine, keepingArrivals: !takesAll) } }
        } else {
            firingPhase = engine.phase
        }
        engine.takeTurns(at: .passUnretained(vertex))
        return .nothing
    }
    /// Ends a call whose result is stored. Returns false, and does nothing, if the result has to be dropped.
    @usableFromInline final func endCall(_ engine: Engine) -> Bool {
        if cuts.load(ordering: .acquiring) != 0 { noteCuts() }
        guard state.isOpen else { return false }
        _ = state.end(read: 0)
        firingPhase = engine.phase
        return true
    }
    /// Has the result dropped if another thread has cut an input that the call has read, or all inputs.
    @inline(never) private final func noteCuts() {
        let wasRead =
            cuts.load(ordering: .relaxed) & 2 != 0
            || inputs.prefix(next).contains { $0?._withUnsafeGuaranteedRef { $0.awaitsRemoval } ?? false }
        state.lose(wasRead: wasRead)
    }
    /// Ends the process if an effect has set itself off too often. This thread has the turn.
    private final func countRound(in engine: Engine) {
        rounds = firingPhase == engine.phase ? rounds + 1 : 1
        guard rounds > ComputedCore.mostRounds else { return }
        let edges = inputs.compactMap { $0?.takeUnretainedValue() }
        let read = edges.compactMap { $0.source?.textAndOriginInMessages }.joined(separator: " and ")
        refuse(
            "a single set has run \(nameInMessages) \(ComputedCore.mostRounds) times, because it set itself off. It read \(read) in its last run: do not set a node that the effect reads, or only if that changes its value. (A value that does not equal itself, such as NaN, counts as changed each time.)"
        )
    }

    /// Gives a new node, whose inputs are busy, a value of what they hold, until it is connected. This thread owns the
    /// node's region.
    func loadFirst() {}

    /// Requires another call of the body in this firing phase, even if nothing arrives.
    final func requireCall(in engine: Engine) {
        state.requireCall()
        if let join { join._withUnsafeGuaranteedRef { $0.requireFiring(in: engine) } }
    }
    /// Returns true if an edge may be of no use: the call that is due, or under way, may not read its source again.
    ///
    /// `guessing`: True if an edge counts as such, too, whose body was not called in this firing phase.
    final func isOutdated(_ input: AnyBodyEdge, guessing: Bool, in engine: Engine) -> Bool {
        let place = Int(input.place)
        guard let join else { return false }
        let isDirty = join._withUnsafeGuaranteedRef { $0.isDirty } || state.isInCall
        if isDirty { return place < 0 || place >= (state.isInCall ? next : Int(state.confirmed)) }
        return guessing && firingPhase != engine.phase
    }
    /// Forgets an edge whose connection ends. From here on its source may go.
    @usableFromInline final func lose(_ edge: AnyEdge) {
        let input = unsafeDowncast(edge, to: AnyBodyEdge.self)
        guard input.place >= 0 else { return }
        state.lose(wasRead: input.place < next)
        inputs[Int(input.place)] = nil
        rare?.places = nil
        input.place = -1
    }
}

/// A core with its body. Unchecked, as `ComputedCore` is: it adds a constant.
@usableFromInline final class BodyCore<Output: Sendable>: ComputedCore, @unchecked Sendable {
    @usableFromInline let body: @Sendable (NodeReader) throws -> Output

    @inlinable init(at vertex: Vertex, _ site: BodySite, _ body: @escaping @Sendable (NodeReader) throws -> Output) {
        self.body = body
        super.init(at: vertex, site)
    }
    override func loadFirst() {
        let cell = unsafeDowncast(vertex, to: ValueCell<Output>.self)
        guard cell.value == nil, let result = NodeReader(self, NodeReader.unconnected).result(of: body) else { return }
        _ = cell.replace(with: result)
    }
    /// Calls the body of a join that fires, and stores the result. If `isSame` returns true for the present value and a
    /// new one, the new one is dropped.
    @inlinable @inline(__always) static func fire(
        _ join: Join, _ engine: Engine, isSame: (@Sendable (Output, Output) -> Bool)? = nil
    ) -> NextEdge {
        join.core._withUnsafeGuaranteedRef { core in
            guard let (call, outer) = core.begin(engine) else { return .nothing }
            let result = NodeReader(core, call).result(of: unsafeDowncast(core, to: BodyCore.self).body)
            return core.end(result, in: engine, leavingTo: outer, isSame: isSame)
        }
    }
}

extension Join {
    /// The core of a `computed` or `effect`. The join holds it.
    @inlinable @inline(__always) var core: Unmanaged<ComputedCore> {
        .passUnretained(unsafeDowncast(body.unsafelyUnwrapped, to: ComputedCore.self))
    }
}
