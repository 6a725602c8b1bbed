import Synchronization

// The turn: while a vertex delivers a value, it is busy, and further values wait in its queue. They belong to the
// transaction under way, because only the owner of a region delivers there.
extension Vertex {
    /// Takes the turn and the lock of an idle vertex. Fails if the vertex is locked or busy.
    @inlinable @inline(__always) package final func tryAcquire() -> Bool {
        ScheduleFuzzing.pause(at: .turnIsToBeTaken, of: address)
        guard
            state.compareExchange(
                expected: 0, desired: Vertex.locked | Vertex.busy, successOrdering: .acquiring,
                failureOrdering: .relaxed
            ).exchanged
        else { return false }
        ScheduleFuzzing.pause(at: .turnIsTaken, of: address)
        return true
    }
    /// Takes the turn, or queues `update` if the vertex is busy. Does neither if `condition`, called under the lock,
    /// returns false. `note` is called under the lock when the update is queued, and may record that.
    ///
    /// Returns whether the turn was taken; if so, the lock is held.
    final func acquireOrEnqueue(
        _ update: PendingDelivery, if condition: () -> Bool = { true }, noting note: () -> Void = {}
    ) -> Bool {
        var bits = lock()
        if bits & Vertex.busy != 0, coldState == nil {
            // Nothing is allocated while the lock is held.
            unlock(bits)
            let made = ColdState()
            bits = lock()
            if coldState == nil { coldState = made }
        }
        guard condition() else {
            unlock(bits)
            return false
        }
        if bits & Vertex.busy == 0 {
            relock(Vertex.busy)
            return true
        }
        coldStateLocked.queue.append(update)
        note()
        unlock(bits | Vertex.pending)
        return false
    }
    /// Ends the turn if nothing waits. Returns whether it did.
    @inline(__always) final func releaseIfIdle() -> Bool {
        let address = address
        ScheduleFuzzing.pause(at: .turnIsToEnd, of: address)
        defer { ScheduleFuzzing.pause(at: .turnHasEnded, of: address) }
        return state.compareExchange(
            expected: Vertex.busy, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed
        ).exchanged
    }
    /// Takes out the next delivery that waits. If there is none, ends the turn.
    @inline(never) final func releaseOrDequeue() -> PendingDelivery? {
        var deferred = DeferredReleases()  // let go of when the lock is
        let bits = lock()
        guard bits & Vertex.pending != 0, let coldState else {
            unlock(0)
            return nil
        }
        swap(&deferred, &coldState.deferred)
        let next = coldState.queue.popFirst()
        unlock(next == nil ? 0 : coldState.queue.isEmpty ? bits & ~Vertex.pending : bits)
        return next
    }
    /// Marks the lists that a delivery is going to walk. The lock is held.
    @inline(__always) final func markWalked() {
        listens.markWalked()
        transforms.markWalked()
    }
}
