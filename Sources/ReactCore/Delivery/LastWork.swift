/// Who waits until an outermost set is over.
///
/// A closure and no requirement of a protocol, so that it is compiled for the types where it is made; and what it is about beside
/// it, so that it need not be made anew each time.
struct SetWaiter {
    let object: any AnyObject & Sendable
    /// Is given the object, on the thread of the set, with nothing under way there any more.
    let isTold: @Sendable (AnyObject) -> Void
}

/// What a thread has to do at the end of its outermost set.
@usableFromInline struct LastDuties: OptionSet {
    @usableFromInline let rawValue: UInt8

    @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

    /// To count the set, for somebody knows it.
    @inlinable static var count: LastDuties { LastDuties(rawValue: 1) }
    /// To step back, for this thread and another keep leaving a join to each other.
    static var yield: LastDuties { LastDuties(rawValue: 2) }
    /// What `LastWork` says.
    static var serve: LastDuties { LastDuties(rawValue: 4) }
    /// To look whether the stack, which an unusually deep delivery has made large, is to be kept.
    static var shrink: LastDuties { LastDuties(rawValue: 8) }
}

/// What a thread has to do for others at the end of its outermost set.
struct LastWork {
    /// Vertices whose turn was kept until the set is over, and those where something of it is queued: see `ServingOthers`.
    var kept = Queue<Vertex>()
    var isServing = false
    var awaited: [Vertex] = []
}
