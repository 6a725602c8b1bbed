import Synchronization

/// The common part of transforms and listen edges: a directed edge from a node to another node or to a listener.
///
/// Two references are equal when they are the same edge. You do not subclass it: see `Transform` and `ListenEdge`.
///
/// Invariants of the engine:
/// - The owner of the edge's region changes its ends (`fromNode`, `target`, a listener) and its connection, in
///   `reconnect`, under `lock`. Other threads may only end the connection, under `lock`, and leave the rest to the
///   owner (see `awaitsRemoval`). The name changes under `lock`, too.
/// - While the edge is connected, it is in its source's list. The list entry has the generation of that connection.
/// - If the edge is cut while its call is still making a value, that value is not stored.
/// - A target that is replaced outlives the delivery that may still lead to it (see `reconnect`).
/// - The owner changes the list positions under the lock of the vertex, or lifetime, that has the list. He alone
///   changes `isBackEdge` and `isOnCycle`.
///
/// Locks are taken in this order: an edge's, then a vertex's.
///
/// Unchecked, because of these invariants.
open class AnyEdge: @unchecked Sendable {
    @usableFromInline typealias Forward = @Sendable (ErasedEdgeCall) -> NextEdge

    /// The word of the connection: see `ConnectionState`.
    @usableFromInline final let connectionWord = Atomic<UInt64>(ConnectionState.cut)
    /// The vertex that the edge leads to, if it leads to a node. Held.
    @usableFromInline package final let target = Atomic<Unmanaged<Vertex>?>(nil)
    /// Makes the next value from the source's, and passes it on. Only this closure knows the types.
    @usableFromInline final let forward: Forward
    @exclusivity(unchecked) final var fromNode: AnyNode?
    /// The name, read and written under `lock`.
    @exclusivity(unchecked) final var label: String
    @exclusivity(unchecked) private final var sourceSlot = Int32(noSlot)
    @exclusivity(unchecked) private final var destinationSlot = Int32(noSlot)
    final let lock = Lock(())
    /// The flags of the edge. Some of them need care when the edge goes, but most edges have none of these. See
    /// `EdgeFlags`.
    @usableFromInline final let flags = AtomicFlags()
    /// The slot of `serial`; 0 until that is first asked for.
    @usableFromInline package final let serialSlot = Atomic<UInt>(0)

    @usableFromInline init(name: String, forward: consuming @escaping Forward) {
        label = name
        self.forward = consume forward
        #if DEBUG
        InstanceCounts.edges.add(1, ordering: .relaxed)
        MadeObjects.note(self)
        #endif
    }
    deinit {
        #if DEBUG
        InstanceCounts.edges.subtract(1, ordering: .releasing)
        #endif
        if flags.have(~EdgeFlags.harmless) { prepareToGo() }
        if knownTo != 0 { Observers.current.gone(self, named: label) }
        target.load(ordering: .acquiring)?.release()
    }

