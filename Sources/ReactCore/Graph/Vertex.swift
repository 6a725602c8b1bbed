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
/// - `pending`: `rare` holds a queue, or deferred releases, for the one who delivers. Only set while busy.
///
/// Invariants:
/// - While `locked` is set, nobody else changes `word`; so unlocking is a plain store.
/// - An edge in `listens` or `transforms` has this vertex as its source; one in `upstream` has it as its target.
/// - Nothing that `listens` or `transforms` held when a delivery began is let go before that delivery is over.
/// - The queue is empty while the vertex is idle.
/// - Along an edge, unless it closes a ring through a join, `height` does not fall, and grows where the target is a join.
///
/// Unchecked, because every mutable field is written under the lock in `word`, and read under it or by the one who delivers.
@usableFromInline class Vertex: @unchecked Sendable {
    @usableFromInline static let locked: UInt32 = 1
    @usableFromInline static let busy: UInt32 = 2
    static let pending: UInt32 = 4

    @usableFromInline final let word = Atomic<UInt32>(0)
    /// `height`, `isKnown`, `isJoin` and `isMutable` in one word, for size.
    @usableFromInline final let traits = Atomic<UInt32>(0)
    /// When a delivery last came by, by its clock; for the one who delivers.
    @exclusivity(unchecked) @usableFromInline final var visited: UInt64 = 0
    @exclusivity(unchecked) @usableFromInline final var listens = EdgeSlots()
    @exclusivity(unchecked) @usableFromInline final var transforms = EdgeSlots()
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
        @exclusivity(unchecked) var queue = Queue<PendingUpdate>()
        /// What the one who delivers may still walk; let go of when the delivery is over.
        @exclusivity(unchecked) var deferred = Deferred()
        /// Transforms that leave from here and lead nowhere yet. Not held: an edge that goes takes itself out.
        @exclusivity(unchecked) var dangling: EdgeList?
        @exclusivity(unchecked) var name: String?
        @exclusivity(unchecked) var isRedacted = false
    }
    /// The rare part, made if needed. The lock is held.
    final var rareLocked: Rare {
        if let rare { return rare }
        let made = Rare()
        rare = made
        return made
    }

    // What only the type knows.
    /// Whether there is no value. Called under the lock.
    var holdsNothing: Bool { preconditionFailure("abstract") }
    /// What the value says of itself. Runs user code, and tells what is redacted: `shownValue()` is for others.
    func describedValue() -> String? { preconditionFailure("abstract") }
    var valueType: Any.Type { preconditionFailure("abstract") }
    /// Copies the value to where a recorder keeps it; returns `record` with the marks of that. Called under the lock.
    func keepValue(in cell: UnsafeMutableRawPointer, for record: Record) -> Record { preconditionFailure("abstract") }
    /// A vertex apart from the graph with this one's value. Called under the lock.
    func copyOfValue() -> Vertex { preconditionFailure("abstract") }
    /// The same, where there is a value.
    func copyIfAny() -> Vertex? { preconditionFailure("abstract") }
    /// Takes the value away, and tells nobody, where `condition`, asked under the lock, holds; answers whether it does.
    @discardableResult func forgetValue(if condition: (UInt32) -> Bool) -> Bool { preconditionFailure("abstract") }
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
    final func endHandle() {
        var name: String?
        var isRedacted = false
        locking {
            knownHandle = nil
            if isKnown { (name, isRedacted) = (rare?.name, rare?.isRedacted ?? false) }
        }
        if isKnown { RecordedObjects.left(self, named: name, isRedacted: isRedacted) }
    }
    /// Marks the vertex as known to recorders; fails where that was done, or the handle has gone.
    final func markKnown() -> Bool {
        locking {
            guard knownHandle != nil, !isKnown else { return false }
            traits.bitwiseOr(4, ordering: .relaxed)
            return true
        }
    }
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

// MARK: - Traits

extension Vertex {
    /// Whether the node may be set from outside.
    @inlinable final var isMutable: Bool { traits.load(ordering: .relaxed) & 1 != 0 }
    /// Whether values come by a join.
    final var isJoin: Bool { traits.load(ordering: .relaxed) & 2 != 0 }
    /// How many joins are upstream of this one in a row, at most.
    final var height: UInt32 { traits.load(ordering: .relaxed) >> 3 }
    static let heightLimit: UInt32 = UInt32.max >> 3
    /// Whether recorders know the vertex: `RecordedObjects` is told when its handle goes.
    final var isKnown: Bool { traits.load(ordering: .relaxed) & 4 != 0 }

    final func becomeMutable() { traits.bitwiseOr(1, ordering: .relaxed) }
    /// The same for a vertex that nobody else knows.
    @inlinable final func beginMutable() {
        traits.store(traits.load(ordering: .relaxed) | 1, ordering: .relaxed)
    }
    final func becomeJoin() { traits.bitwiseOr(2, ordering: .relaxed) }
    /// Precondition: the lock is held.
    final func setHeight(_ height: UInt32) {
        require(height <= Vertex.heightLimit, "more than \(Vertex.heightLimit) combinations stand one below the other")
        let old = traits.load(ordering: .relaxed)
        traits.wrappingAdd((height &- (old >> 3)) << 3, ordering: .relaxed)
    }
}
