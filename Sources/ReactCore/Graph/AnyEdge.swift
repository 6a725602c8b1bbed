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
/// - `link` is not 0 exactly while the edge is in its source's list.
/// - `link` turns 0 under the target's lock; so a value that a delivery is still making when the edge is cut is not stored.
/// - An edge that is linked and has no `fromNode` does not hold its source, and goes with it.
/// - `fromNode`, `target`, `label`, the slots and the flags are changed under `Structure`'s lock alone.
/// - A target that is replaced outlives the delivery that may still lead to it (see `Structure.unlink`).
///
/// Unchecked, because of these.
open class AnyEdge: NodeEdge, Hashable, Cancelable, @unchecked Sendable {
    @usableFromInline typealias Forward = @Sendable (RawDelivery) -> Sent

    @usableFromInline final let link = Atomic<UInt64>(0)
    /// The vertex that the edge leads to, if that is a node's. Held.
    @usableFromInline final let target = Atomic<Unmanaged<Vertex>?>(nil)
    /// Makes the next value of the source's and passes it on. What knows the types is this closure alone.
    @usableFromInline final let forward: Forward
    @exclusivity(unchecked) final var fromNode: AnyNode?
    @exclusivity(unchecked) private final var label: String
    @exclusivity(unchecked) private final var sourceSlot: Int32 = 0
    @exclusivity(unchecked) private final var destinationSlot: Int32 = 0
    /// How often the edge was linked, to tell one linking from the next.
    @exclusivity(unchecked) final var linkings: UInt16 = 0
    /// Whether the edge is on its source's list of those that lead nowhere.
    @exclusivity(unchecked) final var isDangling = false
    /// Which of its source's lists the edge is on.
    @exclusivity(unchecked) final var leadsToListener = false
    /// Whether ranks grow along the edge: so unless it would close a ring through a join.
    @exclusivity(unchecked) final var counts = true

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
        if isDangling { Structure.forget(self) }
        target.load(ordering: .acquiring)?.release()
        if let node = fromNode.take() { Teardown.release(node) }
    }

    /// The vertex that it leaves from, or is to leave from. `Structure`'s lock is held.
    final var origin: Vertex? {
        if let fromNode { return fromNode.vertex }
        let link = self.link.load(ordering: .relaxed)
        return link == 0 ? nil : Link.source(of: link).takeUnretainedValue()
    }
    /// The operator's name, for debugging and graphs, such as "Map". Safe from any thread.
    public final var name: String {
        get { Structure.read { label } }
        set { Structure.read { label = newValue } }
    }
    /// The node that the edge leaves from.
    public final var source: AnyNode? { Structure.source(of: self) }
    /// The node or the listener that the edge leads to. Not held.
    public final var destination: AnyObject? { currentDestination }
    /// Disconnects both ends. Doing so again does nothing.
    public final func cancel() { cut() }

    var currentDestination: AnyObject? { nil }
    /// Whether the other end than `fromNode` is set. Asked under `Structure`'s lock.
    var isLinkable: Bool { target.load(ordering: .relaxed) != nil }
    /// The marks that each link of the edge has from the start. Asked under `Structure`'s lock.
    var linkMarks: UInt64 { 0 }
    /// Called when `fromNode` changed, with no lock held.
    func startOver() {}
    func cut() { preconditionFailure("abstract") }
    /// Passes on that the source was emptied.
    func forwardEmpty(_ delivery: RawDelivery) -> Sent { .nothing }
    /// Called when the edge was taken out of its source's list, with no lock held. That source is still there.
    func didUnlink() {}

    /// Whether the two are the same edge.
    public static func == (lhs: AnyEdge, rhs: AnyEdge) -> Bool { lhs === rhs }
    /// Hashes the edge's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Takes a mark off the link, unless the edge was cut in this moment.
    final func clear(_ mark: UInt64, in link: UInt64) {
        _ = self.link.compareExchange(expected: link, desired: link & ~mark, ordering: .acquiringAndReleasing)
    }
    @inlinable final var currentLink: UInt64 { link.load(ordering: .acquiring) }
    /// Whether the edge is still linked as when `link` was read. The marks do not count: they come and go meanwhile.
    @inlinable final func isLinked(as link: UInt64) -> Bool { (currentLink ^ link) & ~Link.marks == 0 }
    final func slot(at end: EdgeEnd) -> Int { Int(end == .source ? sourceSlot : destinationSlot) }
    final func setSlot(_ slot: Int, at end: EdgeEnd) {
        if end == .source { sourceSlot = Int32(slot) } else { destinationSlot = Int32(slot) }
    }
}

/// The word that says from which vertex, if any, an edge may be delivered to.
///
/// The lower 48 bits are the source's address, and the upper 16 tell one linking from the next. An edge with one of the
/// three lowest bits set is not called like others.
@usableFromInline enum Link {
    /// The edge is taking over the source's present value: later ones have to wait for it.
    static let takingOver: UInt64 = 1
    /// The edge was linked while the source delivered: that value it does not hear again (see `Vertex.Rare.late`).
    static let late: UInt64 = 2
    /// Whether the listener is still there has to be asked each time, because nothing tells when it goes.
    static let asks: UInt64 = 4
    /// All of them.
    @inlinable static var marks: UInt64 { 7 }

    static func make(from vertex: Vertex, linking: UInt16) -> UInt64 {
        let link = UInt64(linking) << 48 | address(of: .passUnretained(vertex))
        assert(
            source(of: link).toOpaque() == Unmanaged.passUnretained(vertex).toOpaque(), "an address has over 48 bits")
        return link
    }
    @inline(__always) static func leads(_ link: UInt64, from vertex: Unmanaged<Vertex>) -> Bool {
        link << 16 == address(of: vertex) << 16
    }
    static func leadsWithMarks(_ link: UInt64, from vertex: Unmanaged<Vertex>) -> Bool {
        link & marks != 0 && leads(link & ~marks, from: vertex)
    }
    /// The vertex that an edge with this link leaves from. Precondition: the edge is linked.
    @inline(__always) static func source(of link: UInt64) -> Unmanaged<Vertex> {
        let address = UInt(link & ~marks & 0xFFFF_FFFF_FFFF)
        return .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
    }
    @inline(__always) private static func address(of vertex: Unmanaged<Vertex>) -> UInt64 {
        UInt64(UInt(bitPattern: vertex.toOpaque())) & 0xFFFF_FFFF_FFFF
    }
}
