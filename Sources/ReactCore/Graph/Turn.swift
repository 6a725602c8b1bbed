import Synchronization

// The turn: while a vertex delivers a value, it is busy, and further values wait in its queue. They belong to the
// transaction under way, because only the owner of a region delivers there. Only he writes the turn. The word is atomic
// because other threads read it.
extension Vertex {
    /// The turn's bits: see `Vertex`.
    @inlinable @inline(__always) package final var turn: UInt32 {
        get { turnWord.load(ordering: .relaxed) }
        set { turnWord.store(newValue, ordering: .relaxed) }
    }
    /// True if a value is being delivered here, or the turn is taken for one.
    @inlinable @inline(__always) package final var isBusy: Bool { turn & Vertex.busy != 0 }
    /// Takes the turn. Fails if the vertex is busy.
    @inlinable @inline(__always) package final func tryAcquire() -> Bool {
        if turn != 0 { return false }
        turn = Vertex.taken
        return true
    }
    /// Takes the turn, or queues `update` if the vertex is busy. `note` is called when the update is queued. Returns
    /// whether the turn was taken.
    final func acquireOrEnqueue(_ update: PendingDelivery, noting note: () -> Void = {}) -> Bool {
        if tryAcquire() { return true }
        madeOwnerState.queue.append(update)
        turn |= Vertex.pending
        note()
        return false
    }
    /// Notes that the turn delivers something.
    @inlinable @inline(__always) final func beginToDeliver() { turn &= Vertex.busy | Vertex.pending }
    /// Ends the turn if nothing waits. Returns whether it did.
    @inline(__always) final func releaseIfIdle() -> Bool {
        if turn != Vertex.busy { return false }
        turn = 0
        return true
    }
    /// Takes out the next delivery that waits. If there is none, ends the turn.
    @inline(never) final func releaseOrDequeue() -> PendingDelivery? {
        guard turn & Vertex.pending != 0, let ownerState else {
            turn = 0
            return nil
        }
        var deferred = DeferredReleases()  // let go of at the end, because that may run user code
        swap(&deferred, &ownerState.deferred)
        let next = ownerState.queue.popFirst()
        if next == nil { turn = 0 } else if ownerState.queue.isEmpty { turn &= ~Vertex.pending }
        return next
    }
    /// Marks the lists that a delivery is going to walk.
    @inline(__always) final func noteWalked() {
        listens.noteWalked()
        transforms.noteWalked()
    }
}
