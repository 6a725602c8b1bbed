import ReactCore

/// One promise of the library under attack.
struct Check: Sendable {
    let name: String
    /// Attacks for a fraction of a second, and throws a `Violation` if the promise does not hold.
    let round: @Sendable (Round) throws -> Void
}

/// The tools of one round of a check.
struct Round: Sendable {
    /// The seed of this round. The same seed leads to the same decisions.
    let seed: UInt64
    let tally: Tally

    /// The random numbers of one thread of the round.
    func random(thread: Int = 0) -> Random { Random(seed: seed &+ UInt64(thread) &* 0x9E37_79B9) }
}

/// The work so far, over all rounds of a check.
final class Tally: Sendable {
    private let counts = Lock<[(what: String, count: Int)]>([])

    func add(_ count: Int, _ what: String) { change(what) { $0 += count } }
    /// Sets a figure that is no sum. The last round's figure counts.
    func set(_ count: Int, _ what: String) { change(what) { $0 = count } }
    private func change(_ what: String, _ change: (inout Int) -> Void) {
        counts.withLock { counts in
            if !counts.contains(where: { $0.what == what }) { counts.append((what, 0)) }
            for index in counts.indices where counts[index].what == what { change(&counts[index].count) }
        }
    }
    /// "4,000 sets, 12 listeners", in the order in which they were first counted.
    var description: String {
        counts.withLock { $0.map { "\(grouped($0.count)) \($0.what)" }.joined(separator: ", ") }
    }
}

/// 1234567 as "1,234,567".
func grouped(_ number: Int) -> String {
    var digits = String(number)
    var index = digits.endIndex
    while digits.formIndex(&index, offsetBy: -3, limitedBy: digits.startIndex), index > digits.startIndex {
        digits.insert(",", at: index)
    }
    return digits
}

/// A promise that was not kept.
struct Violation: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Throws `message` unless `condition` holds.
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Violation(message()) }
}
