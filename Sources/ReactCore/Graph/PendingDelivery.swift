/// A delivery that waits until its vertex is no longer busy, or its edge has caught up. Subclasses hold the value.
class PendingDelivery {
    /// The next delivery in the queue of the same vertex or edge. The link is in the object, so queuing allocates
    /// nothing while the lock is held.
    @exclusivity(unchecked) fileprivate final var next: PendingDelivery?
}

/// Pending deliveries, first in, first out: a list linked through the deliveries themselves.
struct PendingQueue {
    private var first: PendingDelivery?
    private var last: Unmanaged<PendingDelivery>?

    var isEmpty: Bool { first == nil }
    mutating func append(_ update: PendingDelivery) {
        if let last { last._withUnsafeGuaranteedRef { $0.next = update } } else { first = update }
        last = .passUnretained(update)
    }
    mutating func popFirst() -> PendingDelivery? {
        guard let update = first else { return nil }
        first = update.next.take()
        if first == nil { last = nil }
        return update
    }
}

/// The catch-up buffer: values that reach an edge while it catches up with an earlier one. Kept by the edge's source.
final class CatchUpBuffer {
    @exclusivity(unchecked) var entries = PendingQueue()

    /// Releases one value after the other, because they may be a million, and each refers to the next.
    deinit { while entries.popFirst() != nil {} }
}
