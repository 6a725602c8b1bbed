import Synchronization

/// What transforms and listen edges have in common: a place between a node and what it leads to.
///
/// Two references are equal when they are the same edge. You do not subclass it: see `Transform` and `ListenEdge`.
///
/// Invariants of the engine:
/// - The edge's ends (`fromNode`, `target`, a listener) and its linking change under `lock` alone, in `relink`; its name does as well.
/// - The edge is linked exactly while it is in its source's list; the list's slot has the number of that linking.
/// - A linking ends under the target's lock; so a value that a delivery is still making when the edge is cut is not stored.
/// - A target that is replaced outlives the delivery that may still lead to it (see `relink`).
/// - The slots, `closesRing` and `keepsRing` change under the lock of the vertex, or lifetime, whose list it is.
///
/// Locks are taken in this order: an edge's, that of the heights, a vertex's. Nobody holds two vertices' to link.
///
/// Unchecked, because of these.
open class AnyEdge: @unchecked Sendable {
    @usableFromInline typealias Forward = @Sendable (RawDelivery) -> Sent

    /// See `LinkWord`.
    @usableFromInline final let link = Atomic<UInt64>(LinkWord.cut)
    /// The vertex that the edge leads to, if that is a node's. Held.
    @usableFromInline package final let target = Atomic<Unmanaged<Vertex>?>(nil)
    /// Makes the next value of the source's and passes it on. What knows the types is this closure alone.
    @usableFromInline final let forward: Forward
    @exclusivity(unchecked) final var fromNode: AnyNode?
    @exclusivity(unchecked) private final var edgeName: EdgeName
    @exclusivity(unchecked) private final var sourceSlot: Int32 = 0
    @exclusivity(unchecked) private final var destinationSlot = Int32(noSlot)
    package final let lock = Lock(())
    /// What keeps the edge from going without further ado, nothing for most, and what it leads to: see `EdgeTies`.
    final let ties = Atomic<UInt32>(0)
    /// See `serial`; 0 until that is asked for.
    final let serialSlot = Atomic<UInt>(0)

    init(_ name: EdgeName, forward: consuming @escaping Forward) {
        edgeName = name
        self.forward = consume forward
        #if DEBUG
        LiveObjects.edges.add(1, ordering: .relaxed)
        MadeObjects.note(self)
        #endif
    }
    deinit {
        #if DEBUG
        LiveObjects.edges.subtract(1, ordering: .releasing)
        #endif
        if ties.load(ordering: .relaxed) & ~EdgeTies.harmless != 0 { cutTies() }
        if knownTo != 0 { Observers.current.gone(self, named: label) }
        edgeName.letGo()
        target.load(ordering: .acquiring)?.release()
    }

    /// The name, under `lock`.
    final var label: String {
        get { edgeName.text }
        set {
            edgeName.letGo()
            edgeName = EdgeName(text: newValue)
        }
    }
    /// Whether the edge remembers nothing of what it passes on, nor does what it leads to.
    var keepsNothing: Bool { self is any PulsePasser }
    /// Whether what arrives may leave again, as it is or as a part of something: see `redacted`.
    package var passesOn: Bool { true }
    /// Whether the edge holds the node that it leaves from.
    package var holdsSource: Bool { true }
    package var currentDestination: AnyObject? { nil }
    /// The type of the listener that the edge leads to, which goes to the argument. Asked under `lock`.
    package func listenerType(_ deferred: inout Deferred) -> Any.Type? { nil }
    /// How many values the join misses that the edge leads to; `nil` where it leads to none.
    package var missingInputCount: Int? { nil }
    /// How many values wait for a partner here, where the operator lets values wait, as `zip` does.
    package var waitingCount: Int? { nil }
    /// The vertex that the edge leaves from, or is to leave from: there while `lock` is held, under which it is asked.
    @inline(__always) package final var originVertex: Unmanaged<Vertex>? {
        fromNode.map { .passUnretained($0.vertex) } ?? unheldOrigin
    }
    /// The same for an edge that does not hold what it leaves from.
    var unheldOrigin: Unmanaged<Vertex>? { nil }
    /// Whether the other end than `fromNode` is set. Asked under `lock`.
    @inline(__always) final var isLinkable: Bool { target.load(ordering: .relaxed) != nil || isLinkableToListener }
    /// The same for an edge that leads to a listener.
    var isLinkableToListener: Bool { false }
    /// The mode of each new linking of the edge. Asked under `lock`.
    var firstMode: UInt64 { 0 }
    /// Whether `sourceHasChanged` wants to be called before the new source's first value.
    var heedsSource: Bool { false }
    /// Whether what the edge calls may ask where a value came through.
    var asksForSenders: Bool { true }
    /// Called when `fromNode` has changed, before the new source's first value, with no lock held.
    func sourceHasChanged() {}
    /// Has the edge lead nowhere. For `relink` alone.
    func leadNowhere(_ deferred: inout Deferred) { preconditionFailure("abstract") }
    /// Passes on that the source was emptied.
    func forwardEmpty(_ delivery: RawDelivery) -> Sent { .nothing }
    /// Called in the moment in which a linking ends, under the target's lock.
    func linkingEnds() {}
    /// Called after `linking` has ended, with no lock held. The edge may be in another by now: only what is of that
    /// linking may be touched.
    func linkingHasEnded(_ linking: Linking) { if heedsSource { (self as? any LinkingKeeper)?.forget(linking) } }

