import Synchronization

/// The content of a lifetime: its listen edges, and other things that end with it.
///
/// The storage is an object of its own, and the listen edges retain it, too. So an edge that leaves a lifetime while
/// another thread deallocates that touches no freed memory. Only its owners retain the lifetime.
///
/// Everything that is held has a number, which grows, so that the newest ends first.
///
/// Unchecked, because everything mutable is used under the lock alone.
final class LifetimeStorage: ListenTarget, @unchecked Sendable {
    @exclusivity(unchecked) private var edges = EdgeStorage()
    @exclusivity(unchecked) private var others = HeldCancelables()
    /// The newest number.
    @exclusivity(unchecked) private var number: UInt64 = 0
    /// The number of an edge that is held alone, for which `EdgeStorage` stores none.
    @exclusivity(unchecked) private var numberOfOnlyEdge: UInt64 = 0
    /// The lifetime itself, until it is deallocated. Not retained.
    @exclusivity(unchecked) private var lifetime: Unmanaged<Lifetime>?
    /// The newest listener that has this lifetime.
    @exclusivity(unchecked) private var newestListener: WeakListener?
    #if DEBUG
    /// The moment at which the only thing that the lifetime ever held was attached.
    @exclusivity(unchecked) private var onlyAttached: Moment?
    /// A thread's time, and the number of the last value of the node that is listened to, which other threads may set.
    private struct Moment: Equatable { let epoch: UInt64, store: UInt32? }
    /// The place in the program that made the lifetime.
    @exclusivity(unchecked) private var place: (file: StaticString, line: UInt)?
    #endif
    private let lock = Lock(())

    /// Sets the lifetime, and the place that made it. Called once, before anything else.
    func begin(_ lifetime: Lifetime, madeAt place: (file: StaticString, line: UInt)?) {
        self.lifetime = .passUnretained(lifetime)
        #if DEBUG
        self.place = place
        #endif
    }

    override var holdings: Unmanaged<LifetimeStorage> { .passUnretained(self) }
    override var listener: AnyObject? { lock.locking { lifetime?.whileAlive } }
    /// Returns the end for edges to `listener`, which has this lifetime. The caller keeps the lifetime alive.
    func listenTarget(_ listener: AnyObject, mode: UInt64) -> WeakListener {
        if let known = lock.locking({ newestListener }), known.listener === listener { return known }
        let made = WeakListener(listener, self, mode)
        var other: WeakListener? = made
        lock.locking { swap(&newestListener, &other) }
        return made
    }

    /// The edges, in the order in which they were attached.
    var allEdges: [AnyListenEdge] { lock.locking { edges.all }.map { unsafeDowncast($0, to: AnyListenEdge.self) } }
    /// The number of edges.
    var edgeCount: Int { lock.locking { edges.count } }

    func hold(_ cancelable: any Cancelable) {
        let isNew = lock.locking {
            number += 1
            return others.add(cancelable, number: number)
        }
        guard isNew, let member = cancelable as? any LifetimeMember else { return }
        if !member.enter(self) { letGo(of: cancelable) }
    }
    /// Releases a cancelable, if it is held.
    func letGo(of cancelable: any Cancelable) {
        guard remove(ObjectIdentifier(cancelable)) != nil else { return }
        (cancelable as? any LifetimeMember)?.leave(self)
    }
    /// Takes out a cancelable. The caller releases it, with no lock held.
    func remove(_ id: ObjectIdentifier) -> (any Cancelable)? { lock.locking { others.remove(id) } }
    /// Retains an edge until the lifetime ends it. The edge is not retained here yet, and the caller keeps the lifetime
    /// alive.
    func hold(_ edge: AnyListenEdge, _ deferred: inout DeferredReleases) {
        lock.locking {
            number += 1
            let isOnly = edges.isEmpty
            edges.insert(
                .passRetained(edge), number: number, numberOfFirst: numberOfOnlyEdge, at: .destination, &deferred)
            if isOnly { numberOfOnlyEdge = number }
        }
    }
    /// Releases an edge, unless the lifetime is being deallocated and has released it already.
    func letGo(of edge: AnyListenEdge, _ deferred: inout DeferredReleases) {
        lock.locking {
            guard edge.isListedAtDestination else { return }
            edges.remove(edge, &deferred)
            edge.setSlot(AnyEdge.noSlot, at: .destination)
        }
    }
    /// Ends everything that is held now.
    func cancel() {
        let held = lock.locking { (edges.entries(onlyNumber: numberOfOnlyEdge), others.takeAll()) }
        endAll(held.0, held.1)
    }
    /// Ends everything, because the lifetime is being deallocated.
    func end() {
        var removed = EdgeStorage()
        var held: [HeldCancelables.Entry] = []
        var oldListener: WeakListener?
        let only = lock.locking {
            removed = edges.removeAll()
            held = others.takeAll()
            lifetime = nil
            oldListener = newestListener.take()
            return numberOfOnlyEdge
        }
        let entries = removed.takeEntries(onlyNumber: only)
        sayIfGoneAtOnce(entries)
        endAll(consume entries, held)
        withExtendedLifetime(oldListener) {}
    }
    /// Notes that something was attached, in debug builds.
    @inline(__always) func noteAttached() {
        #if DEBUG
        let now = lock.locking { number == 1 } ? moment(of: allEdges.first) : nil
        lock.locking { onlyAttached = now }
        #endif
    }
    func mayGoAtOnce() {
        #if DEBUG
        lock.locking { onlyAttached = nil }
        #endif
    }
    #if DEBUG
    private func moment(of edge: AnyEdge?) -> Moment {
        Moment(epoch: Engine.current.epoch, store: edge?.source?.vertex.sequence.load(ordering: .relaxed))
    }
    #endif
    /// Says that the lifetime has gone right after its only listening was attached: this thread has set nothing since,
    /// and nobody has set the node.
    @inline(__always) private func sayIfGoneAtOnce(_ entries: [(edge: AnyEdge, number: UInt64)]) {
        #if DEBUG
        guard let onlyAttached, let edge = entries.first?.edge, onlyAttached == moment(of: edge),
            let node = edge.source?.vertex.nameOrType
        else { return }
        let place = place.map { "\($0.file):\($0.line)" }
        SilentMistake.tell(
            at: place ?? node,
            (place.map { "\($0): " } ?? "")
                + "a lifetime went right after a listening to \(node) was attached, so that has ended. Keep the lifetime in a "
                + "property: `listened(by: Lifetime())` keeps it for one statement")
        #endif
    }
    /// Ends edges and cancelables, each in the order of their numbers, the newest of all first.
    private func endAll(
        _ edges: consuming [(edge: AnyEdge, number: UInt64)], _ others: consuming [HeldCancelables.Entry]
    ) {
        while true {
            let (edge, other) = (edges.last?.number ?? 0, others.last?.number ?? 0)
            if edge > other, let newest = edges.popLast()?.edge {
                unsafeDowncast(newest, to: AnyListenEdge.self).end(with: self)
                IterativeRelease.letGo(of: .passRetained(consume newest))
            } else if let newest = others.popLast()?.cancelable {
                newest.cancel()
                IterativeRelease.letGo(of: .passRetained(consume newest))
            } else {
                return
            }
        }
    }
}
