import ReactCore
import Synchronization

/// A listener that checks the rules for any sequence of values set by several threads, and by which two sequences are
/// compared: each thread's numbers arrive in order and without a gap, and no delivery overlaps another.
final class Recorder: Sendable {
    struct State {
        var count = 0
        var last: Stamp?
        /// Depends on every value and on their order.
        var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
        var newest: [Int: Int] = [:]
    }
    private let state = Lock(State())
    private let isHearing = Atomic(false)
    private let failure = FirstFailure()
    private let name: String

    init(_ name: String) { self.name = name }

    func hear(_ stamp: Stamp) {
        if isHearing.exchange(true, ordering: .relaxed) {
            failure.record(Violation("\(name) was called while it was being called"))
        }
        defer { isHearing.store(false, ordering: .relaxed) }
        state.withLock { state in
            let newest = state.newest[stamp.thread] ?? 0
            if stamp.number != newest + 1 {
                failure.record(
                    Violation("\(name) heard number \(stamp.number) of thread \(stamp.thread) after number \(newest)")
                )
            }
            state.newest[stamp.thread] = stamp.number
            state.count += 1
            state.last = stamp
            state.fingerprint = (state.fingerprint ^ stamp.bits) &* 0x100_0000_01B3
        }
    }

    /// Returns the record of the values. Throws if they broke a rule.
    func heard() throws -> State {
        try failure.rethrow()
        return state.withLock { $0 }
    }
}

/// The thread that set a value, and the number of values that it had set by then.
struct Stamp: Sendable, Equatable {
    let thread: Int
    let number: Int

    var bits: UInt64 { UInt64(thread) << 48 | UInt64(number) }
}
