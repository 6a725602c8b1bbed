import Synchronization

/// A directed edge of the graph.
public protocol NodeEdge: AnyObject, Sendable {
    /// The operator's name, for debugging and graphs, such as "Map".
    var name: String { get set }
    /// The node that the edge leaves from.
    var source: AnyNode? { get }
    /// The node or the listener that the edge leads to. Not held.
    var destination: AnyObject? { get }
}

/// What transforms and listen edges have in common: a place between a node and what it leads to.
///
/// Two references are equal when they are the same edge. You do not subclass it: see `Transform` and `ListenEdge`.
///
/// Invariants of the engine:
/// - The edge's ends (`fromNode`, `target`, a listener) and its linking change under `lock` alone, in `relink`.
/// - The edge is linked exactly while it is in its source's list; the list's slot has the number of that linking.
/// - A linking ends under the target's lock; so a value that a delivery is still making when the edge is cut is not stored.
/// - A target that is replaced outlives the delivery that may still lead to it (see `relink`).
/// - The slots, `closesRing` and `keepsRing` are guarded by the lock of the vertex, or lifetime, whose list it is.
///
/// Locks are taken in this order: an edge's, that of the heights, a vertex's. Nobody holds two vertices' to link.
///
/// Unchecked, because of these.
open class AnyEdge: NodeEdge, Hashable, Cancelable, @unchecked Sendable {
    @usableFromInline typealias Forward = @Sendable (RawDelivery) -> Sent

    /// See `LinkWord`.
    @usableFromInline final let link = Atomic<UInt64>(LinkWord.cut)
    /// The vertex that the edge leads to, if that is a node's. Held.
    @usableFromInline final let target = Atomic<Unmanaged<Vertex>?>(nil)
    /// Makes the next value of the source's and passes it on. What knows the types is this closure alone.
    @usableFromInline final let forward: Forward
    @exclusivity(unchecked) final var fromNode: AnyNode?
    @exclusivity(unchecked) private final var label: String
    @exclusivity(unchecked) private final var sourceSlot: Int32 = 0
    @exclusivity(unchecked) private final var destinationSlot: Int32 = noSlot
    final let lock = Lock(())
    /// Whether the edge is on its source's list of those that lead nowhere.
    @exclusivity(unchecked) final var isDangling = false
    /// Which of its source's lists the edge is on.
    @exclusivity(unchecked) final var leadsToListener = false
    /// Whether heights need not grow along the edge, because it would close a ring through a join (see `Rings`).
    @exclusivity(unchecked) final var closesRing = false
    /// Whether a ring that another edge closes may open when this one goes.
    @exclusivity(unchecked) final var keepsRing = false
    /// What came while the edge was catching up with its source. Guarded by the source's lock.
    @exclusivity(unchecked) final var replayBuffer: ReplayBuffer?
    /// The recorders that know the edge (`Recording.generation`); 0 for none.
    final let knownTo = Atomic<UInt8>(0)

    @usableFromInline init(name: String, forward: @escaping Forward) {
        label = name
        self.forward = forward
        #if DEBUG
        LiveObjects.edges.add(1, ordering: .relaxed)
        #endif
    }
    deinit {
        #if DEBUG
        LiveObjects.edges.subtract(1, ordering: .releasing)
        #endif
        if knownTo.load(ordering: .relaxed) != 0 { RecordedObjects.left(self, named: label) }
        stopDangling()
        target.load(ordering: .acquiring)?.release()
    }

    /// The operator's name, for debugging and graphs, such as "Map". Safe from any thread.
    public final var name: String {
        get { locking { label } }
        set { locking { label = newValue } }
    }
    /// The node that the edge leaves from.
    public final var source: AnyNode? { locking { fromNode ?? originVertex?.takeUnretainedValue().handle } }
    /// The node or the listener that the edge leads to. Not held.
    ///
    /// This hands the listener to whatever thread asks. Where the listener's type is not `Sendable`, more than to compare it (`===`) is
    /// for those alone who may use it anyway: on the thread, or the actor, that it belongs to. Not even the last hold on it
    /// should be let go of elsewhere. `AnyListenEdge.isHeard(by:)` asks without handing it out.
    public final var destination: AnyObject? { currentDestination }
    /// Disconnects both ends. Doing so again does nothing.
    public final func cancel() { cut() }

    /// Whether the edge remembers nothing of what it passes on, nor does what it leads to.
    var keepsNothing: Bool { false }
    var currentDestination: AnyObject? { nil }
    /// The type of the listener that the edge leads to, which goes to the argument. Asked under `lock`.
    func listenerType(_ deferred: inout Deferred) -> Any.Type? { nil }
    /// How many values the join misses that the edge leads to; `nil` where it leads to none.
    var missingInputs: Int? { nil }
    /// Whether values wait here for others.
    var isWaitingForOthers: Bool { false }
    /// The vertex that the edge leaves from, or is to leave from: there while `lock` is held, under which it is asked.
    var originVertex: Unmanaged<Vertex>? { fromNode.map { .passUnretained($0.vertex) } }
    /// Whether the other end than `fromNode` is set. Asked under `lock`.
    var isLinkable: Bool { target.load(ordering: .relaxed) != nil }
    /// The mode of each new linking of the edge. Asked under `lock`.
    var firstMode: UInt64 { 0 }
    /// Whether `sourceHasChanged` wants to be called before the new source's first value.
    var heedsSource: Bool { false }
    /// Called when `fromNode` has changed, before the new source's first value, with no lock held.
    func sourceHasChanged() {}
    func cut() { preconditionFailure("abstract") }
    /// Passes on that the source was emptied.
    func forwardEmpty(_ delivery: RawDelivery) -> Sent { .nothing }
    /// Called in the moment in which a linking ends, under the target's lock.
    func linkingEnds() {}
    /// Called after `linking` has ended, with no lock held. The edge may be in another by now: only what is of that
    /// linking may be touched.
    func linkingHasEnded(_ linking: Linking) {}

    /// Whether the two are the same edge.
    public static func == (lhs: AnyEdge, rhs: AnyEdge) -> Bool { lhs === rhs }
    /// Hashes the edge's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    static let noSlot = Int32(-1)
    final func slot(at end: EdgeEnd) -> Int { Int(end == .source ? sourceSlot : destinationSlot) }
    final func setSlot(_ slot: Int, at end: EdgeEnd) { setSlot(Int32(truncatingIfNeeded: slot), at: end) }
    final func setSlot(_ slot: Int32, at end: EdgeEnd) {
        if end == .source { sourceSlot = slot } else { destinationSlot = slot }
    }
    /// Whether the edge is in the list of what it leads to. The lock of that is held.
    final var isListedAtDestination: Bool { destinationSlot != AnyEdge.noSlot }

    @inline(__always) final func locking<R>(_ body: () -> R) -> R {
        var result: R?
        lock.withLock { _ in result = body() }
        return result.unsafelyUnwrapped
    }
}

/// Values that reach an edge while it catches up with an earlier one.
final class ReplayBuffer {
    @exclusivity(unchecked) var entries = Queue<PendingUpdate>()
}