    /// The facts that always hold of the operator.
    package var facts: OperatorFacts { [] }
    final var passesPulses: Bool { facts.contains(.passesPulses) }
    /// True if an arriving value may leave again, whole or as a part of another: see `redacted`.
    package var passesOn: Bool { true }
    /// True if the edge is a mark (see `NodeMark`), which observers do not see.
    var isMark: Bool { false }
    /// True if the edge never passes a value on within the set that brings it. Such an edge does not make the regions
    /// of its ends one.
    final var isBorder: Bool { flags.have(EdgeFlags.isBorder) }
    /// True if the edge holds its source.
    package var holdsSource: Bool { true }
    package var currentDestination: AnyObject? { nil }
    /// The type of the listener that the edge leads to. The listener goes to the argument. Called under `lock`.
    package func listenerType(_ deferred: inout DeferredReleases) -> Any.Type? { nil }
    /// The number of values that the target's join misses; `nil` if the edge leads to no join.
    package var missingInputCount: Int? { nil }
    /// True if the edge has taken a value, and has neither brought nor dropped it. No lock is held.
    var isBuffering: Bool { false }
    /// Gives the target of a new edge a first value, made of the one that `source` holds, while the edge cannot be
    /// connected. Returns the number of that value's store; `nil` if the target has to wait, as behind an operator with
    /// state.
    func loadFirst(from source: Vertex, in engine: AnyObject) -> UInt32? { nil }
    /// Notes that a join misses this input, because the source is empty. The owner alone.
    func beMissing() {}
    /// Drops the value that `loadFirst` has loaded, because the edge was cut or pointed elsewhere since. The owner
    /// alone.
    func dropLoaded() {}
    /// Lowers vertices whose inputs have gone, now or before joins fire. No lock is held.
    func lower(_ vertices: [Vertex]) { Heights.lower(vertices) }
    /// Tells nodes downstream of `vertices` that ask if values are on their way. The edge leads there, or no longer
    /// leads there. No lock is held.
    func tellAskers(downstreamOf vertices: [Vertex]) {}
    /// True if the edge leads to a join that is to fire at the end of an open transaction. No lock is held.
    package var isJoinPending: Bool { false }
    /// True if it leads to a join that is to fire after all others: one that is last. No lock is held.
    var isLastJoinPending: Bool { false }
    /// The number of values that wait for a partner here, if the operator lets values wait, as `zip` does.
    package var waitingCount: Int? { nil }
    /// The fate of a value that the edge took, and did not send.
    var fateOfUnsent: CallResult { waitingCount == nil ? .notPassedOn : .waits }
    /// The number of calls of the operator's closures, or of the body, if these are counted.
    package var callCount: Int? { nil }
    /// The only values that the edge passes on, described; `nil` if it decides in another way.
    package var wanted: String? { nil }
    /// The vertex that the edge leaves from, or will leave from. Called under `lock`; the vertex is alive while that is
    /// held.
    @inline(__always) final var knownSource: Unmanaged<Vertex>? {
        fromNode.map { .passUnretained($0.vertex) } ?? sourceNotHeld
    }
    /// The source's vertex, for an edge that does not hold its source.
    var sourceNotHeld: Unmanaged<Vertex>? { nil }
    /// True if the end that is not `fromNode` is set. Called under `lock`.
    @inline(__always) final var isConnectable: Bool { knownTarget != nil || isConnectableToListener }
    /// True if the edge leads to a listener that is set.
    var isConnectableToListener: Bool { false }
    /// The mode of each new connection of the edge. Called under `lock`.
    var firstMode: UInt64 { 0 }
    /// True if `sourceHasChanged` has to be called before the new source's first value.
    var heedsSource: Bool { false }
    /// True if the code that the edge calls may ask for the nodes that a value has passed.
    var asksForSenders: Bool { true }
    /// Called when `fromNode` has changed, before the new source's first value, with no lock held.
    func sourceHasChanged() {}
    /// Makes the edge lead nowhere. Only `reconnect` calls it.
    func leadNowhere(_ deferred: inout DeferredReleases) { preconditionFailure("abstract") }
    /// Passes on that the source was emptied.
    func forwardEmpty(_ delivery: ErasedEdgeCall) -> NextEdge { .nothing }
    /// Called when the edge has been connected, while something observes or once `Connection.areNoted`. The edge's lock
    /// is held.
    func didConnect(_ source: Unmanaged<Vertex>, to target: Unmanaged<Vertex>) {}
    /// Has the result of a call dropped that has read this edge, because its connection has ended. If `evenIfUnread`,
    /// drops it in any case. No lock is held.
    func dropCall(evenIfUnread: Bool) {}
    /// Called by the owner in the moment in which a connection ends.
    func willDisconnect() {}
    /// Called after `connection` has ended, with no lock held. The edge may have another connection by now, so only
    /// data of `connection` may be touched.
    func didDisconnect(_ connection: Connection) {
        if heedsSource { (self as? any ConnectionKeeper)?.discard(connection) }
    }

    /// The vertices at the edge's ends.
    package final var vertices: (source: Vertex?, target: Vertex?) {
        lock.locking { (knownSource?.takeUnretainedValue(), knownTarget?.takeUnretainedValue()) }
    }

    /// The vertex that the edge leads to.
    final var targetVertex: Vertex? { lock.locking { knownTarget?.takeUnretainedValue() } }
    /// The vertex that the edge leads to, for the owner of the edge's region, and under `lock`.
    @inlinable @inline(__always) package final var knownTarget: Unmanaged<Vertex>? { target.load(ordering: .relaxed) }
    /// The word of the connection as far as this thread knows it.
    @inlinable @inline(__always) final var knownWord: UInt64 { connectionWord.load(ordering: .relaxed) }

    static let noSlot = -1
    final func slot(at end: EdgeEnd) -> Int { Int(end == .source ? sourceSlot : destinationSlot) }
    final func setSlot(_ slot: Int, at end: EdgeEnd) {
        let slot = Int32(truncatingIfNeeded: slot)
        if end == .source { sourceSlot = slot } else { destinationSlot = slot }
    }
    /// True if the edge is in its source's list of connected edges. It is there until the owner of the source's region
    /// takes it out, also after its connection has ended. The edge's lock is held.
    final var isListedAtSource: Bool { sourceSlot >= 0 && !isHalfConnected }
    /// True if the edge is in the list of its target or lifetime, whose lock is held.
    final var isListedAtDestination: Bool { destinationSlot >= 0 }

