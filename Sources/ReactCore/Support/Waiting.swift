#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl  // unproven: nobody has compiled this yet
#endif

/// A wait for a thread that holds a lock of a few instructions: it spins a little, then yields, then sleeps. The holder
/// was preempted, and must get to run even if this thread has the higher priority.
package struct Waiting {
    private var attempts = 0

    package init() {}

    /// Returns when another attempt is worthwhile.
    package mutating func wait(for place: UInt) {
        if ScheduleFuzzing.handsOn(for: place) { return }
        attempts += 1
        if attempts > 200 {
            Waiting.sleep(microseconds: 20)
        } else if attempts > 40 {
            Waiting.letOthersRun()
        }
    }

    static func letOthersRun() { sched_yield() }
    static func sleep(microseconds: Int) { usleep(UInt32(microseconds)) }
    /// The time in nanoseconds, by a clock that never goes back.
    package static var clock: UInt64 {
        #if canImport(Darwin)
        // `CLOCK_MONOTONIC` counts microseconds there, and goes on while the machine sleeps.
        return clock_gettime_nsec_np(CLOCK_UPTIME_RAW)
        #else
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        #endif
    }
}
