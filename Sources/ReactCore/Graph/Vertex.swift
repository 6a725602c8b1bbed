import Synchronization

/// The engine's side of a node: its value, its edges, and its turn. `AnyNode` is the handle that users hold.
///
/// Ownership (──▶ holds):
///
///     handle ──▶ vertex ──▶ upstream edges ──▶ their `from` handles      consumers hold producers
///                vertex ──▶ downstream edges ──▶ their target vertices   until the target's handle goes and cuts them
///
/// **Who writes what.** Only the owner of the vertex's region changes the value, the turn, the lists of edges that
/// leave from here, the epoch and `ownerState`; he reads them without a lock. Other threads read the value by `read`,
/// and the lists under the lock, under which the owner changes them. The list of edges that lead here, the handle and
/// `coldState` are read and written under the lock, by any thread.
///
/// `turn` says if the vertex delivers a value. Its bits:
/// - `busy`: the vertex delivers a value, and other deliveries wait in `ownerState.queue`.
/// - `pending`: `ownerState` holds a queue or deferred releases, which the owner has to look at. Only set while busy.
/// - `taken`: nothing has been delivered in this turn yet. Only set while busy.
///
/// Invariants:
/// - The lock is held for a few instructions, or while a list of edges is copied, enlarged or compacted, and never
///   while user code runs.
/// - An edge in `listens` or `transforms` has this vertex as its source; an edge in `upstream` has it as its target.
/// - An object that `listens` or `transforms` held when a delivery began is not released before that delivery is over.
/// - While the vertex is idle, the queue is empty.
/// - Along an edge, unless it is a back edge, `height` does not fall, and grows if the target is a join.
///
/// Unchecked, because of these rules.
@usableFromInline package class Vertex: @unchecked Sendable {
    @usableFromInline static let busy: UInt32 = 2
    @usableFromInline static let pending: UInt32 = 4
    /// The turn of a busy vertex that has delivered nothing. See above.
    @usableFromInline package static let taken: UInt32 = 8 | busy

    /// 1 while a thread has the lock, otherwise 0.
    @usableFromInline final let lockWord = Atomic<UInt32>(0)
    /// See above. Any thread may read it.
    @usableFromInline final let turnWord = Atomic<UInt32>(0)
    /// The region in which the vertex was made, held; `nil` until somebody asks for it. See `Vertex.region`.
    final let home = Atomic<Unmanaged<Region>?>(nil)
    /// The height and the flags, in one word for size: `isAskedAbout`, `mayFall`, `hasLostUpstream`, `isAfterBackEdge`,
    /// `mayBeHeldBack`, `isKnown`, `isJoin`, `isMutable`, `hasEnded`, and the one of a front value.
    @usableFromInline final let flags = AtomicFlags()
    /// The number of stores so far, times two, plus 1 while the owner writes plain data: see `OptionalValueCell`.
    @usableFromInline final let sequence = Atomic<UInt32>(0)
    /// The epoch of the last pass that reached the vertex. Only the owner writes it.
    @exclusivity(unchecked) @usableFromInline final var lastEpoch: UInt64 = 0
    @exclusivity(unchecked) @usableFromInline final var listens = EdgeStorage()
    @exclusivity(unchecked) @usableFromInline final var transforms = EdgeStorage()
    @exclusivity(unchecked) final var upstream = EdgeStorage()
    @exclusivity(unchecked) final var coldState: ColdState?
    @exclusivity(unchecked) final var ownerState: OwnerState?
    /// Set once before the vertex is shared, and `nil` again when the handle goes.
    @exclusivity(unchecked) final var knownHandle: Unmanaged<AnyNode>?
    /// The slot of `serial`; 0 until that is first asked for.
    @usableFromInline package final let serialSlot = Atomic<UInt>(0)

    @usableFromInline init() {
        #if DEBUG
        InstanceCounts.vertices.add(1, ordering: .relaxed)
        #endif
    }
    deinit {
        listens.letGoOfEmptyList()
        transforms.letGoOfEmptyList()
        upstream.letGoOfEmptyList()
        home.load(ordering: .relaxed)?.release()
        #if DEBUG
        InstanceCounts.vertices.subtract(1, ordering: .releasing)
        #endif
    }

    /// Fields that most vertices never need, for the owner of the region.
    final class OwnerState {
        @exclusivity(unchecked) var queue = Queue<PendingDelivery>()
        /// Objects that the owner may still be walking, released when the delivery is over.
        @exclusivity(unchecked) var deferred = DeferredReleases()
        /// The values for edges that are catching up with the value here. Each buffer is removed when it has been
        /// delivered, or when its edge is cut.
        @exclusivity(unchecked) var catchUpBuffers: [ObjectIdentifier: CatchUpBuffer] = [:]
        /// Counts values of the owner's transaction that had to wait here: see `FeedbackCount`.
        @exclusivity(unchecked) var feedback = FeedbackCount()
        /// The value that a pulse has displaced.
        @exclusivity(unchecked) var displaced: DisplacedValue?
        /// At most the number of the highest inputs, which hold the vertex at its height; 0 if that is not known. See
        /// `Heights.lower`.
        @exclusivity(unchecked) var highestInputs = 0
    }
    /// The rare part for the owner, allocated if necessary.
    final var madeOwnerState: OwnerState {
        if let ownerState { return ownerState }
        let made = OwnerState()
        ownerState = made
        return made
    }
    /// Fields that most vertices never need. Used under the lock.
    final class ColdState {
        /// Transforms that leave from here and lead nowhere yet. Not held: an edge that goes takes itself out.
        @exclusivity(unchecked) var halfConnected: EdgeList?
        @exclusivity(unchecked) var name: String?
        @exclusivity(unchecked) var isRedacted = false
        /// The object that is held until the handle goes.
        @exclusivity(unchecked) var heldByHandle: AnyObject?
        /// The switch whose branch the vertex is.
        @exclusivity(unchecked) var junction: SwitchSource?
        /// The branches of a switch that askers ask about: see Askers.swift.
        @exclusivity(unchecked) var branchesAskedAbout: [WeakVertex] = []
    }
    /// The rare part, allocated if necessary. The lock is held.
    final var coldStateLocked: ColdState {
        if let coldState { return coldState }
        let made = ColdState()
        coldState = made
        return made
    }

    /// Called when the handle goes.
    func handleEnds() { preconditionFailure("abstract") }

    // Members that only the typed subclass can implement.
    /// True if there is no value. Called by the owner.
    @usableFromInline var isEmpty: Bool { preconditionFailure("abstract") }
    /// True if there is no value. Any thread.
    var readsEmpty: Bool { preconditionFailure("abstract") }
    /// The value's description. Runs user code, and does not heed redaction; other callers use
    /// `shownValue(isRedacted:)`, which does.
    func describedValue() -> String? { preconditionFailure("abstract") }
    package var valueType: Any.Type { preconditionFailure("abstract") }
    /// The place of the value, which only the owner uses.
    package var storedValue: StoredValue { preconditionFailure("abstract") }
    /// Returns a vertex apart from the graph with a copy of the value. Called by the owner.
    package func copyOfValue() -> Vertex { preconditionFailure("abstract") }
    /// Returns such a copy, and the number of the store that has brought the value: see `sequence`. Any thread.
    func readCopy() -> (value: Vertex, store: UInt32) { preconditionFailure("abstract") }
    /// Copies the value of `other`, whose turn this thread has. This vertex has the same type, and is apart from the
    /// graph. A value that it held is released at the end, which may run user code.
    package func copyValue(from other: Vertex) { preconditionFailure("abstract") }
    /// Moves the value to a new vertex, and returns that. Both are apart from the graph.
    package func movedValue() -> Vertex { preconditionFailure("abstract") }
    /// Removes the value, and tells nobody.
    func forgetValue() { preconditionFailure("abstract") }
    /// Restores the value that a pulse has displaced in an epoch, unless there was a later set. Called by the owner,
    /// while nothing is being delivered here.
    func restoreValue(displacedIn epoch: UInt64) { preconditionFailure("abstract") }
}

