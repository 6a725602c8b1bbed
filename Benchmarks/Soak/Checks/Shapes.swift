import ReactCore
import ReactOperators

private enum Two: Sendable { case first, second }
private enum Five: Sendable, CaseIterable { case first, second, third, fourth, fifth }
private enum Payload: Sendable, Equatable { case whole(Int), byte(UInt8), none }
private struct Padded: Sendable, Equatable { var byte: Int8, five: Five, number: Int32 }
private struct Odd: Sendable, Equatable { var first: UInt8, second: UInt8, third: UInt8 }

/// Values of plain data arrive as they were set, also at threads that read beside the set. Each type has code of its
/// own in this program, which the compiler has optimised.
let shapes = Check(name: "shapes") { round in
    try expectWhole(Two.first, .second, in: round)
    try expectWhole(Five.fifth, .second, in: round)
    try expectWhole(Payload.whole(-1), .byte(7), in: round)
    try expectWhole(Padded(byte: -1, five: .fourth, number: 9), Padded(byte: 4, five: .first, number: -1), in: round)
    try expectWhole(
        Odd(first: 1, second: 2, third: 3), Odd(first: 4, second: 5, third: 6), in: round)
    try expectWhole(UInt8.max, 1, in: round)
    try expectWhole(Int128.max, 1, in: round)
    try expectWhole(0.5, -1, in: round)
    try expectWhole(true, false, in: round)
    try expectWhole(Optional(Five.third), nil, in: round)
    try expectWhole(Duration.seconds(1), .seconds(-2), in: round)
}

/// Sets a node to two values by turns, while another thread reads it. Each value arrives at a derived node, and both
/// threads see no other.
@inline(__always) private func expectWhole<Value: Sendable & Equatable>(
    _ first: Value, _ second: Value, in round: Round
) throws {
    let sets = 1_000
    let source = MutableNode(first), derived = source.map { $0 }
    let lifetime = Lifetime()
    let failure = FirstFailure()
    let heard = Latest(first)
    derived.listened(by: lifetime).with { _ = heard.exchange($0) }
    try onThreads(2) { thread in
        for count in 0..<sets {
            if thread == 0 {
                let new = count.isMultiple(of: 2) ? second : first
                source.value = new
                guard source.value == new, derived.value == new, heard.value == new else {
                    return failure.record(Violation("\(new) was set, and something else arrived"))
                }
            } else if let seen = derived.value, seen != first, seen != second {
                return failure.record(Violation("a \(Value.self) was read that nobody had set"))
            }
        }
    }
    try failure.rethrow()
    withExtendedLifetime(lifetime) {}
    round.tally.add(sets, "sets")
}
