/// Hands out payloads and knows which of them are still alive.
///
///     try withLifetimeTracking { tracker in
///         let node = Node(tracker.track("value"))
///         …
///     }   // throws, and so fails the test, if "value" is still alive
public final class LifetimeTracker: Sendable {
    private struct State {
        var next = 0
        var live: [Int: String] = [:]
    }
    private let state = Locked(State())

    public init() {}

    /// A payload to put into the system under test.
    public func track(_ label: String) -> Tracked {
        let id = state.withLock { state in
            defer { state.next += 1 }
            state.live[state.next] = label
            return state.next
        }
        return Tracked(id: id, label: label, tracker: self)
    }

    /// The labels of the payloads that are alive, oldest first.
    public var live: [String] {
        state.withLock { $0.live.sorted { $0.key < $1.key }.map(\.value) }
    }

    fileprivate func forget(_ id: Int) {
        state.withLock { $0.live[id] = nil }
    }
}

/// A payload of a `LifetimeTracker`. Two payloads are equal when they bear the same label.
public final class Tracked: Sendable, Hashable, CustomStringConvertible {
    private let id: Int
    public let label: String
    private let tracker: LifetimeTracker

    fileprivate init(id: Int, label: String, tracker: LifetimeTracker) {
        self.id = id
        self.label = label
        self.tracker = tracker
    }

    deinit { tracker.forget(id) }

    public var description: String { label }
    public static func == (lhs: Tracked, rhs: Tracked) -> Bool { lhs.label == rhs.label }
    public func hash(into hasher: inout Hasher) { hasher.combine(label) }
}

/// Thrown when payloads outlive the block that they were made for.
public struct LeftOver: Error, CustomStringConvertible {
    public let labels: [String]
    public var description: String { "still alive: \(labels.joined(separator: ", "))" }
}

/// Runs `body` and throws `LeftOver` if a payload that it tracked stays alive afterwards: see `eventually`.
public func withLifetimeTracking<R>(_ body: (LifetimeTracker) throws -> R) throws -> R {
    let tracker = LifetimeTracker()
    let result = try body(tracker)
    guard eventually({ tracker.live.isEmpty }) else { throw LeftOver(labels: tracker.live) }
    return result
}
