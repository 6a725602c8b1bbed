import Synchronization

/// Something that is to be delivered, and waits until its vertex is no longer busy, or its edge has caught up. What it is,
/// only the delivery knows.
class PendingUpdate {}

// One delivery at a time for each vertex: who has the turn, and what waits for it.
extension Vertex {
    /// Takes the idle vertex's turn to deliver, with the lock held; fails where it is locked or busy.
    @inlinable @inline(__always) final func enterIfIdle() -> Bool {
        ScheduleFaults.pause(at: .turnIsToBeTaken, of: place)
        guard
            word.compareExchange(
                expected: 0, desired: Vertex.locked | Vertex.busy, successOrdering: .acquiring,
                failureOrdering: .relaxed
            ).exchanged
        else { return false }
        ScheduleFaults.pause(at: .turnIsTaken, of: place)
        return true
    }
    enum Entry {
        /// The turn is this thread's, and the lock is held.
        case entered
        /// The turn is someone's; so many now wait for it.
        case queued(Int)
        case refused
    }
    /// Takes the turn to deliver, or queues `update` if it is someone's already. Does neither where `condition`, asked under
    /// the lock, does not hold. `note`, called under the lock as well, may put on record that it is queued.
    final func enter(
        orQueue update: PendingUpdate, if condition: (UInt32) -> Bool = { _ in true }, noting note: () -> Void = {}
    ) -> Entry {
        let bits = lock()
        guard condition(bits) else {
            unlock(bits)
            return .refused
        }
        if bits & Vertex.busy == 0 {
            relock(Vertex.busy)
            return .entered
        }
        rareLocked.queue.append(update)
        note()
        let count = rareLocked.queue.count
        unlock(bits | Vertex.pending)
        return .queued(count)
    }
    /// Ends the turn if nothing waits.
    @inline(__always) final func leaveIfNothingPending() -> Bool {
        let place = place
        ScheduleFaults.pause(at: .turnIsToEnd, of: place)
        defer { ScheduleFaults.pause(at: .turnHasEnded, of: place) }
        return word.compareExchange(
            expected: Vertex.busy, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed
        ).exchanged
    }
    /// Ends the turn, or keeps it and returns what is to be delivered next.
    @inline(never) final func leaveOrTakeNext() -> PendingUpdate? {
        var deferred = Deferred()  // let go of when the lock is
        let bits = lock()
        guard bits & Vertex.pending != 0, let rare else {
            unlock(0)
            return nil
        }
        swap(&deferred, &rare.deferred)
        let next = rare.queue.popFirst()
        unlock(next == nil ? 0 : rare.queue.isEmpty ? Vertex.busy : Vertex.busy | Vertex.pending)
        return next
    }
    /// Marks the lists that a delivery is going to walk. The lock is held.
    final func markWalked() {
        listens.markWalked()
        transforms.markWalked()
    }
}
