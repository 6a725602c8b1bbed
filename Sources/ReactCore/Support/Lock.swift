import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

// The one lock of the package, and the only place that chooses it: state and the mutex that guards it, reached by
// `withLock`. No user code ever runs inside.

#if !THREAD_SANITIZER

/// A value and the mutex that guards it.
@usableFromInline package typealias Lock<State: ~Copyable> = Mutex<State>

#else

/// A value and the mutex that guards it, for runs under the thread sanitizer.
///
/// `Synchronization.Mutex` hands over through the kernel on Linux, where the sanitizer does not see it and reports races
/// that are none. It does see pthread mutexes.
///
/// Unchecked, because the state is reached only between `pthread_mutex_lock` and `pthread_mutex_unlock`.
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
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state.pointee)
    }
}

#endif
