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
    override var listener: AnyObject? {
        var found: Lifetime?
        lock.withLock { _ in found = lifetime?.whileAlive }
        return found
    }
    /// Where edges to a listener lead whose lifetime this is of, which is there.
    func hearer(_ listener: AnyObject, mode: UInt64) -> Hearer {
        var known: LifetimeOwner?
        lock.withLock { _ in known = owner }
        if let known, known.listener === listener { return known }
        let made = LifetimeOwner(listener, self, mode)
        lock.withLock { _ in
            known = owner
            owner = made
        }
        return made
    }

    /// The edges, in the order in which they were attached.
    var allEdges: [AnyListenEdge] {
        var all: [AnyEdge] = []
        lock.withLock { _ in all = edges.all }
        return all.map { unsafeDowncast($0, to: AnyListenEdge.self) }
    }
    /// What else it holds; `nil` where nothing was ever held.
    var bag: CancelableBag? {
        var bag: CancelableBag?
        lock.withLock { _ in bag = others }
        return bag
    }
    func hold(_ cancelable: any Cancelable) {
        var bag = CancelableBag()
        lock.withLock { _ in
            if let others { bag = others } else { others = bag }
        }
        bag.add(cancelable)
    }
    override func hold(_ edge: AnyListenEdge, _ deferred: inout Deferred) {
        lock.withLock { _ in edges.insert(.passRetained(edge), at: .destination, &deferred) }
    }
    override func letGo(of edge: AnyListenEdge, _ deferred: inout Deferred) {
        lock.withLock { _ in
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
        lock.withLock { _ in
            held = edges.removeAll()
            bag = others.take()
            lifetime = nil
            oldOwner = owner.take()
        }
        held.consumeEach { unsafeDowncast($0, to: AnyListenEdge.self).end(with: self) }
        withExtendedLifetime((bag, oldOwner)) {}
    }
}