/// The vertex of a switch, from which its branches have their values although no edge leads to them. It is set while
/// the connection exists by which these values come. So a branch counts as redacted whenever its switch is.
@usableFromInline package final class SwitchSource: Sendable {
    private let held: Lock<Vertex?>

    package init(_ vertex: Vertex?) { held = Lock(vertex) }

    var vertex: Vertex? { held.withLock { $0 } }
    /// Notes that the connection has ended.
    @usableFromInline package func end() { _ = held.withLock { $0.take() } }
}

extension AnyNode {
    /// The origin of a branch's values; `nil` for every other node. Set while the node has no edges and no region. From
    /// then on, it is in the region of the switch, which stores values here.
    @usableFromInline package final var junction: SwitchSource? {
        get { vertex.locking { vertex.coldState?.junction } }
        set {
            // No edge leads to the branch, but nodes derived from it must fire after the joins upstream of the switch.
            // Joins that come to stand upstream later are not known yet.
            if let origin = newValue?.vertex { vertex.enter(origin.region) }
            let (height, inheritedFlags) = newValue?.vertex.map { ($0.height, $0.inheritedFlags) } ?? (0, 0)
            vertex.locking {
                vertex.coldStateLocked.junction = newValue
                if height > vertex.height { vertex.setHeight(height) }
                vertex.add(inheritedFlags: inheritedFlags)
            }
        }
    }
}

