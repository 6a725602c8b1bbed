import Synchronization

/// An object for each thread, made when the thread first asks for it, and released when the thread ends.
///
/// The key is made late, so that a static of this type is a constant. Otherwise, each access would have to check if the
/// static is there.
struct ThreadLocal<Object: AnyObject>: ~Copyable, Sendable {
    /// The key; the highest number until a thread first asks for an object.
    private let key = Atomic<Platform.Key>(.max)
    private let make: @Sendable () -> Object

    init(_ make: @escaping @Sendable () -> Object) { self.make = make }
    /// This thread's object.
    @inline(__always) var current: Unmanaged<Object> { known ?? makeCurrent() }
    /// This thread's object, if it has been asked for.
    @inline(__always) var known: Unmanaged<Object>? {
        let key = key.load(ordering: .acquiring)
        guard key != .max, let known = Platform.object(for: key) else { return nil }
        return .fromOpaque(known)
    }
    @inline(never) private borrowing func makeCurrent() -> Unmanaged<Object> {
        if key.load(ordering: .acquiring) == .max { makeKey() }
        let made = Unmanaged.passRetained(make())
        Platform.set(made.toOpaque(), for: key.load(ordering: .acquiring))
        return made
    }
    private borrowing func makeKey() {
        guard let made = Platform.makeKey() else {
            misuse(
                "EasyReact needs one thread-specific key (pthread_key_create), and the process has used all of them: free one"
            )
        }
        // Another thread may have been faster.
        if !key.compareExchange(expected: .max, desired: made, ordering: .acquiringAndReleasing).exchanged {
            Platform.delete(made)
        }
    }
}
