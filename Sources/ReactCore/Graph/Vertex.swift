import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

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
/// - `pending`: `rare` holds a queue, or remains, for the one who delivers. Only set while busy.
///
/// Invariants:
/// - While `locked` is set, nobody else changes `word`; so unlocking is a plain store.
/// - An edge in `listens` or `transforms` has this vertex as its source; one in `upstream` has it as its target.
/// - Nothing that `listens` or `transforms` held when a delivery began is let go before that delivery is over.
/// - The queue is empty while the vertex is idle.
/// - Along an edge that counts, `rank` does not fall, and grows where the target is a join.
///
/// Unchecked, because every mutable field is written under the lock in `word`, or under `Structure`'s lock where said.
@usableFromInline class Vertex: @unchecked Sendable {
    @usableFromInline static let locked: UInt32 = 1
    @usableFromInline static let busy: UInt32 = 2
    static let pending: UInt32 = 4

    @usableFromInline final let word = Atomic<UInt32>(0)
    /// `rank`, `isJoin` and `isMutable` in one word, for size.
    @usableFromInline final let traits = Atomic<UInt32>(0)
    /// When a propagation last came by (`Propagation.now`); for the one who delivers.
    @exclusivity(unchecked) @usableFromInline final var visited: UInt64 = 0
    @exclusivity(unchecked) @usableFromInline final var listens = EdgeSlots()
    @exclusivity(unchecked) @usableFromInline final var transforms = EdgeSlots()
    /// Guarded by `Structure`'s lock alone.
    @exclusivity(unchecked) final var upstream = EdgeSlots()
    @exclusivity(unchecked) @usableFromInline final var rare: Rare?
    @exclusivity(unchecked) private final var knownHandle: Unmanaged<AnyNode>?

    @usableFromInline init() {
        #if DEBUG
        LiveObjects.vertices.add(1, ordering: .relaxed)
        #endif
    }
    #if DEBUG
    deinit { LiveObjects.vertices.subtract(1, ordering: .releasing) }
    #endif

    /// What most vertices never need.
    @usableFromInline final class Rare {
        @exclusivity(unchecked) var queue = Queue<Propagation.Turn>()
        /// What the one who delivers may still walk; let go when the delivery is over.
        @exclusivity(unchecked) var remains = Remains()
        /// Transforms that leave from here and lead nowhere yet.
        @exclusivity(unchecked) var dangling: [WeakEdge] = []
        /// Values that came while an edge was taking over the present one.
        @exclusivity(unchecked) var mailboxes: [Mailbox] = []
        /// Edges that were linked during the delivery under way, and have had its value.
        @exclusivity(unchecked) var late: [ObjectIdentifier] = []
        @exclusivity(unchecked) var name: String?
        @exclusivity(unchecked) var isRedacted = false

        /// Called when a delivery ends, and when one begins while the vertex is busy already.
        func forgetLate() {
            if !late.isEmpty { late = [] }
        }
    }
    struct WeakEdge {
        weak var edge: AnyEdge?
        let id: ObjectIdentifier
    }

    // What only the type knows.
    /// Whether there is no value. Called under the lock.
    var holdsNothing: Bool { preconditionFailure("abstract") }
    /// What the value says of itself. Runs user code, and tells what is redacted: `shownValue()` is for others.
    func describedValue() -> String? { preconditionFailure("abstract") }
    var valueType: Any.Type { preconditionFailure("abstract") }
    /// A vertex apart from the graph with this one's value. Called under the lock.
    func copyOfValue() -> Vertex { preconditionFailure("abstract") }
}

// MARK: - The handle

extension Vertex {
    /// The node that users hold, unless the last of them has let it go.
    ///
    /// The vertex does not hold it; and a `weak` property would cost each node an allocation, and all retains of it a way
    /// round, for what few are ever asked. So a weak reference is made in the moment in which somebody asks. That is safe
    /// under the lock: the handle takes it when it goes, before its memory does.
    final var handle: AnyNode? { locking { knownHandle?.whileAlive } }

    /// Whether users still hold it. The lock is held.
    final var hasHandle: Bool { knownHandle != nil }
    /// Called once, before the vertex is shared.
    @usableFromInline final func beginHandle(_ node: AnyNode) { knownHandle = .passUnretained(node) }
    /// Called by the handle's `deinit`.
    final func endHandle() { locking { knownHandle = nil } }
}

