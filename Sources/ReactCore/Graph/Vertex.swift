import Synchronization

/// What the engine works on: a node's value, its edges, and whose turn it is. `AnyNode` is the handle that users hold.
///
/// Ownership (──▶ holds):
///
///     handle ──▶ vertex ──▶ upstream edges ──▶ their `from` handles      consumers hold producers
///                vertex ──▶ downstream edges ──▶ their target vertices   until the target's handle goes and cuts them
///
/// `word` is a lock and a turn in one. Its bits:
/// - `locked`: someone reads or writes the fields below. Held for a few instructions, never while user code runs.
/// - `busy`: someone delivers a value. Only that one writes the value, and so reads it without the lock; what else
///   would change it waits in `rare.queue`.
/// - `pending`: `rare` holds a queue, deferred releases or heirs, or an offer, for the one who delivers. Only set while busy.
/// - Above them, while the one whose turn it is has delivered nothing in it: the number of the thread. So it is told from who came
///   by before; see `enter`.
///
/// Invariants:
/// - While `locked` is set, nobody else changes `word`; so unlocking is a plain store.
/// - An edge in `listens` or `transforms` has this vertex as its source; one in `upstream` has it as its target.
/// - Nothing that `listens` or `transforms` held when a delivery began is let go before that delivery is over.
/// - The queue is empty while the vertex is idle, and nobody waits for the turn.
/// - Along an edge, unless it closes a ring through a join, `height` does not fall, and grows where the target is a join.
///
/// Unchecked, because every mutable field is written under the lock in `word`, and read under it or by the one who delivers.
@usableFromInline package class Vertex: @unchecked Sendable {
    @usableFromInline static let locked: UInt32 = 1
    @usableFromInline static let busy: UInt32 = 2
    static let pending: UInt32 = 4
    static let takerShift: UInt32 = 3
    /// In the place of a thread's number: the turn is another thread's than that of whoever asks.
    static let handedOn = UInt32.max << takerShift
    /// The bits of one who delivers.
    @inlinable static func delivering(_ bits: UInt32) -> UInt32 { bits & 7 }

    @usableFromInline final let word = Atomic<UInt32>(0)
    /// `height`, `isNearRing`, `isKnown`, `isJoin` and `isMutable` in one word, for size.
    @usableFromInline final let traits = Atomic<UInt32>(0)
    /// When a delivery last came by, by its clock; for the one who delivers.
    @exclusivity(unchecked) @usableFromInline package final var visited: UInt64 = 0
    @exclusivity(unchecked) @usableFromInline final var listens = EdgeSlots()
    @exclusivity(unchecked) @usableFromInline final var transforms = EdgeSlots()
    @exclusivity(unchecked) final var upstream = EdgeSlots()
    @exclusivity(unchecked) @usableFromInline final var rare: Rare?
    /// Set once before the vertex is shared, and `nil` again when the handle goes.
    @exclusivity(unchecked) final var knownHandle: Unmanaged<AnyNode>?
    /// See `serial`; 0 until that is asked for.
    final let serialSlot = Atomic<UInt>(0)

    @usableFromInline init() {
        #if DEBUG
        LiveObjects.vertices.add(1, ordering: .relaxed)
        #endif
    }
    deinit {
        listens.letGoOfEmptyList()
        transforms.letGoOfEmptyList()
        #if DEBUG
        LiveObjects.vertices.subtract(1, ordering: .releasing)
        #endif
    }

    /// What most vertices never need.
    @usableFromInline final class Rare {
        @exclusivity(unchecked) var queue = PendingQueue()
        /// How many of these belong to the set of who delivers.
        @exclusivity(unchecked) var ownWaiting = 0
        /// Whether who delivers has done enough for others, and who waits for the turn: see `HandingOn`.
        @exclusivity(unchecked) var isOffered = false
        @exclusivity(unchecked) var heirs: [Heir] = []
        /// What the one who delivers may still walk; let go of when the delivery is over.
        @exclusivity(unchecked) var deferred = Deferred()
        /// Transforms that leave from here and lead nowhere yet. Not held: an edge that goes takes itself out.
        @exclusivity(unchecked) var dangling: EdgeList?
        /// What came for edges that were catching up with the value here. For each of these, its delivery takes it, or its cut.
        @exclusivity(unchecked) var replayBuffers: [ObjectIdentifier: ReplayBuffer] = [:]
        /// What has to be there until a trail no longer names it, though the edge has gone that held it.
        @exclusivity(unchecked) var keptOnTrail: [AnyObject] = []
        /// How often an own value had to wait here in the transaction of who delivers: see `FeedbackCount`.
        @exclusivity(unchecked) var feedback = FeedbackCount()
        @exclusivity(unchecked) var name: String?
        @exclusivity(unchecked) var isRedacted = false
        /// What is held until the handle goes.
        @exclusivity(unchecked) var heldByHandle: AnyObject?
        /// The switch whose branch the vertex is.
        @exclusivity(unchecked) var junction: Junction?
        /// What a pulse has displaced.
        @exclusivity(unchecked) var displaced: DisplacedValue?
    }
    /// The rare part, made if needed. The lock is held.
    final var rareLocked: Rare {
        if let rare { return rare }
        let made = Rare()
        rare = made
        return made
    }

    /// Called when the handle goes.
    func handleEnds() { preconditionFailure("abstract") }

    // What only the type knows.
    /// Whether there is no value. Called under the lock.
    @usableFromInline var holdsNothing: Bool { preconditionFailure("abstract") }
    /// What the value says of itself. Runs user code, and tells what is redacted: `shownValue()` is for others.
    func describedValue() -> String? { preconditionFailure("abstract") }
    package var valueType: Any.Type { preconditionFailure("abstract") }
    /// Where the value is. Called under the lock.
    package var storedValue: StoredValue { preconditionFailure("abstract") }
    /// A vertex apart from the graph with this one's value. Called under the lock.
    func copyOfValue() -> Vertex { preconditionFailure("abstract") }
    /// The same if there is a value.
    func copyForReplay() -> Vertex? { preconditionFailure("abstract") }
    /// Takes the value away, and tells nobody, where `condition`, asked under the lock, holds; answers whether it does.
    @discardableResult func forgetValue(if condition: (UInt32) -> Bool) -> Bool { preconditionFailure("abstract") }
    /// Puts the value back that a pulse has displaced by a visit, unless there was a later set. Does nothing if a thread delivers here,
    /// unless that is this thread, which is `inTurn`; returns false then.
    func restoreValue(displacedBy visit: UInt64, inTurn: Bool) -> Bool { preconditionFailure("abstract") }
}

