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