extension Unmanaged {
    /// The object, held, or `nil` if its `deinit` has begun. Precondition: its memory is still there.
    ///
    /// May be asked under a lock that the `deinit` takes: it lets go of no last hold. An unoptimised build takes and lets go
    /// of holds on the way; the first one here is there before them, and goes when the answer holds the object.
    package var whileAlive: Instance? {
        @inline(never) get {
            let first = retain()
            defer { first.release() }
            return _withUnsafeGuaranteedRef { object in
                weak let reference = object
                return reference
            }
        }
    }
}

/// A vertex with its value, if it has one.
@usableFromInline typealias Store<Value: Sendable> = OptionalStore<Value?>

/// What `Store` is. The parameter is the optional, not the value: so the class's own metadata has that type at hand
/// where the code is not specialised, as in `deinit`, and looks up none for each node.
///
/// Unchecked, because the value is written under the lock alone, and by the one who delivers.
@usableFromInline final class OptionalStore<Held: Holdable & Sendable>: Vertex, @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var value: Held

    @inlinable init(_ value: consuming Held) {
        self.value = value
        super.init()
    }

    override var holdsNothing: Bool { value.isNothing }
    override func describedValue() -> String? { read().describedIfAny }
    override var valueType: Any.Type { Held.wrappedType }
    override func copyOfValue() -> Vertex { OptionalStore(value) }

    @inlinable func read() -> Held {
        let bits = lock()
        let value = self.value
        unlock(bits)
        return value
    }
}

/// An optional.
@usableFromInline protocol Holdable {
    var isNothing: Bool { get }
    var describedIfAny: String? { get }
    static var wrappedType: Any.Type { get }
}
extension Optional: Holdable {
    @usableFromInline var isNothing: Bool { self == nil }
    @usableFromInline var describedIfAny: String? { map { String(describing: $0) } }
    @usableFromInline static var wrappedType: Any.Type { Wrapped.self }
}

// MARK: - Traits

extension Vertex {
    /// Whether the node may be set from outside.
    @inlinable final var isMutable: Bool { traits.load(ordering: .relaxed) & 1 != 0 }
    /// Whether values come by a `Join`.
    final var isJoin: Bool { traits.load(ordering: .relaxed) & 2 != 0 }
    /// The joins upstream of this one, at most; changed under `Structure`'s lock as well.
    final var rank: UInt32 { traits.load(ordering: .relaxed) >> 2 }

    static let greatestRank = UInt32.max >> 2

    final func becomeMutable() { traits.bitwiseOr(1, ordering: .relaxed) }
    /// The same for a vertex that nobody else knows.
    @inlinable final func beginMutable() { traits.store(1, ordering: .relaxed) }
    final func becomeJoin() { traits.bitwiseOr(2, ordering: .relaxed) }
    /// Precondition: `Structure`'s lock is held.
    final func setRank(_ rank: UInt32) {
        let old = traits.load(ordering: .relaxed)
        traits.wrappingAdd((rank &- (old >> 2)) << 2, ordering: .relaxed)
    }
    /// Marks the lists that a delivery is going to walk.
    final func markWalked() {
        listens.markWalked()
        transforms.markWalked()
    }
}

// MARK: - The lock

extension Vertex {
    /// What tells this vertex from others at the points of a schedule.
    @inlinable final var place: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
    /// Takes the lock; returns the other bits, for `unlock`.
    @inlinable @inline(__always) final func lock() -> UInt32 {
        ScheduleFaults.pause(at: .vertexIsToBeLocked, of: place)
        let bits = word.load(ordering: .relaxed) & ~Vertex.locked
        if word.compareExchange(
            expected: bits, desired: bits | Vertex.locked, successOrdering: .acquiring, failureOrdering: .relaxed
        ).exchanged {
            ScheduleFaults.pause(at: .vertexIsLocked, of: place)
            return bits
        }
        return lockContended()
    }
    @inlinable @inline(__always) final func unlock(_ bits: UInt32) {
        let place = place  // asked for while the vertex is there for sure
        ScheduleFaults.pause(at: .vertexIsToBeUnlocked, of: place)
        word.store(bits, ordering: .releasing)
        ScheduleFaults.pause(at: .vertexIsUnlocked, of: place)
    }
    /// Changes the other bits. Precondition: the lock is held.
    final func relock(_ bits: UInt32) { word.store(bits | Vertex.locked, ordering: .relaxed) }
    @inline(__always) final func locking<R>(_ body: () -> R) -> R {
        let bits = lock()
        defer { unlock(bits) }
        return body()
    }
    /// Spins a little, then sleeps: whoever holds the lock is a few instructions from letting go, or was preempted,
    /// and must get to run even where this thread has the higher priority.
    @usableFromInline @inline(never) final func lockContended() -> UInt32 {
        var attempt = 0
        while true {
            let bits = word.load(ordering: .relaxed)
            if bits & Vertex.locked == 0,
                word.weakCompareExchange(
                    expected: bits, desired: bits | Vertex.locked,
                    successOrdering: .acquiring, failureOrdering: .relaxed
                ).exchanged
            {
                ScheduleFaults.pause(at: .vertexIsLocked, of: place)
                return bits
            }
            if ScheduleFaults.handsOn(for: place) { continue }
            attempt += 1
            if attempt > 200 {
                usleep(20)
            } else if attempt > 40 {
                sched_yield()
            }
        }
    }
}

