import Synchronization

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
    private let mutex = PlatformMutex()
    private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

    @usableFromInline package init(_ state: consuming sending State) {
        self.state.initialize(to: state)
    }
    deinit {
        mutex.destroy()
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
    private var place: UInt { mutex.place }
    private borrowing func lock() {
        ScheduleFuzzing.pause(at: .lockIsToBeTaken, of: place)
        while !mutex.tryLock() {
            if ScheduleFuzzing.handsOn(for: place) { continue }
            mutex.lock()
            break
        }
        ScheduleFuzzing.pause(at: .lockIsTaken, of: place)
    }
    private borrowing func unlock() {
        ScheduleFuzzing.pause(at: .lockIsToBeLetGo, of: place)
        mutex.unlock()
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
