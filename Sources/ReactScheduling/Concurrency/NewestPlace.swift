import ReactCore
import Synchronization

/// A place for the newest value, while the loop over the values is elsewhere. Each new value replaces the one before.
///
///     open: values come here  ◀──────────────────────  closed: they go to the line, where the loop looks for them
///                              the loop goes elsewhere
///
/// The place has a lock of its own, which takes one atomic instruction and is held for a few others. A value that
/// nobody awaits therefore costs no more than a listener that keeps it in a `Mutex`.
///
/// Unchecked, because `place` changes under the lock in `word` alone, or while the place is closed, and then under the
/// line's lock.
@usableFromInline final class NewestPlace<Place: Sendable>: @unchecked Sendable {
    @usableFromInline static var open: UInt32 { 0 }
    @usableFromInline static var locked: UInt32 { 1 }
    @usableFromInline static var closed: UInt32 { 2 }

    @usableFromInline let word: Atomic<UInt32>
    @exclusivity(unchecked) @usableFromInline var place: Place?
    /// The number of values that were replaced by newer ones. Read while the place is closed.
    @exclusivity(unchecked) @usableFromInline var replacedCount = 0

    init(isOpen: Bool) { word = Atomic(isOpen ? NewestPlace.open : NewestPlace.closed) }

    /// Puts `new` here, and returns the value that it replaced. Fails if the place is closed. Called by one thread at a
    /// time.
    @inlinable @inline(__always) func exchange(_ new: inout Place?) -> Bool {
        guard
            word.compareExchange(
                expected: NewestPlace.open, desired: NewestPlace.locked, successOrdering: .acquiring,
                failureOrdering: .relaxed
            ).exchanged
        else { return false }
        ScheduleFuzzing.pause(at: .lockIsTaken, of: address)
        swap(&place, &new)
        if new != nil { replacedCount &+= 1 }
        word.store(NewestPlace.open, ordering: .releasing)
        ScheduleFuzzing.pause(at: .lockIsLetGo, of: address)
        return true
    }
    /// Takes the value out and closes the place. The line's lock is held.
    @inlinable func close() -> Place? {
        let (exchanged, found) = word.compareExchange(
            expected: NewestPlace.open, desired: NewestPlace.closed, ordering: .acquiringAndReleasing)
        if !exchanged, found == NewestPlace.locked { closeContended() }
        return place.take()
    }
    @usableFromInline @inline(never) func closeContended() {
        var waiting = Waiting()
        while !word.weakCompareExchange(
            expected: NewestPlace.open, desired: NewestPlace.closed, ordering: .acquiringAndReleasing
        ).exchanged { waiting.wait(for: address) }
    }
    /// Opens the place, which is closed, and therefore empty. The line's lock is held.
    @inlinable func open() { word.store(NewestPlace.open, ordering: .releasing) }

    @usableFromInline var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
}
