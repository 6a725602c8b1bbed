import ReactCore
import ReactOperators
import TestSupport
import Testing

/// Values of plain data of many shapes. In an optimised build, each type's code is its own: the gate runs these tests
/// there, too.
@Suite("Plain values") struct PlainValuesTests {
    private enum One: Sendable { case only }
    private enum Two: Sendable { case first, second }
    private enum Five: Sendable { case first, second, third, fourth, fifth }
    private enum Payload: Sendable, Equatable { case whole(Int), byte(UInt8), none }
    private struct Padded: Sendable, Equatable { var byte: Int8, five: Five, number: Int32 }
    private struct Odd: Sendable, Equatable { var first: UInt8, second: UInt8, third: UInt8 }
    private struct Wide: Sendable, Equatable { var number: Int, fraction: Double, flag: Bool }

    @Test("an enum arrives as it was set")
    func enumerations() {
        expectPassed(One.only, .only)
        expectPassed(Two.first, .second)
        expectPassed(Five.fifth, .second)
        expectPassed(Payload.whole(-1), .none)
        expectPassed(Payload.byte(3), .whole(3))
    }
    @Test("a number arrives as it was set")
    func numbers() {
        expectPassed(UInt8(255), 1)
        expectPassed(Int16(-2), 1)
        expectPassed(UInt32.max, 0)
        expectPassed(-1, 1)
        expectPassed(Int128.max, 1)
        expectPassed(Float(0.5), -1)
        expectPassed(0.5, -1)
        expectPassed(true, false)
        expectPassed(Unicode.Scalar("a"), "ö")
    }
    @Test("a structure arrives as it was set")
    func structures() {
        expectPassed(Padded(byte: -1, five: .fourth, number: 9), Padded(byte: 4, five: .first, number: -1))
        expectPassed(Odd(first: 1, second: 2, third: 3), Odd(first: 4, second: 5, third: 6))
        expectPassed(Wide(number: 1, fraction: 2, flag: true), Wide(number: -1, fraction: 3, flag: false))
        expectPassed(Duration.seconds(1), .seconds(2))
        expectPassed(0..<3, 3..<8)
    }
    @Test("an optional arrives as it was set")
    func optionals() {
        expectPassed(Optional(3), nil)
        expectPassed(Optional(Five.fourth), nil)
        expectPassed(Optional(true), nil)
        expectPassed(Optional(Optional(Two.second)), .some(nil))
    }

    /// Expects that each of both values arrives, as it was set, in a node, in one that is derived from it, and at a
    /// listener. Inlined, so that an optimised build has code for the type.
    @inline(__always) private func expectPassed<Value: Sendable & Equatable>(_ first: Value, _ second: Value) {
        let source = MutableNode(first)
        let through = source.map { $0 }
        let heard = through.recorded()
        for value in [second, first, second, second] {
            source.value = value
            #expect(source.current == value)
            #expect(through.current == value)
        }
        #expect(heard.events == [first, second, first, second, second])
    }
}
