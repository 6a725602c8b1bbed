/// What a lifetime holds: its listen edges, and what else is to end with it.
///
/// An object of its own, which those edges hold as well: so an edge that leaves a lifetime just as that goes, on another
/// thread, touches nothing that is freed meanwhile. Nobody but its owners ever holds the lifetime.
///
/// Unchecked, because what is mutable is reached under the lock alone.
final class Holdings: Hearer, @unchecked Sendable {
    @exclusivity(unchecked) private var edges = EdgeSlots()
    @exclusivity(unchecked) private var others: CancelableBag?
    /// The lifetime itself, until it goes. Not held.
    @exclusivity(unchecked) private var lifetime: Unmanaged<Lifetime>?
    /// The last listener whose lifetime that is.
    @exclusivity(unchecked) private var owner: LifetimeOwner?
    private let lock = Lock(())

    /// Called once, before anything else.
    func begin(_ lifetime: Lifetime) { self.lifetime = .passUnretained(lifetime) }

    override func isHeld(by other: Holdings) -> Bool { self === other }
    override var listener: AnyObject? { lock.locking { lifetime?.whileAlive } }
    /// Where edges to a listener lead whose lifetime this is of, which is there.
    func hearer(_ listener: AnyObject, mode: UInt64) -> LifetimeOwner {
        if let known = lock.locking({ owner }), known.listener === listener { return known }
        let made = LifetimeOwner(listener, self, mode)
        var other: LifetimeOwner? = made
        lock.locking { swap(&owner, &other) }
        return made
    }

    /// The edges, in the order in which they were attached.
    var allEdges: [AnyListenEdge] {
        lock.locking { edges.all }.map { unsafeDowncast($0, to: AnyListenEdge.self) }
    }
    /// How many edges it holds.
    var edgeCount: Int { lock.locking { edges.count } }
    /// What else it holds; `nil` where nothing was ever held.
    var bag: CancelableBag? { lock.locking { others } }
    func hold(_ cancelable: any Cancelable) {
        let made = CancelableBag()
        let bag = lock.locking {
            if others == nil { others = made }
            return others
        }
        bag?.add(cancelable)
    }
    override func hold(_ edge: AnyListenEdge, _ deferred: inout Deferred) {
        lock.locking { edges.insert(.passRetained(edge), at: .destination, &deferred) }
    }
    override func letGo(of edge: AnyListenEdge, _ deferred: inout Deferred) {
        lock.locking {
            guard edge.isListedAtDestination else { return }
            edges.remove(edge, &deferred)
            edge.setSlot(AnyEdge.noSlot, at: .destination)
        }
    }
    /// Ends all of it: the lifetime is going.
    func end() {
        var held = EdgeSlots()
        var bag: CancelableBag?
        var oldOwner: LifetimeOwner?
        lock.locking {
            held = edges.removeAll()
            bag = others.take()
            lifetime = nil
            oldOwner = owner.take()
        }
        held.consumeEach { unsafeDowncast($0, to: AnyListenEdge.self).end(with: self) }
        withExtendedLifetime((bag, oldOwner)) {}
    }
}
