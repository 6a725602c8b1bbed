/// A pass: everything that one value sets off. A pass has a context, a segment of the stack, and the senders that the
/// value had passed before.
struct Pass {
    /// The place of the pass's first frame. The frame below it separates this pass from the one before.
    var bottom: UnsafeMutablePointer<Frame>
    var context: PassContext
    /// The beginning of the value (see `Epoch`): an epoch before the first trail entry of its senders.
    var since: UInt64
    /// The engine's state when the pass began, restored at its end. The first pass has no use for it.
    var outer: CurrentEdge
    var outerSending: UInt64 = 0
    /// The pending delivery that the pass delivers, if it is one; see `SetOrigin`.
    var queued: Queued?
    /// Where the set was asked for that the pass delivers, if that was at an earlier time.
    var origin: SetOrigin?

    struct Queued {
        let origin: SetOrigin
        /// False for a value that an edge has brought.
        let isSet: Bool
    }

    /// The trail entry that the value had reached before the pass began; negative for none (see `TrailPosition`). The
    /// frame below the pass stores it, as each frame does for the one above.
    @inline(__always) var entry: Trail.Index { (bottom - 1).pointee.entry }
    /// True if the value had passed nothing before the pass began.
    var isFirst: Bool { entry == TrailPosition.noSenders }
    @inline(__always) var senders: TrailPosition { TrailPosition(entry: entry, since: since) }
}
