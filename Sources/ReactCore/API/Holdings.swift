/// What a lifetime holds: its listen edges, and what else is to end with it.
///
/// An object of its own, which those edges hold as well: so an edge that leaves a lifetime just as that goes, on another
/// thread, touches nothing that is freed meanwhile. Nobody but its owners ever holds the lifetime.
///
/// Unchecked, because what is mutable is reached under the lock alone.
final class Holdings: @unchecked Sendable {
    @exclusivity(unchecked) private var edges = EdgeSlots()
    @exclusivity(unchecked) private var others: CancelableBag?
    private let lock = Lock(())

    /// The edges, in the order in which they were attached.
    var allEdges: [AnyEdge] {
        var all: [AnyEdge] = []
        lock.withLock { _ in all = edges.all }
        return all
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
    /// Holds an edge, which nothing holds here yet. The lifetime is there.
    func hold(_ edge: AnyListenEdge, _ deferred: inout Deferred) {
        lock.withLock { _ in edges.insert(edge, at: .destination, &deferred) }
    }
    /// Lets go of an edge, unless the lifetime is going, and has done so already.
    func letGo(of edge: AnyListenEdge, _ deferred: inout Deferred) {
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
        lock.withLock { _ in
            held = edges.removeAll()
            bag = others.take()
        }
        held.consumeEach { unsafeDowncast($0, to: AnyListenEdge.self).end(with: self) }
        withExtendedLifetime(bag) {}
    }
}