/// Where the branches of a switch have their values from, to which no edge leads: the switch's vertex, while the linking stands by
/// which values come there. So a branch is as secret as its switch, whenever that was redacted.
@usableFromInline package final class Junction: Sendable {
    private let held: Lock<Vertex?>

    init(_ vertex: Vertex?) { held = Lock(vertex) }

    var vertex: Vertex? { held.withLock { $0 } }
    /// The linking has ended.
    @usableFromInline package func end() { _ = held.withLock { $0.take() } }
}

// MARK: - The lock

extension Vertex {
    /// Tells the vertex from others at the points of a schedule.
    @inlinable package final var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
    /// Takes the lock; returns the other bits, for `unlock`.
    @inlinable @inline(__always) final func lock() -> UInt32 { lockAtOnce() ?? lockContended() }
    /// The same; fails where somebody has it.
    @inlinable @inline(__always) final func lockAtOnce() -> UInt32? {
        ScheduleFaults.pause(at: .vertexIsToBeLocked, of: address)
        let bits = word.load(ordering: .relaxed) & ~Vertex.locked
        guard
            word.compareExchange(
                expected: bits, desired: bits | Vertex.locked, successOrdering: .acquiring, failureOrdering: .relaxed
            ).exchanged
        else { return nil }
        ScheduleFaults.pause(at: .vertexIsLocked, of: address)
        return bits
    }
    @inlinable @inline(__always) final func unlock(_ bits: UInt32) {
        let address = address  // asked for while the vertex is there for sure
        ScheduleFaults.pause(at: .vertexIsToBeUnlocked, of: address)
        word.store(bits, ordering: .releasing)
        ScheduleFaults.pause(at: .vertexIsUnlocked, of: address)
    }
    /// Changes the other bits. Precondition: the lock is held.
    final func relock(_ bits: UInt32) { word.store(bits | Vertex.locked, ordering: .relaxed) }
    @inline(__always) final func locking<R>(_ body: () -> R) -> R {
        let bits = lock()
        defer { unlock(bits) }
        return body()
    }
    @usableFromInline @inline(never) final func lockContended() -> UInt32 {
        var waiting = Waiting()
        while true {
            // Looked at before, for to fail takes the word from the one who has it.
            if word.load(ordering: .relaxed) & Vertex.locked == 0, let bits = lockAtOnce() { return bits }
            waiting.wait(for: address)
        }
    }
}

