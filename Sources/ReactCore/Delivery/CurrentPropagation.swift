import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension Propagation {
    /// This thread's.
    package static var current: Propagation { currentUnretained.takeUnretainedValue() }
    /// The same for those who cannot afford to retain it.
    @inline(__always) static var currentUnretained: Unmanaged<Propagation> {
        quick ?? findCurrent()
    }
    /// This thread's, where that is quickly told: so unless the thread is new here.
    @inline(__always) static var quick: Unmanaged<Propagation>? {
        let key = quickKey.load(ordering: .acquiring)
        guard key != .max, let known = pthread_getspecific(key) else { return nil }
        return .fromOpaque(known)
    }

    /// Kept for the next thread when one ends, so that numbers are used again.
    private static let idle = Lock(Pool())
    /// Unchecked, because it is reached under the lock alone, and what it holds is no thread's.
    private struct Pool: @unchecked Sendable {
        var propagations: [Unmanaged<Propagation>] = []
        /// All that there are, by their thread's number less one.
        var all: [Unmanaged<Propagation>] = []

        mutating func take() -> Unmanaged<Propagation> {
            if let known = propagations.popLast() { return known }
            let made = Unmanaged.passRetained(Propagation(thread: UInt64(all.count) + 1))
            all.append(made)
            return made
        }
    }
    /// `key` once it was made: what is made when it is first asked for costs a call each time.
    private static let quickKey = Atomic<pthread_key_t>(.max)
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) {
            if let known = UnsafeMutableRawPointer($0) { Propagation.giveBack(UInt(bitPattern: known)) }
        }
        precondition(status == 0, "EasyReact needs one thread-specific key, and the process has used all of them")
        return key
    }()
    /// Whose `now` a time is.
    static func of(_ time: UInt64) -> Propagation {
        let address = idle.withLock { UInt(bitPattern: $0.all[Int(Clock.thread(of: time)) - 1].toOpaque()) }
        return Unmanaged<Propagation>.fromOpaque(UnsafeRawPointer(bitPattern: address)!).takeUnretainedValue()
    }
    /// Whether a time is another thread's.
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

/// `Propagation.current` for the users of the module: a function of nobody's, as those of `OutOfLine`, and of no type either, which would
/// be one jump more for each set.
@usableFromInline @inline(never) func currentPropagation() -> Unmanaged<Propagation> { Propagation.currentUnretained }
