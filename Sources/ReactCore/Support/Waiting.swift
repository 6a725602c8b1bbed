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
            Waiting.sleep(microseconds: 20)
        } else if attempts > 40 {
            Waiting.letOthersRun()
        }
    }

    static func letOthersRun() { sched_yield() }
    /// Passes the time without a call of the system, which would take longer.
    static func spin(nanoseconds: UInt64) {
        let begin = clock
        while clock - begin < nanoseconds {}
    }
    static func sleep(microseconds: Int) { usleep(UInt32(microseconds)) }
    /// Nanoseconds of a clock that never goes back.
    package static var clock: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
