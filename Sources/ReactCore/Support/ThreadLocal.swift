#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl  // unproven: nobody has compiled this yet
#endif

/// An object for each thread, made when the thread first asks for it, and released when the thread ends.
struct ThreadLocal<Object: AnyObject>: Sendable {
    private let key: pthread_key_t
    private let make: @Sendable () -> Object

    init(_ make: @escaping @Sendable () -> Object) {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) {
            if let known = $0 as UnsafeMutableRawPointer? { Unmanaged<AnyObject>.fromOpaque(known).release() }
        }
        if status != 0 { misuse("no thread-specific key is left: the process has used all of them") }
        self.key = key
        self.make = make
    }
    /// This thread's object.
    @inline(__always) var current: Unmanaged<Object> {
        if let known = pthread_getspecific(key) { return .fromOpaque(known) }
        return makeCurrent()
    }
    @inline(never) private func makeCurrent() -> Unmanaged<Object> {
        let made = Unmanaged.passRetained(make())
        pthread_setspecific(key, made.toOpaque())
        return made
    }
}
