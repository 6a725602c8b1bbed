import TestSupport
import Testing

/// An operator that is not in the table would be asked none of the questions that all operators are asked.
@Suite("The table of the operators that pass values on at once")
struct OperatorTableTests {
    /// Branches stand in the table with the operator that makes them. A computed node has no source that is passed on,
    /// and `pulses` keeps no value: both have tests of their own. So has `selector`, which makes a function.
    private static let others: Set = ["case", "default", "then", "else", "computed", "pulses", "selector"]

    @Test("the table has every operator that the sources declare")
    func operators() throws {
        let names = try OperatorUnderTest.all.map { try #require($0.testDescription.prefixMatch(of: /\w+/)).output }
        #expect(Declared.operators.subtracting(Self.others).subtracting(names.map { String($0) }) == [])
    }
}
