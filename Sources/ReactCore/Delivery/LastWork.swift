/// An object that waits until an outermost transaction is over.
///
/// The reaction is a closure, not a protocol requirement, so that it is specialised where it is made. The object is
/// stored beside it, so that one closure serves all objects.
struct SetWaiter {
    let object: any AnyObject & Sendable
    /// Receives the object, on the transaction's thread, when nothing is under way there any more.
    let isTold: @Sendable (AnyObject) -> Void
}

/// The kinds of work that a thread has left for the end of its outermost transaction.
@usableFromInline struct LastDuties: OptionSet {
    @usableFromInline let rawValue: UInt8

    @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The transaction is to be counted, because somebody refers to it.
    @inlinable static var count: LastDuties { LastDuties(rawValue: 1) }
    /// The thread is to pause, because it and another thread keep leaving a join to each other.
    static var yield: LastDuties { LastDuties(rawValue: 2) }
    /// There are turns to serve or to wait for, which `LastWork` lists, or the pause budget is to be refilled.
    static var serve: LastDuties { LastDuties(rawValue: 4) }
    /// The stack has grown large in an unusually deep delivery, and may have to be shrunk.
    static var shrink: LastDuties { LastDuties(rawValue: 8) }
}

/// The turns that a thread has kept, or is to wait for, at the end of its outermost transaction.
struct LastWork {
    /// The vertices whose turn this thread keeps until the transaction is over; see ServingOthers.swift.
    var kept = Queue<Vertex>()
    /// True while this thread serves the turns listed here.
    var isServing = false
    /// The vertices where a value of this thread's is pending, and for whose turn it waits.
    var awaited: [Vertex] = []
}
