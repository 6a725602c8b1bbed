/// A delivery that waits until its vertex is no longer busy, or its edge has caught up. Subclasses hold the value.
class PendingDelivery {}

/// The catch-up buffer: values that reach an edge while it catches up with an earlier one. Kept by the edge's source.
final class CatchUpBuffer {
    @exclusivity(unchecked) var entries = Queue<PendingDelivery>()
}
