import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl  // unproven: nobody has compiled this yet
#endif

/// Returns true on the process's main thread. Takes a system call on Linux, so callers remember the answer.
func isMainThread() -> Bool {
    #if canImport(Darwin)
    return pthread_main_np() != 0
    #else
    // The link names the process and the thread, as "7/task/7" does. The main thread has the number of the process.
    var link = [UInt8](repeating: 0, count: 64)
    let count = link.withUnsafeMutableBytes { readlink("/proc/thread-self", $0.baseAddress!, $0.count) }
    return String(decoding: link.prefix(max(count, 0)), as: UTF8.self) == "\(getpid())/task/\(getpid())"
    #endif
}

/// An object for each thread, made when the thread first asks for it, and released when the thread ends.
///
/// The key is made late, so that a static of this type is a constant. Otherwise, each access would have to check if the
/// static is there.
struct ThreadLocal<Object: AnyObject>: ~Copyable, Sendable {
    /// The key; the highest number until a thread first asks for an object.
    private let key = Atomic<pthread_key_t>(.max)
    private let make: @Sendable () -> Object

    init(_ make: @escaping @Sendable () -> Object) { self.make = make }
    /// This thread's object.
    @inline(__always) var current: Unmanaged<Object> { known ?? makeCurrent() }
    /// This thread's object, if it has been asked for.
    @inline(__always) var known: Unmanaged<Object>? {
        let key = key.load(ordering: .acquiring)
        guard key != .max, let known = pthread_getspecific(key) else { return nil }
        return .fromOpaque(known)
    }
    @inline(never) private borrowing func makeCurrent() -> Unmanaged<Object> {
        if key.load(ordering: .acquiring) == .max { makeKey() }
        let made = Unmanaged.passRetained(make())
        pthread_setspecific(key.load(ordering: .acquiring), made.toOpaque())
        return made
    }
    private borrowing func makeKey() {
        var made = pthread_key_t()
        let status = pthread_key_create(&made) {
            if let known = $0 as UnsafeMutableRawPointer? { Unmanaged<AnyObject>.fromOpaque(known).release() }
        }
        require(
            status == 0,
            "EasyReact needs one thread-specific key (pthread_key_create), and the process has used all of them: free one"
        )
        // Another thread may have been faster.
        if !key.compareExchange(expected: .max, desired: made, ordering: .acquiringAndReleasing).exchanged {
            pthread_key_delete(made)
        }
    }
}