// MARK: - The lock

extension Vertex {
    /// The address by which schedule points tell the vertex from others.
    @inlinable package final var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
    @inlinable @inline(__always) final func lock() { if !lockAtOnce() { lockContended() } }
    /// Takes the lock. Fails if another thread has it.
    @inlinable @inline(__always) final func lockAtOnce() -> Bool {
        ScheduleFuzzing.pause(at: .vertexIsToBeLocked, of: address)
        let isMine = lockWord.compareExchange(
            expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed
        ).exchanged
        if isMine { ScheduleFuzzing.pause(at: .vertexIsLocked, of: address) }
        return isMine
    }
    @inlinable @inline(__always) final func unlock() {
        let address = address  // asked for while the vertex is there for sure
        ScheduleFuzzing.pause(at: .vertexIsToBeUnlocked, of: address)
        // The optimiser moves the retain of an object that was read here past an atomic store, but not past a fence.
        atomicMemoryFence(ordering: .releasing)
        lockWord.store(0, ordering: .releasing)
        ScheduleFuzzing.pause(at: .vertexIsUnlocked, of: address)
    }
    @inlinable @inline(__always) final func locking<R>(_ body: () -> R) -> R {
        lock()
        defer { unlock() }
        return body()
    }
    @usableFromInline @inline(never) final func lockContended() {
        var waiting = Waiting()
        repeat {
            // Reads the word first, because a failed exchange takes its cache line from the thread that has the lock.
            while lockWord.load(ordering: .relaxed) != 0 { waiting.wait(for: address) }
        } while !lockAtOnce()
    }
}

// MARK: - Flags

extension Vertex {
    /// True if the node may be set from outside.
    @inlinable final var isMutable: Bool { has(Vertex.mutable) }
    /// True if the values come from a join.
    final var isJoin: Bool { has(Vertex.join) }
    /// True if the graph observer knows the vertex, and so is told when its handle goes.
    package final var isKnown: Bool { has(Vertex.known) }
    /// True if the vertex is, or has been, downstream of a back edge.
    final var isAfterBackEdge: Bool { has(Vertex.afterBackEdge) }
    /// True if the vertex is, or has been, at or downstream of a join that fires after effects: see `JoinsHeldBack`.
    final var mayBeHeldBack: Bool { has(Vertex.heldBack) }
    /// True if a join here may have to wait although no lower join is to fire.
    @inline(__always) final var mayWaitForUpstream: Bool { has(Vertex.inheritedFlags) }
    /// The flags that every vertex downstream has as well.
    @inline(__always) final var inheritedFlags: UInt32 { flags.bits & Vertex.inheritedFlags }
    /// True if the last edge that led here was cut, or pointed elsewhere. Another edge may lead here since.
    package final var hasLostUpstream: Bool { has(Vertex.lostUpstream) }
    /// True if an input that kept the vertex at its height has gone or fallen: see `Heights.lower`.
    final var mayFall: Bool { has(Vertex.falling) }
    /// True if the vertex has such a flag, may fall, or is asked about: one test for all.
    @inline(__always) final var mayWaitFallOrTell: Bool { has(Vertex.inheritedFlags | Vertex.falling | Vertex.asked) }
    /// True if a change of an edge that leads here has consequences: the vertex may fall, or is asked about.
    @inline(__always) final var minds: Bool { has(Vertex.falling | Vertex.asked) }
    /// At least the number of joins upstream in a row, without back edges.
    package final var height: UInt32 { flags.bits >> Vertex.heightShift }
    static let heightLimit: UInt32 = UInt32.max >> heightShift

    // The bits of `flags`. The height is above them.
    @inlinable static var mutable: UInt32 { 1 }
    private static let join: UInt32 = 2
    private static let known: UInt32 = 4
    static let afterBackEdge: UInt32 = 8
    private static let lostUpstream: UInt32 = 16
    private static let falling: UInt32 = 32
    private static let heldBack: UInt32 = 64
    static let inheritedFlags = afterBackEdge | heldBack
    /// See Askers.swift.
    static let asked: UInt32 = 128
    /// See `FrontValue`.
    @inlinable static var front: UInt32 { 256 }
    private static let ended: UInt32 = 512
    private static let heightShift: UInt32 = 10
    @inlinable @inline(__always) final func has(_ trait: UInt32) -> Bool { flags.have(trait) }

