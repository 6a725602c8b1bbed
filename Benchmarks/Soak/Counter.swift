import Synchronization

/// A number that any thread may raise.
final class Counter: Sendable {
    private let number = Atomic(0)
    var count: Int { number.load(ordering: .acquiring) }
    /// Returns the new count.
    @discardableResult func add(_ more: Int) -> Int {
        number.add(more, ordering: .acquiringAndReleasing).newValue
    }
}