    /// The vertices at its ends.
    package final var vertices: (source: Vertex?, target: Vertex?) {
        lock.locking { (originVertex?.takeUnretainedValue(), target.load(ordering: .relaxed)?.takeUnretainedValue()) }
    }

    static let noSlot = -1
    final func slot(at end: EdgeEnd) -> Int { Int(end == .source ? sourceSlot : destinationSlot) }
    final func setSlot(_ slot: Int, at end: EdgeEnd) {
        let slot = Int32(truncatingIfNeeded: slot)
        if end == .source { sourceSlot = slot } else { destinationSlot = slot }
    }
    /// Whether the edge is in the list of what it leads to. The lock of that is held.
    final var isListedAtDestination: Bool { destinationSlot >= 0 }

    final func leads(to vertex: Vertex) -> Bool {
        target.load(ordering: .relaxed)?.toOpaque() == Unmanaged.passUnretained(vertex).toOpaque()
    }
    /// What a going edge has to leave, and to wait for.
    @inline(never) private final func cutTies() {
        if ties.load(ordering: .relaxed) & EdgeTies.cancelable != 0 {
            withUnsafePointer(to: ties) { _ = EdgeTies.take(EdgeTies.gone, in: $0) }
        }
        stopDangling()
    }
    /// Takes the edge off its source's list of those that lead nowhere. Called under the edge's lock, or when the edge goes.
    final func stopDangling() {
        guard isDangling, let source = fromNode?.vertex else { return }
        ties.bitwiseAnd(~EdgeTies.dangling, ordering: .relaxed)
        source.locking { _ = source.rare?.dangling?.remove(self) }
    }
    /// Which of its source's lists the edge is on.
    @inline(__always) package final var leadsToListener: Bool {
        ties.load(ordering: .relaxed) & EdgeTies.toListener != 0
    }
    /// Says that, for an edge that nobody else knows. Nearly each of them is given an `EdgeCancelable`.
    final func beginToListener() { ties.store(EdgeTies.toListener | EdgeTies.cancelable, ordering: .relaxed) }
    /// Has those who could cut the edge in its use so far do so no more.
    final func beginUse() {
        let known = ties.load(ordering: .relaxed)
        if known & EdgeTies.use != EdgeTies.use { ties.wrappingAdd(EdgeTies.oneUse, ordering: .relaxed) }
    }
    /// Whether heights need not grow along the edge, because it would close a ring through a join (see `Rings`).
    @inline(__always) final var closesRing: Bool {
        get { ties.load(ordering: .relaxed) & EdgeTies.closesRing != 0 }
        set { setTie(EdgeTies.closesRing, newValue) }
    }
    /// Whether a ring that another edge closes may open when this one goes.
    @inline(__always) final var keepsRing: Bool {
        get { ties.load(ordering: .relaxed) & EdgeTies.keepsRing != 0 }
        set { setTie(EdgeTies.keepsRing, newValue) }
    }
    @inline(never) private final func setTie(_ tie: UInt32, _ isSet: Bool) {
        if isSet { ties.bitwiseOr(tie, ordering: .relaxed) } else { ties.bitwiseAnd(~tie, ordering: .relaxed) }
    }
    /// Whether the edge is on its source's list of those that lead nowhere.
    final var isDangling: Bool { ties.load(ordering: .relaxed) & EdgeTies.dangling != 0 }
    /// The generation of recorders that know the edge; 0 for none.
    @inline(__always) package final var knownTo: UInt8 {
        UInt8(truncatingIfNeeded: ties.load(ordering: .relaxed) & EdgeTies.knownTo)
    }
    /// Has recorders know the edge; answers whether some did before. Called under a lock of the observer's, so that nobody else
    /// changes these bits meanwhile.
    package final func becomeKnown(to generation: UInt8) -> Bool {
        let known = knownTo
        ties.bitwiseXor(UInt32(known ^ generation), ordering: .relaxed)
        return known != 0
    }
}

