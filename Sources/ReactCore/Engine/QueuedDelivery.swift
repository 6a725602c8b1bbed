/// A pending delivery: a value, or an emptying, that waits until its vertex is no longer busy.
final class QueuedDelivery: PendingDelivery {
    let context: ContextBox?
    let senders: SenderList
    /// Stores the value, and returns true if there is something to deliver.
    let take: (Vertex, Engine) -> Bool
    /// The edge that brings the value, for the observer; `nil` for a set. `take` retains it.
    let edge: Unmanaged<AnyEdge>?
    /// The serial number of that edge's source, if it was recorded.
    let source: UInt
    /// True if it brings no value, and only waits for the turn.
    let onlyWaits: Bool
    /// Set when the delivery is queued.
    @exclusivity(unchecked) var origin = SetOrigin.inside

    init(
        context: ContextBox?, senders: SenderList, edge: Unmanaged<AnyEdge>? = nil, source: UInt = 0,
        onlyWaits: Bool = false, take: @escaping (Vertex, Engine) -> Bool
    ) {
        self.context = context
        self.senders = senders
        self.edge = edge
        self.source = source
        self.onlyWaits = onlyWaits
        self.take = take
    }
}
