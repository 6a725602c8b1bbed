import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension Propagation {
    /// The propagation of this thread.
    package static var current: Propagation { currentUnretained.takeUnretainedValue() }
    /// The propagation of this thread, without the cost of a retain.
    @inline(__always) static var currentUnretained: Unmanaged<Propagation> {
        quick ?? findCurrent()
    }
    /// The propagation of this thread, if it has one already; otherwise `nil`.
    @inline(__always) static var quick: Unmanaged<Propagation>? {
        let key = quickKey.load(ordering: .acquiring)
        guard key != .max, let known = pthread_getspecific(key) else { return nil }
        return .fromOpaque(known)
    }

    /// Propagations of threads that have ended. New threads reuse them, and so their numbers.
    private static let idle = Lock(Pool())
    /// Unchecked, because the pool is read and written only under its lock, and no thread owns the propagations in it.
    private struct Pool: @unchecked Sendable {
        var propagations: [Unmanaged<Propagation>] = []
        /// All propagations that exist, at the index of their thread's number minus 1.
        var all: [Unmanaged<Propagation>] = []

        mutating func take() -> Unmanaged<Propagation> {
            if let known = propagations.popLast() { return known }
            let made = Unmanaged.passRetained(Propagation(thread: UInt64(all.count) + 1))
            all.append(made)
            return made
        }
    }
    /// A copy of `key`, once that exists: a lazy static costs a call at each access.
    private static let quickKey = Atomic<pthread_key_t>(.max)
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) {
            if let known = UnsafeMutableRawPointer($0) { Propagation.giveBack(UInt(bitPattern: known)) }
        }
        precondition(status == 0, "EasyReact needs one thread-specific key, and the process has used all of them")
        return key
    }()
    /// Returns the propagation of the thread to which an epoch belongs.
    static func of(_ time: UInt64) -> Propagation {
        let address = idle.withLock { UInt(bitPattern: $0.all[Int(Clock.thread(of: time)) - 1].toOpaque()) }
        return Unmanaged<Propagation>.fromOpaque(UnsafeRawPointer(bitPattern: address)!).takeUnretainedValue()
    }
    /// Returns true if an epoch belongs to another thread.
    func isOthers(_ time: UInt64) -> Bool {
        time != 0 && Clock.thread(of: time ^ now) != 0
    }
    private static func giveBack(_ address: UInt) {
        let propagation = Unmanaged<Propagation>.fromOpaque(UnsafeRawPointer(bitPattern: address)!)
        propagation._withUnsafeGuaranteedRef { propagation in
            if propagation.lastDuties.remove(.shrink) != nil { propagation.shrink() }
            propagation.formerThreads += 1
            propagation.closedObserver?.threadHasEnded()
        }
        idle.withLock { $0.propagations.append(.fromOpaque(UnsafeRawPointer(bitPattern: address)!)) }
    }
    @inline(never) private static func findCurrent() -> Unmanaged<Propagation> {
        if let known = pthread_getspecific(key) { return .fromOpaque(known) }
        quickKey.store(key, ordering: .releasing)
        let address = idle.withLock { UInt(bitPattern: $0.take().toOpaque()) }
        let propagation = UnsafeRawPointer(bitPattern: address)!
        pthread_setspecific(key, propagation)
        return .fromOpaque(propagation)
    }
}

/// Returns `Propagation.current` to code that is inlined into other modules. A global function, like those of
/// `OutOfLine`, saves the caller a register; outside of any type, it also saves one jump per set.
@usableFromInline @inline(never) func currentPropagation() -> Unmanaged<Propagation> { Propagation.currentUnretained }
