import ReactCore
import Synchronization

/// A payload that is counted as long as it lives, and so tells when something is held that should have been let go.
final class Tracked: Sendable {
    private static let living = Atomic(0)
    static var alive: Int { living.load(ordering: .acquiring) }

    let number: Int

    init(_ number: Int = 0) {
        self.number = number
        Self.living.add(1, ordering: .relaxed)
    }
    deinit { Self.living.subtract(1, ordering: .acquiringAndReleasing) }
}

/// Weak references to objects that must all be gone in the end.
final class Obituary: Sendable {
    private struct Entry { weak var object: (AnyObject & Sendable)? }
    private let entries = Lock<[Entry]>([])

    /// Watches `object` and returns it.
    func watch<Object: AnyObject & Sendable>(_ object: Object) -> Object {
        entries.withLock { $0.append(Entry(object: object)) }
        return object
    }
    var count: Int { entries.withLock { $0.count } }
    var survivors: [AnyObject & Sendable] { entries.withLock { $0.compactMap(\.object) } }
}
