import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension Vertex {
    /// What tells this vertex from others at the points of a schedule.
    @inlinable final var place: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
    /// Takes the lock; returns the other bits, for `unlock`.
    @inlinable @inline(__always) final func lock() -> UInt32 {
        ScheduleFaults.pause(at: .vertexIsToBeLocked, of: place)
        let bits = word.load(ordering: .relaxed) & ~Vertex.locked
        if word.compareExchange(
            expected: bits, desired: bits | Vertex.locked, successOrdering: .acquiring, failureOrdering: .relaxed
        ).exchanged {
            ScheduleFaults.pause(at: .vertexIsLocked, of: place)
            return bits
        }
        return lockContended()
    }
    @inlinable @inline(__always) final func unlock(_ bits: UInt32) {
        let place = place  // asked for while the vertex is there for sure
        ScheduleFaults.pause(at: .vertexIsToBeUnlocked, of: place)
        word.store(bits, ordering: .releasing)
        ScheduleFaults.pause(at: .vertexIsUnlocked, of: place)
    }
    /// Changes the other bits. Precondition: the lock is held.
    final func relock(_ bits: UInt32) { word.store(bits | Vertex.locked, ordering: .relaxed) }
    @inline(__always) final func locking<R>(_ body: () -> R) -> R {
        let bits = lock()
        defer { unlock(bits) }
        return body()
    }
    /// Spins a little, then sleeps: whoever holds the lock is a few instructions from letting go, or was preempted,
    /// and must get to run even where this thread has the higher priority.
    @usableFromInline @inline(never) final func lockContended() -> UInt32 {
        var attempt = 0
        while true {
            let bits = word.load(ordering: .relaxed)
            if bits & Vertex.locked == 0,
                word.weakCompareExchange(
                    expected: bits, desired: bits | Vertex.locked,
                    successOrdering: .acquiring, failureOrdering: .relaxed
                ).exchanged
            {
                ScheduleFaults.pause(at: .vertexIsLocked, of: place)
                return bits
            }
            if ScheduleFaults.handsOn(for: place) { continue }
            attempt += 1
            if attempt > 200 {
                usleep(20)
            } else if attempt > 40 {
                sched_yield()
            }
        }
    }
}