    final func leads(to vertex: Vertex) -> Bool {
        knownTarget?.toOpaque() == Unmanaged.passUnretained(vertex).toOpaque()
    }
    /// Prepares an edge to go: waits for cancelables that use it, and leaves its source's list of edges that lead
    /// nowhere.
    @inline(never) private final func prepareToGo() {
        if flags.have(EdgeFlags.cancelable) {
            withUnsafePointer(to: flags) { _ = EdgeFlags.take(EdgeFlags.gone, in: $0) }
        }
        stopDangling()
    }
    /// Removes the edge from its source's list of edges that lead nowhere. Called under the edge's lock, or when the
    /// edge goes.
    final func stopDangling() {
        guard isHalfConnected, let source = fromNode?.vertex else { return }
        flags.set(EdgeFlags.halfConnected, to: false)
        source.locking { _ = source.coldState?.halfConnected?.remove(self) }
        setSlot(AnyEdge.noSlot, at: .source)
    }
    /// True if the edge is in its source's list of listen edges, and not in that of transforms.
    @inlinable @inline(__always) package final var leadsToListener: Bool { flags.have(EdgeFlags.toListener) }
    /// Marks an edge that nobody else knows as a listen edge. Nearly each listen edge is given an `EdgeCancelable`.
    final func beginToListener() { flags.begin(EdgeFlags.toListener | EdgeFlags.cancelable) }
    /// Invalidates each cancelable of the edge that was made before now.
    final func beginUse() {
        if flags.bits & EdgeFlags.use != EdgeFlags.use { flags.add(EdgeFlags.oneUse) }
    }
    /// True if heights need not grow along the edge, because it is a back edge: it closes a cycle through a join (see
    /// `BackEdges`).
    @inline(__always) package final var isBackEdge: Bool {
        get { flags.have(EdgeFlags.isBackEdge) }
        set { flags.set(EdgeFlags.isBackEdge, to: newValue) }
    }
    /// True if the edge is a `BufferingEdge` that takes values. A cast would take long for each edge of a walk.
    final var mayBuffer: Bool { flags.have(EdgeFlags.mayBuffer) }
    /// Marks an edge that nobody else knows as one that buffers values.
    package final func beginToBuffer(asBorder isBorder: Bool = false) {
        flags.set(isBorder ? EdgeFlags.mayBuffer | EdgeFlags.isBorder : EdgeFlags.mayBuffer)
    }
    /// True if the edge is on the noted way of a back edge's cycle, which may open when this edge goes.
    @inline(__always) final var isOnCycle: Bool {
        get { flags.have(EdgeFlags.isOnCycle) }
        set { flags.set(EdgeFlags.isOnCycle, to: newValue) }
    }
    /// True if the edge is in its source's list of edges that lead nowhere.
    final var isHalfConnected: Bool { flags.have(EdgeFlags.halfConnected) }
    /// The era of the recorders that know the edge; 0 if none does.
    @inlinable @inline(__always) package final var knownTo: UInt8 {
        UInt8(truncatingIfNeeded: flags.bits & EdgeFlags.knownTo)
    }
    /// Makes the recorders of `era` know the edge. Returns whether earlier ones did. Called under a lock of the
    /// observer, so that no other thread changes these bits meanwhile.
    package final func becomeKnown(to era: UInt8) -> Bool {
        let known = knownTo
        flags.word.bitwiseXor(UInt32(known ^ era), ordering: .relaxed)
        return known != 0
    }
}

/// An edge of another module that keeps data of a connection. It cannot override `didDisconnect` there.
package protocol ConnectionKeeper: AnyEdge {
    /// See `AnyEdge.didDisconnect`.
    func discard(_ connection: Connection)
    /// Called after a late connecting of the edge. The edge may have been cut meanwhile. No lock is held.
    func didConnectLate()
}
extension ConnectionKeeper {
    package func didConnectLate() {}
}