/// An edge of another module, where `linkingHasEnded` cannot be overridden, that keeps something of a linking.
package protocol LinkingKeeper: AnyEdge {
    /// See `AnyEdge.linkingHasEnded`.
    func forget(_ linking: Linking)
}

/// The bits of an edge's word of ties.
enum EdgeTies {
    /// A number: see `AnyEdge.knownTo`.
    static let knownTo: UInt32 = 0x7f
    /// See `AnyEdge.isDangling`.
    static let dangling: UInt32 = 0x80
    /// There is, or was, an `EdgeCancelable` of the edge; where there was none, nobody sets the bits below.
    static let cancelable: UInt32 = 0x100
    /// An `EdgeCancelable` asks, for some instructions, whether the edge is alive: the edge's `deinit` waits for that.
    static let gripped: UInt32 = 0x200
    /// The edge has gone: nothing but this word may be touched.
    static let gone: UInt32 = 0x400
    /// See `AnyEdge.leadsToListener`. Never changes.
    static let toListener: UInt32 = 0x800
    /// See `AnyEdge.closesRing` and `keepsRing`.
    static let closesRing: UInt32 = 0x1000
    static let keepsRing: UInt32 = 0x2000
    /// A number: how often the edge was used anew, so that an `EdgeCancelable` leaves a later use alone. The highest one stays.
    static let use: UInt32 = 0xffff_c000
    static let oneUse: UInt32 = 0x4000
    /// What an edge that goes need not heed.
    static let harmless = toListener | closesRing | keepsRing | use

    /// Sets `bit`, once nobody grips the edge; fails where the edge has gone, or is in another use than the one that is given.
    static func take(_ bit: UInt32, in ties: UnsafePointer<Atomic<UInt32>>, ofUse wanted: UInt32? = nil) -> Bool {
        var waiting = Waiting()
        while true {
            let known = ties.pointee.load(ordering: .relaxed)
            if known & gone != 0 { return false }
            if let wanted, known & use != wanted { return false }
            if known & gripped == 0,
                ties.pointee.weakCompareExchange(
                    expected: known, desired: known | bit,
                    successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed
                ).exchanged
            {
                return true
            }
            waiting.wait(for: UInt(bitPattern: ties))
        }
    }
}

extension AnyEdge {
    /// The linking that the edge has now.
    package final var linking: Linking {
        let word = link.load(ordering: .acquiring)
        return word & LinkWord.cut == 0 ? Linking(number: LinkWord.number(of: word)) : .none
    }
    /// The number of the linking that the edge is in, or was in last.
    @inline(__always) final var linkingNumber: UInt64 { LinkWord.number(of: link.load(ordering: .relaxed)) }
    /// Whether the edge is in any linking: the bit is `LinkWord.cut`, which callers elsewhere cannot name.
    @inlinable @inline(__always) package final var isLinked: Bool { link.load(ordering: .relaxed) & 4 == 0 }
    /// Whether the edge is in the linking `number`.
    @inlinable @inline(__always) final func isLinked(by number: UInt64) -> Bool {
        link.load(ordering: .acquiring) ^ number < 4
    }
}