    final func setHasFront(_ has: Bool) {
        if has {
            flags.word.bitwiseOr(Vertex.front, ordering: .releasing)
        } else {
            flags.word.bitwiseAnd(~Vertex.front, ordering: .releasing)
        }
    }
    /// True if users no longer hold the node. Any thread.
    package final var hasEnded: Bool { has(Vertex.ended) }
    final func setHasEnded() { flags.set(Vertex.ended) }
    final func becomeMutable() { flags.set(Vertex.mutable) }
    /// Makes a vertex mutable that no other thread knows.
    @inlinable final func beginMutable() { flags.begin(Vertex.mutable) }
    /// Makes a new vertex a join, with the lowest height of a join.
    final func becomeJoin(holdsBack: Bool) {
        let bits = Vertex.join | 1 << Vertex.heightShift
        flags.set(holdsBack ? bits | Vertex.heldBack : bits)
    }
    /// Adds such flags. The lock is held.
    final func add(inheritedFlags: UInt32) { flags.set(inheritedFlags) }
    /// Sets `hasLostUpstream` if no edge leads here any more. The lock is held.
    final func upstreamHasChanged() {
        if upstream.isEmpty, !hasLostUpstream { flags.set(Vertex.lostUpstream) }
    }
    package final func becomeKnown() { flags.set(Vertex.known) }
    final func setMayFall() { flags.set(Vertex.falling) }
    /// True if a node downstream asks if values are on their way: see Askers.swift.
    @inline(__always) final var isAskedAbout: Bool {
        flags.word.load(ordering: .sequentiallyConsistent) & Vertex.asked != 0
    }
    /// The lock is held.
    final func setAskedAbout(_ isAsked: Bool) {
        if isAsked {
            flags.word.bitwiseOr(Vertex.asked, ordering: .sequentiallyConsistent)
        } else {
            flags.word.bitwiseAnd(~Vertex.asked, ordering: .sequentiallyConsistent)
        }
    }
    final func clearMayFall() { flags.set(Vertex.falling, to: false) }
    final func setHeight(_ height: UInt32) {
        require(
            height <= Vertex.heightLimit,
            "more than \(Vertex.heightLimit) combinations stand one below the other: combine many nodes at once, with combine([…])"
        )
        ownerState?.highestInputs = 0
        flags.add((height &- self.height) << Vertex.heightShift)
    }
}

extension Vertex {
    /// The number by which records name the vertex. See `SerialNumber`.
    @inlinable package final var serial: UInt { SerialNumber.number(in: serialSlot) }

    /// The edges that lead here. No lock is held.
    package final var upstreamEdges: [AnyEdge] { locking { upstream.all } }
    /// The vertices from which edges lead here. A switch counts as the source of its branch. No lock is held.
    final var sources: [Vertex] {
        let junction = locking { coldState?.junction }?.vertex
        return upstreamEdges.compactMap { $0.source?.vertex } + (junction.map { [$0] } ?? [])
    }
    /// Returns all vertices upstream of some, the nearest first: one of these itself only if others of them, or a
    /// cycle, lead to it. No lock is held. O(vertices and edges upstream).
    package static func allUpstream(of vertices: [Vertex]) -> VertexWalk {
        var walk = VertexWalk(from: vertices.flatMap(\.sources))
        while let vertex = walk.next() { for source in vertex.sources { walk.find(source) } }
        return walk
    }
}

/// The value that a vertex held before a pulse came. It is kept while the vertex holds the pulse's value.
///
/// Invariant: the vertex holds a pulse's value exactly while its last epoch is one of the two here.
struct DisplacedValue {
    /// The newest epoch that a pulse has announced. Nothing is stored in it if the edge drops the value.
    var epoch: UInt64
    /// The epoch before that, if a pulse announced it too; otherwise 0.
    var earlierEpoch: UInt64 = 0
    /// A copy of the value; `nil` if the vertex was empty.
    let value: Vertex?

    func isDisplaced(in epoch: UInt64) -> Bool { epoch == self.epoch || epoch == earlierEpoch && epoch != 0 }
}

extension Vertex {
    /// Keeps the present value until the pulse is over that is about to come in `epoch`. Returns an earlier displaced
    /// value. If another pulse's value is here already, the value from before both stays in place.
    ///
    /// The turn is this thread's.
    final func displaceValue(in epoch: UInt64, isOrigin: Bool) -> DisplacedValue? {
        if !isOrigin, let known = ownerState?.displaced, known.isDisplaced(in: lastEpoch) {
            madeOwnerState.displaced = DisplacedValue(epoch: epoch, earlierEpoch: lastEpoch, value: known.value)
            return nil
        }
        let old = ownerState?.displaced.take()
        let copy = isOrigin || isEmpty ? nil : copyOfValue()
        madeOwnerState.displaced = DisplacedValue(epoch: epoch, value: copy)
        return old
    }
}

/// A vertex that is not held.
struct WeakVertex {
    weak let vertex: Vertex?

    init(_ vertex: Vertex) { self.vertex = vertex }
}
