import Synchronization

// One delivery at a time for each vertex: who has the turn, and what waits for it.
extension Vertex {
    /// Takes the idle vertex's turn to deliver, with the lock held; fails where it is locked or busy.
    @inlinable @inline(__always) final func enterIfIdle() -> Bool {
        ScheduleFaults.pause(at: .turnIsToBeTaken, of: address)
        guard
            word.compareExchange(
                expected: 0, desired: Vertex.locked | Vertex.busy, successOrdering: .acquiring,
                failureOrdering: .relaxed
            ).exchanged
        else { return false }
        ScheduleFaults.pause(at: .turnIsTaken, of: address)
        return true
    }
    /// Takes the turn to deliver, or queues `update` if it is someone's already. Does neither where `condition`, asked under
    /// the lock, does not hold. `note`, called under the lock as well, may put on record that it is queued.
    ///
    /// `times` are those of the set that the update belongs to, if any, and `taker` is how the word names its thread: it is of who
    /// delivers where that has taken the turn, or else came by in those times.
    ///
    /// Answers whether the turn is this thread's, and the lock held; or else whether whoever has it wants an heir: see `HandingOn`.
    final func enter(
        orQueue update: PendingUpdate, of times: Range<UInt64>, on taker: UInt32,
        if condition: (UInt32) -> Bool = { _ in true }, noting note: () -> Void = {}
    ) -> (isMine: Bool, wantsHeir: Bool) {
        let bits = lock()
        guard condition(bits) else {
            unlock(bits)
            return (false, false)
        }
        if bits & Vertex.busy == 0 {
            relock(Vertex.busy)
            return (true, false)
        }
        let rare = rareLocked
        rare.queue.append(update)
        // Who delivers was the last to come by; but who has only taken the turn was not here yet.
        let owner = bits & ~Vertex.delivering(bits)
        if owner == 0 ? times.contains(visited) : owner == taker && !times.isEmpty {
            update.isOwn = true
            rare.ownWaiting += 1
        }
        note()
        let wantsHeir = wantsHeir && !update.isOwn
        unlock(bits | Vertex.pending)
        return (false, wantsHeir)
    }
    /// Ends the turn if nothing waits.
    @inline(__always) final func leaveIfNothingPending() -> Bool {
        let address = address
        ScheduleFaults.pause(at: .turnIsToEnd, of: address)
        defer { ScheduleFaults.pause(at: .turnHasEnded, of: address) }
        return word.compareExchange(
            expected: Vertex.busy, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed
        ).exchanged
    }
    /// Marks the lists that a delivery is going to walk. The lock is held.
    @inline(__always) final func markWalked() {
        listens.markWalked()
        transforms.markWalked()
    }
}
