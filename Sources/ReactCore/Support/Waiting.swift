#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How a thread waits for one that holds a lock of a few instructions: it spins a little, then sleeps. Whoever holds the lock was
/// preempted, and must get to run even where this thread has the higher priority.
package struct Waiting {
    private var attempts = 0

    package init() {}

    /// Returns when it is worth another attempt.
    package mutating func wait(for place: UInt) {
        if ScheduleFaults.handsOn(for: place) { return }
        attempts += 1
        if attempts > 200 {
            usleep(20)
        } else if attempts > 40 {
            sched_yield()
        }
    }
}