/// The bits of an edge's flags.
@usableFromInline enum EdgeFlags {
    /// A number: see `AnyEdge.knownTo`.
    @inlinable static var knownTo: UInt32 { 0x7f }
    /// See `AnyEdge.isHalfConnected`.
    static let halfConnected: UInt32 = 0x80
    /// There is, or was, an `EdgeCancelable` of the edge. While this is not set, nobody sets `pinned` or `gone`.
    static let cancelable: UInt32 = 0x100
    /// An `EdgeCancelable` checks, for a few instructions, whether the edge is alive. The edge's `deinit` waits for
    /// that.
    static let pinned: UInt32 = 0x200
    /// The edge has gone: only these flags may be touched.
    static let gone: UInt32 = 0x400
    /// See `AnyEdge.leadsToListener`. Never changes.
    @inlinable static var toListener: UInt32 { 0x800 }
    /// See `AnyEdge.isBackEdge` and `isOnCycle`.
    static let isBackEdge: UInt32 = 0x1000
    static let isOnCycle: UInt32 = 0x2000
    /// See `AnyEdge.mayBuffer`. Never changes once the edge is shared.
    static let mayBuffer: UInt32 = 0x4000
    /// A number that counts the uses of the edge, so that an `EdgeCancelable` leaves a later use alone. It stops at the
    /// highest number.
    static let use: UInt32 = 0xffff_0000
    static let oneUse: UInt32 = 0x1_0000
    /// See `AnyEdge.isBorder`. Never changes once the edge is shared.
    static let isBorder: UInt32 = 0x8000
    /// The bits that need no care when the edge goes.
    static let harmless = toListener | isBackEdge | isOnCycle | mayBuffer | isBorder | use

    /// Sets `bit`, once no cancelable uses the edge. Fails if the edge has gone, or is in another use than `wanted`.
    static func take(_ bit: UInt32, in flags: UnsafePointer<AtomicFlags>, ofUse wanted: UInt32? = nil) -> Bool {
        var waiting = Waiting()
        while true {
            let known = flags.pointee.bits
            if known & gone != 0 { return false }
            if let wanted, known & use != wanted { return false }
            if known & pinned == 0,
                flags.pointee.word.weakCompareExchange(
                    expected: known, desired: known | bit,
                    successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed
                ).exchanged
            {
                return true
            }
            waiting.wait(for: UInt(bitPattern: flags))
        }
    }
}

extension AnyEdge {
    /// The present connection of the edge.
    package final var connection: Connection {
        let word = connectionWord.load(ordering: .acquiring)
        return word & ConnectionState.cut == 0 ? Connection(generation: ConnectionState.generation(of: word)) : .none
    }
    /// True if the edge was cut, and the owner of its region has yet to take it out of the graph. Users see no ends
    /// then.
    package final var awaitsRemoval: Bool { knownWord & ConnectionState.modes == ConnectionState.awaitsRemoval }
    /// The generation of the edge's present connection, or of its last one.
    @inline(__always) final var generation: UInt64 { ConnectionState.generation(of: knownWord) }
    /// True if the edge is connected. The bit is `ConnectionState.cut`, which callers in other modules cannot name.
    @inlinable @inline(__always) package final var isConnected: Bool { knownWord & 4 == 0 }
    /// True if the edge's present connection has that generation.
    @inlinable @inline(__always) final func isConnected(by generation: UInt64) -> Bool {
        connectionWord.load(ordering: .acquiring) ^ generation < 4
    }
}

extension AnyEdge {
    /// The number by which records name the edge. See `SerialNumber`.
    @inlinable package final var serial: UInt { SerialNumber.number(in: serialSlot) }
}

/// A directed edge of the graph.
public protocol NodeEdge: AnyObject, Sendable {
    /// The operator's name, for debugging and graphs, such as "Map".
    var name: String { get set }
    /// The node that the edge leaves from.
    var source: AnyNode? { get }
    /// The node or the listener that the edge leads to. Not held.
    var destination: AnyObject? { get }
}

extension AnyEdge: NodeEdge {
    /// The operator's name, for debugging and graphs, such as "Map". Safe from any thread.
    public final var name: String {
        get { lock.locking { label } }
        set { lock.locking { label = newValue } }
    }
    /// The node that the edge leaves from.
    public final var source: AnyNode? {
        lock.locking { awaitsRemoval ? nil : fromNode ?? knownSource?.takeUnretainedValue().handle }
    }
    /// The node or the listener that the edge leads to. Not held.
    ///
    /// This hands the listener to any thread that asks. If the listener's type is not `Sendable`, a thread or actor
    /// that the listener does not belong to may only compare it (`===`). It should not even release the last reference
    /// to it. `AnyListenEdge.isHeard(by:)` asks without handing the listener out.
    public final var destination: AnyObject? { currentDestination }
}

extension AnyEdge: Hashable {
    /// Returns whether the two are the same edge.
    public static func == (lhs: AnyEdge, rhs: AnyEdge) -> Bool { lhs === rhs }
    /// Hashes the edge's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