// MARK: - Traits

extension Vertex {
    /// Whether the node may be set from outside.
    @inlinable final var isMutable: Bool { has(Vertex.mutable) }
    /// Whether values come by a join.
    final var isJoin: Bool { has(Vertex.join) }
    /// Whether the graph observer knows the vertex: it is told when its handle goes.
    package final var isKnown: Bool { has(Vertex.known) }
    /// Whether it is downstream of an edge that closes a ring through a join, or has been.
    final var isNearRing: Bool { has(Vertex.nearRing) }
    /// No less than how many joins are upstream of this one in a row, edges that close a ring apart.
    final var height: UInt32 { traits.load(ordering: .relaxed) >> Vertex.heightShift }
    static let heightLimit: UInt32 = UInt32.max >> heightShift
    /// The lowest height of joins that fire after effects, and of all that is downstream of these; see `JoinRank`.
    static let lateHeight: UInt32 = heightLimit / 2 + 1

    // The bits of `traits`: the height is above them.
    @inlinable static var mutable: UInt32 { 1 }
    private static let join: UInt32 = 2
    private static let known: UInt32 = 4
    private static let nearRing: UInt32 = 8
    private static let heightShift: UInt32 = 4
    @inlinable @inline(__always) final func has(_ trait: UInt32) -> Bool {
        traits.load(ordering: .relaxed) & trait != 0
    }

    final func becomeMutable() { traits.bitwiseOr(Vertex.mutable, ordering: .relaxed) }
    /// The same for a vertex that nobody else knows.
    @inlinable final func beginMutable() {
        traits.store(traits.load(ordering: .relaxed) | Vertex.mutable, ordering: .relaxed)
    }
    final func becomeJoin() { traits.bitwiseOr(Vertex.join, ordering: .relaxed) }
    final func becomeNearRing() { traits.bitwiseOr(Vertex.nearRing, ordering: .relaxed) }
    package final func becomeKnown() { traits.bitwiseOr(Vertex.known, ordering: .relaxed) }
    /// Has all that is made here fire after effects. Nobody else knows the vertex yet.
    @usableFromInline final func beginLate() { setHeight(Vertex.lateHeight) }
    /// Precondition: the lock is held.
    final func setHeight(_ height: UInt32) {
        require(height <= Vertex.heightLimit, "more than \(Vertex.heightLimit) combinations stand one below the other")
        let old = traits.load(ordering: .relaxed)
        traits.wrappingAdd((height &- (old >> Vertex.heightShift)) << Vertex.heightShift, ordering: .relaxed)
    }
}

extension Vertex {
    /// Names the vertex on record. See `SerialNumber`.
    package final var serial: UInt { SerialNumber.number(in: serialSlot) }
}
