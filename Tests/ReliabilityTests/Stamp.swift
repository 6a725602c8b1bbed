import TestSupport

/// Which thread set a value, and which of its sets it was. Wider than a word, so that a torn read would show.
struct Stamp: Sendable, Equatable {
    let thread: Int
    let turn: Int
    private let check: Int

    init(thread: Int, turn: Int) {
        (self.thread, self.turn) = (thread, turn)
        check = thread &* 31 ^ turn
    }

    var isWhole: Bool { check == thread &* 31 ^ turn }
}

/// What a listener heard of values that several threads set, in a few words, however much it was: enough to compare two
/// listeners by, and to tell whether each thread's values came in their order and without a gap.
final class Hearing: Sendable {
    struct Heard: Equatable, Sendable {
        var count = 0
        var last: Stamp?
        /// Depends on every value and on their order.
        var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
        var next: [Int: Int] = [:]
        var firstFault: String?
    }
    private let state = Locked(Heard())
    var heard: Heard { state.value }

    func hear(_ stamp: Stamp) {
        state.withLock { heard in
            let expected = heard.next[stamp.thread] ?? 0
            if heard.firstFault == nil, !stamp.isWhole || stamp.turn != expected {
                heard.firstFault = "turn \(stamp.turn) of thread \(stamp.thread) instead of \(expected)"
            }
            heard.next[stamp.thread] = stamp.turn + 1
            heard.count += 1
            heard.last = stamp
            let bits = UInt64(stamp.thread) << 48 | UInt64(stamp.turn)
            heard.fingerprint = (heard.fingerprint ^ bits) &* 0x100_0000_01B3
        }
    }
}
