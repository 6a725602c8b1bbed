import Synchronization

/// The bits of an edge's connection state: its generation, and how the edge is to be called.
///
/// Each connection of an edge has a number, its generation. No later connection of the edge has the same number. A list
/// entry has the generation of the connection that put it there. If the two numbers are equal, the edge was not cut
/// since, nor cut and reconnected, nor given another end. The number outlives the connection, so that the next
/// connection gets another one.
///
/// The three lowest bits are the mode. While the edge is connected, it is `catchingUp`, `checks`, both or neither.
/// Otherwise it is `cut` or `awaitsRemoval`, which are greater.
enum ConnectionState {
    /// The edge is catching up with its source's present value, so later values have to wait (see `InitialDelivery`).
    static let catchingUp: UInt64 = 1
    /// Each call has to check whether the listener is alive, because nothing reports its end.
    static let checks: UInt64 = 2
    /// The edge is not connected.
    static let cut: UInt64 = 4
    /// The edge is not connected, and the owner of its region has yet to take it out of the graph.
    static let awaitsRemoval: UInt64 = 7
    static let modes: UInt64 = 7
    private static let step: UInt64 = 8

    /// The generation in a state.
    @inline(__always) static func generation(of word: UInt64) -> UInt64 { word & ~modes }
    /// The generation that follows the one in `word`.
    @inline(__always) static func next(after word: UInt64) -> UInt64 { generation(of: word) &+ step }
    /// True if an edge with this state is still in the connection of that generation.
    @inline(__always) static func isStillConnected(_ word: UInt64, _ generation: UInt64) -> Bool {
        word ^ generation < cut
    }
}

/// One connection of an edge: the time during which it has the same two ends.
///
/// The data that an operator keeps belongs to the connection by which it came. An operator whose data the owner of
/// the region alone uses clears it in `willDisconnect`. Other operators compare generations when they use their data,
/// so they need no call that comes in time.
@usableFromInline package struct Connection: Equatable, Sendable {
    @usableFromInline package let generation: UInt64

    @usableFromInline init(generation: UInt64) { self.generation = generation }
    /// The value for an edge that is not connected.
    @usableFromInline package static var none: Connection { Connection(generation: 0) }
    /// True once a thread has held joins back (see `JoinsHeldBack`). From then on, `didConnect` is called for each new
    /// connection. Until then, a connection costs one load here.
    static let areNoted = Atomic<Bool>(false)
}

/// An edge with the connection that it had when it chose to send. Used while the edge is held: in its call, or in a
/// pending delivery.
@usableFromInline package struct ConnectionToken {
    @usableFromInline package let edge: Unmanaged<AnyEdge>
    @usableFromInline package let generation: UInt64

    /// True if the edge still has that connection.
    @usableFromInline package var isStillConnected: Bool {
        edge._withUnsafeGuaranteedRef { $0.isConnected(by: generation) }
    }
}
