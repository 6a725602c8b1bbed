#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl  // unproven: nobody has compiled this yet
#endif

#if _pointerBitWidth(_32)
#error("EasyReact is for platforms with 64-bit pointers: its times and words of state have 64 bits")
#endif

/// The calls of the platform's C library. No other file of the package names a platform.
package enum Platform {
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
    static func sleep(microseconds: Int) { usleep(UInt32(microseconds)) }
    static func letOthersRun() { sched_yield() }
    /// Writes text to standard error. Not by `stderr`, which Swift takes for a variable that several threads change.
    static func writeError(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
    }
    /// True on the process's main thread. Takes a system call on Linux, so callers remember the answer.
    static var isMainThread: Bool {
        #if canImport(Darwin)
        return pthread_main_np() != 0
        #else
        // The link names the process and the thread, as "7/task/7" does. The main thread has the number of the process.
        var link = [UInt8](repeating: 0, count: 64)
        let count = link.withUnsafeMutableBytes { readlink("/proc/thread-self", $0.baseAddress!, $0.count) }
        return String(decoding: link.prefix(max(count, 0)), as: UTF8.self) == "\(getpid())/task/\(getpid())"
        #endif
    }
    /// A number of this thread. No two threads that live at a time have the same.
    static var thread: UInt {
        #if canImport(Darwin)
        return UInt(bitPattern: pthread_self())
        #else
        return UInt(pthread_self())
        #endif
    }
    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    static func setEnvironment(_ name: String, _ value: String) { setenv(name, value, 1) }
}

// MARK: - Objects of a thread

extension Platform {
    typealias Key = pthread_key_t

    /// Makes a key. The object of a thread is released when the thread ends. Returns `nil` if the process has used all
    /// keys.
    static func makeKey() -> Key? {
        var made = pthread_key_t()
        let status = pthread_key_create(&made) {
            if let known = $0 as UnsafeMutableRawPointer? { Unmanaged<AnyObject>.fromOpaque(known).release() }
        }
        return status == 0 ? made : nil
    }
    static func delete(_ key: Key) { pthread_key_delete(key) }
    @inline(__always) static func object(for key: Key) -> UnsafeMutableRawPointer? { pthread_getspecific(key) }
    static func set(_ object: UnsafeMutableRawPointer, for key: Key) { pthread_setspecific(key, object) }
}

// MARK: - Locks

/// A mutex of the C library: see `Lock`. Unchecked, because its address is constant, and any thread may use a mutex.
struct PlatformMutex: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() { pthread_mutex_init(mutex, nil) }
    func destroy() {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }
    var place: UInt { UInt(bitPattern: mutex) }
    func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }
    func lock() { pthread_mutex_lock(mutex) }
    func unlock() { pthread_mutex_unlock(mutex) }
}

// MARK: - Priorities

/// A thread, to which others may lend their priority. Unproven on Apple's platforms: nobody has compiled or run that
/// part yet. On other platforms, nothing is lent.
struct PlatformThread {
    #if canImport(Darwin)
    static let mayLend = true
    private let thread = pthread_self()

    /// Lends this thread's quality of service (`pthread_override_qos_class_start_np` in `pthread/qos.h`). A class that
    /// is not known, that of a thread with a fixed priority, is not lent. Returns the loan, which `endLoan` takes.
    func lend() -> OpaquePointer? { pthread_override_qos_class_start_np(thread, qos_class_self(), 0) }
    static func endLoan(_ loan: OpaquePointer) { pthread_override_qos_class_end_np(loan) }
    #else
    static let mayLend = false
    func lend() -> OpaquePointer? { nil }
    static func endLoan(_ loan: OpaquePointer) {}
    #endif
}
