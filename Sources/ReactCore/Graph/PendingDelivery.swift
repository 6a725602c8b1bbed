/// A delivery that waits until its vertex is no longer busy, or its edge has caught up. Subclasses hold the value.
class PendingDelivery {
    /// The next delivery in the queue of the same vertex or edge. The link is in the object, so queuing allocates
    /// nothing while the lock is held.
    @exclusivity(unchecked) fileprivate final var next: PendingDelivery?
    /// True if the value belongs to the set for which the owner has the turn. Guarded like the queue.
    @exclusivity(unchecked) final var isOwn = false
}

/// Pending deliveries, first in, first out: a list linked through the deliveries themselves.
struct PendingQueue {
    private var first: PendingDelivery?
    private var last: Unmanaged<PendingDelivery>?
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    mutating func append(_ update: PendingDelivery) {
        if let last { last._withUnsafeGuaranteedRef { $0.next = update } } else { first = update }
        last = .passUnretained(update)
        count += 1
    }
    mutating func popFirst() -> PendingDelivery? {
        guard let update = first else { return nil }
        first = update.next.take()
        if first == nil { last = nil }
        count -= 1
        return update
    }
}

/// The catch-up buffer: values that reach an edge while it catches up with an earlier one. Kept by the edge's source.
final class CatchUpBuffer {
    @exclusivity(unchecked) var entries = PendingQueue()
    /// True if more than `Vertex.mostWaiting` values have ever waited here. From then on, threads that set the source
    /// pause until the buffer is empty. If they paused only above that limit, they would fill the buffer as fast as the
    /// edge empties it.
    @exclusivity(unchecked) var isFarBehind = false

    /// Releases one value after the other, because they may be a million, and each refers to the next.
    deinit { while entries.popFirst() != nil {} }
}