// MARK: - Turns

extension Vertex {
    /// Takes the idle vertex's turn to deliver, with the lock held; fails where it is locked or busy.
    @inlinable @inline(__always) final func enterIfIdle() -> Bool {
        ScheduleFaults.pause(at: .turnIsToBeTaken, of: place)
        guard
            word.compareExchange(
                expected: 0, desired: Vertex.locked | Vertex.busy, successOrdering: .acquiring,
                failureOrdering: .relaxed
            ).exchanged
        else { return false }
        ScheduleFaults.pause(at: .turnIsTaken, of: place)
        return true
    }
    enum Entry {
        /// The turn is this thread's, and the lock is held.
        case entered
        /// The turn is someone's; so many now wait for it.
        case queued(Int)
        case refused
    }
    /// Takes the turn to deliver, or queues `turn` if it is someone's already. Does neither where `condition`, asked under
    /// the lock, does not hold.
    final func enter(orQueue turn: Propagation.Turn, if condition: (UInt32) -> Bool = { _ in true }) -> Entry {
        let bits = lock()
        guard condition(bits) else {
            unlock(bits)
            return .refused
        }
        if bits & Vertex.busy == 0 {
            relock(Vertex.busy)
            return .entered
        }
        rareLocked.queue.append(turn)
        let count = rareLocked.queue.count
        unlock(bits | Vertex.pending)
        return .queued(count)
    }
    /// Ends the turn if nothing waits.
    @inline(__always) final func leaveIfNothingPending() -> Bool {
        let place = place
        ScheduleFaults.pause(at: .turnIsToEnd, of: place)
        defer { ScheduleFaults.pause(at: .turnHasEnded, of: place) }
        return word.compareExchange(
            expected: Vertex.busy, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed
        ).exchanged
    }
    /// Ends the turn, or keeps it and returns what is to be delivered next.
    @inline(never) final func leaveOrTakeNext() -> Propagation.Turn? {
        let bits = lock()
        guard bits & Vertex.pending != 0, let rare else {
            unlock(0)
            return nil
        }
        var remains = Remains()
        swap(&remains, &rare.remains)
        rare.forgetLate()
        let next = rare.queue.popFirst()
        unlock(next == nil ? 0 : rare.queue.isEmpty ? Vertex.busy : Vertex.busy | Vertex.pending)
        return next
    }
    /// Called before a vertex that is busy already is given a value. The lock is held.
    @inlinable final func beginDelivery() {
        if rare != nil { forgetLate() }
    }
    @usableFromInline final func forgetLate() { rare?.forgetLate() }
    /// Whether an edge that is marked as late is to be called after all: so in any delivery after the one under way when it
    /// was linked. It is late no more, then. Called by the one who delivers.
    final func admits(_ edge: AnyEdge, _ link: UInt64) -> Bool {
        locking {
            guard let rare, !rare.late.contains(ObjectIdentifier(edge)) else { return false }
            // While the edge takes over, its link stays as it is: the mailbox is for that.
            if link & Link.takingOver == 0 { edge.clear(Link.late, in: link) }
            return true
        }
    }
    /// The rare part, made if needed. The lock is held.
    final var rareLocked: Rare {
        if let rare { return rare }
        let made = Rare()
        rare = made
        return made
    }
}
