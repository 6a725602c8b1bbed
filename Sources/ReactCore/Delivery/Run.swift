/// All that one value sets off: what travels beside it, and what it came through before.
struct Run {
    /// Where its frames begin; below is one that ends it.
    var bottom: UnsafeMutablePointer<Frame>
    /// Held.
    var context: Unmanaged<ContextBox>?
    /// A time (`now`) before the first visit of what the value came through; 0 where none is known.
    var since: UInt64
    /// What was being called when the run began, and who could send then; of no use to the first run.
    var outer: Call
    var outerSending: UInt64 = 0
    var outerTurn = Turn()
    /// Whether it is of a value that was queued.
    var isTurn = false

    /// What the value came through before the run began; -1 for nothing. The frame below the run has it, as that of each visit has it
    /// for the frame above.
    @inline(__always) var visit: Visits.Index { (bottom - 1).pointee.visit }
    @inline(__always) var senders: Senders { Senders(visit: visit, since: since) }
}
/// A part of what a thread does: what a value that was queued sets off, or what nothing was queued for.
struct Turn {
    /// Whether it is for others: so nothing of what it sets belongs to a set of this thread's.
    var isForeign = false
    /// How many values of others have been delivered at the vertex in a row, this one included.
    var foreigners = 0
    /// How many sets have led to it, each of which had to wait for the one before.
    var chain = 0
}
/// Where the edge that is being called stands: its frame ends at `top`, its run is the last below `runs`.
@usableFromInline struct Call {
    @usableFromInline var top: UnsafeMutablePointer<Frame>
    @usableFromInline var runs: Int
    /// The linking by which it was called.
    @usableFromInline var number: UInt64
}