/// A value on its way through one edge: what an operator's closure is given. Valid during the call alone.
///
/// Four words, so that it travels in registers.
@usableFromInline package struct RawDelivery {
    /// Who calls; what that is, only the delivery knows.
    @usableFromInline let caller: Unmanaged<AnyObject>
    @usableFromInline let edge: Unmanaged<AnyEdge>
    @usableFromInline let source: Unmanaged<Vertex>
    @usableFromInline let target: Unmanaged<Vertex>?
}

/// Where a delivery goes on: at the edge that is to be called next, if what was called knows it, and so spares the engine
/// to look for it. The edge is the first of the last frame's, and no longer among those that are still to come there.
@usableFromInline package struct Sent {
    @usableFromInline let edge: Unmanaged<AnyEdge>?
    /// The linking by which it is to be called.
    @usableFromInline let number: UInt64

    @inlinable init(_ edge: Unmanaged<AnyEdge>?, number: UInt64) {
        self.edge = edge
        self.number = number
    }
    /// The edge in a word of `EdgeSlots`, if there is one, as it is linked now. The lock of its source is held.
    @inlinable @inline(__always) init(word: UInt) {
        guard let pointer = UnsafeRawPointer(bitPattern: word) else { self = .nothing; return }
        let edge = Unmanaged<AnyEdge>.fromOpaque(pointer)
        self.init(edge, number: edge._withUnsafeGuaranteedRef { $0.link.load(ordering: .relaxed) & ~7 })
    }
    /// It is not known, or there is none.
    @inlinable package static var nothing: Sent { Sent(nil, number: 0) }
}

extension AnyEdge {
    /// Names the edge on record. See `SerialNumber`.
    package final var serial: UInt { SerialNumber.number(in: serialSlot) }
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
    public final var source: AnyNode? { lock.locking { fromNode ?? originVertex?.takeUnretainedValue().handle } }
    /// The node or the listener that the edge leads to. Not held.
    ///
    /// This hands the listener to whatever thread asks. Where the listener's type is not `Sendable`, more than to compare it (`===`) is
    /// for those alone who may use it anyway: on the thread, or the actor, that it belongs to. Not even the last hold on it
    /// should be let go of elsewhere. `AnyListenEdge.isHeard(by:)` asks without handing it out.
    public final var destination: AnyObject? { currentDestination }
}

extension AnyEdge: Hashable {
    /// Whether the two are the same edge.
    public static func == (lhs: AnyEdge, rhs: AnyEdge) -> Bool { lhs === rhs }
    /// Hashes the edge's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// An edge's name in one word: nearly every edge has that of its operator, a literal. Another name is in a box.
///
/// Trivial, for it is a part of the edge, which holds the box, and has it go (`letGo`).
struct EdgeName {
    private final class Box {
        let text: String
        init(_ text: String) { self.text = text }
    }
    /// Twice the address of the literal, or one more than the address of the box, which is even.
    private let word: UInt64

    init(literal: StaticString) { word = UInt64(UInt(bitPattern: literal.utf8Start)) << 1 }
    init(text: String) { word = UInt64(UInt(bitPattern: Unmanaged.passRetained(Box(text)).toOpaque())) | 1 }

    private var box: Unmanaged<Box>? {
        guard word & 1 == 1 else { return nil }
        return UnsafeRawPointer(bitPattern: UInt(word & ~1)).map { .fromOpaque($0) }
    }
    var text: String {
        if let box { return box._withUnsafeGuaranteedRef { $0.text } }
        return UnsafePointer<CChar>(bitPattern: UInt(word >> 1)).map { String(cString: $0) } ?? ""
    }
    @inline(__always) func letGo() { box?.release() }
}

/// An edge outside this module that passes pulses on and keeps nothing: when a pulse is over, the node that it leads to is as it was
/// before. An edge that passes a value on later passes on a pulse as a pulse (`isCalledByPulse`).
package protocol PulsePasser: AnyEdge {}
