import Foundation
import TestSupport
import Testing

/// An operator that is not in the table of the contract tests would go untested.
@Suite("The table of the operators that pass values on later")
struct DeclaredOperatorsTests {
    /// `ticks` and `after` follow no node, and have tests of their own. The others are not about time.
    private static let others: Set = ["ticks", "after", "successes", "failures", "upToDate"]

    @Test("the table has every operator that the sources declare")
    func operators() {
        #expect(Set(TimeOperator.all.map(\.function)) == Declared.timeOperators.subtracting(Self.others))
    }
    @Test("every policy has an operator in the table, and a test of its events")
    func policies() throws {
        let files = Declared.files(in: "ReactScheduling/Waiting/Policies").map {
            $0.deletingPathExtension().lastPathComponent
        }
        let policies = Set(files.filter { $0.hasSuffix("Policy") }.map { String($0.dropLast("Policy".count)) })
        #expect(policies.subtracting(TimeOperator.all.compactMap(\.policy)) == ["Ticks"])
        let tests = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("WaitingPoliciesTests.swift"), encoding: .utf8)
        for policy in policies { #expect(tests.contains("\(policy)Policy("), "no table of events for \(policy)Policy") }
    }
}
