/// What happened, in the order in which it happened, whichever thread it happened on.
public final class Recorder<Event: Sendable>: Sendable {
    private let recorded = Locked<[Event]>([])

    public init() {}

    public func record(_ event: Event) { recorded.withLock { $0.append(event) } }

    public var events: [Event] { recorded.value }
    public var count: Int { recorded.withLock { $0.count } }
    public var last: Event? { recorded.withLock { $0.last } }

    /// What was recorded since the last call; the recorder starts again from nothing.
    public func take() -> [Event] {
        recorded.withLock {
            let events = $0
            $0 = []
            return events
        }
    }
}
