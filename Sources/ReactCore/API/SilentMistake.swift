/// Words about mistakes that change nothing at once, in debug builds: each is told once for each place.
package enum SilentMistake {
    private struct Reports {
        var handler: @Sendable (String) -> Void = { warn($0) }
        /// The places that have been told.
        var told: Set<String> = []
    }
    private static let reports = Lock(Reports())
    private static let mostPlaces = 1_000

    /// The closure that is called with each message. By default, it writes to standard error.
    package static var report: @Sendable (String) -> Void {
        get { reports.withLock { $0.handler } }
        set {
            var other = newValue
            // The previous closure is released after the lock.
            reports.withLock { swap(&$0.handler, &other) }
        }
    }
    /// Tells `message`, unless something was told for `place` before. No lock is held.
    package static func tell(at place: String, _ message: String) {
        let handler = reports.withLock { reports -> (@Sendable (String) -> Void)? in
            guard reports.told.count < mostPlaces, reports.told.insert(place).inserted else { return nil }
            return reports.handler
        }
        handler?(message)
    }
}

/// Held by the node of a body that has read no node by its reader, but one by `value` or `current`: the body is never
/// called again.
private final class UnfollowedRead: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
}

extension Vertex {
    /// Notes that the body of this vertex is never called again, although it has read the node `name`.
    package final func noteUnfollowedRead(of name: String) { _ = holdByHandle(UnfollowedRead(name)) }
    /// The name of a node that the body of this vertex reads, and does not follow.
    package final var unfollowedRead: String? {
        // Released when no lock is held.
        let held = locking { coldState?.heldByHandle }
        return (held as? UnfollowedRead)?.name
    }
}
