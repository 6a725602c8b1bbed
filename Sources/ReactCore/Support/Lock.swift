import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl  // unproven: nobody has compiled this yet
#endif

// The one lock of the package: state and the mutex that guards it, used by `withLock`. Only this file chooses the kind
// of mutex. No user code ever runs under it.

#if !THREAD_SANITIZER && !SCHEDULE_FAULTS

/// A value and the mutex that guards it.
@usableFromInline package typealias Lock<State: ~Copyable> = Mutex<State>

#else

/// A value and the mutex that guards it, for runs under the thread sanitizer, and with schedule faults.
///
/// On Linux, `Synchronization.Mutex` hands over through the kernel. The sanitizer does not see that, and reports races
/// that are none; it does see pthread mutexes. And a thread whose schedule is controlled must not wait in the kernel.
///
/// Unchecked, because the state is used only between `lock` and `unlock`.
@usableFromInline package struct Lock<State>: ~Copyable, @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

    @usableFromInline package init(_ state: consuming sending State) {
        pthread_mutex_init(mutex, nil)
        self.state.initialize(to: state)
    }
    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }
    @usableFromInline package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock()
        defer { unlock() }
        return try body(&state.pointee)
    }
    private var place: UInt { UInt(bitPattern: mutex) }
    private borrowing func lock() {
        ScheduleFuzzing.pause(at: .lockIsToBeTaken, of: place)
        while pthread_mutex_trylock(mutex) != 0 {
            if ScheduleFuzzing.handsOn(for: place) { continue }
            pthread_mutex_lock(mutex)
            break
        }
        ScheduleFuzzing.pause(at: .lockIsTaken, of: place)
    }
    private borrowing func unlock() {
        ScheduleFuzzing.pause(at: .lockIsToBeLetGo, of: place)
        pthread_mutex_unlock(mutex)
        ScheduleFuzzing.pause(at: .lockIsLetGo, of: place)
    }
}

#endif

extension Lock<Void> {
    /// Calls `body` under a lock that guards data outside of it. Unlike with `withLock`, `body` may return any of that
    /// data.
    @inline(__always) borrowing func locking<Result>(_ body: () -> Result) -> Result {
        var result: Result?
        withLock { _ in result = body() }
        return result.unsafelyUnwrapped
    }
}

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
    /// Lets time pass without a system call, which would take longer.
    static func spin(nanoseconds: UInt64) {
        let begin = clock
        while clock - begin < nanoseconds {}
    }
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
