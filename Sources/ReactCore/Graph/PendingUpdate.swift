/// Something that is to be delivered, and waits until its vertex is no longer busy, or its edge has caught up. What it is,
/// only the delivery knows.
class PendingUpdate {
    /// Whether who has the turn set it, as a part of the set that it came with. Guarded as the queue is.
    @exclusivity(unchecked) final var isOwn = false
}

/// Values that reach an edge while it catches up with an earlier one. Kept by the vertex that it leaves from.
final class ReplayBuffer {
    @exclusivity(unchecked) var entries = Queue<PendingUpdate>()
    /// Whether the edge has been so far behind that who sets pauses until it has caught up: pausing only where much waits, others
    /// would set as many again as it has taken meanwhile.
    @exclusivity(unchecked) var isFarBehind = false
}
