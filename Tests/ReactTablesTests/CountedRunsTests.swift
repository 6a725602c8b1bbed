import ReactCore
import ReactOperators
import ReactTables
import ReactTesting
import TestSupport
import Testing

@Suite("expectRuns at operators on rows") struct CountedRunsTests {
    private let rows = MutableNode(Table((0..<100).map { ($0, $0) }))
    private func edit() { rows.update { for key in 0..<10 { $0[key] = 1_000 + key } } }

    @Test("an operator on rows runs once for each row that has changed")
    func changedRows() throws {
        let even = rows.filterRows { $0.isMultiple(of: 2) }, doubled = rows.mapRows { $0 * 2 }
        try expectRuns(of: even, exactly: 10) { edit() }
        try expectRuns(of: doubled, exactly: 100) { rows.value = Table((0..<100).map { ($0, $0 - 1) }) }
        try expectRuns(of: even, exactly: 0) { rows.value = rows.current }
        let error = #expect(throws: RunCountError.self) {
            try expectRuns(of: doubled, exactly: 1) { rows.update { for key in 0..<2 { $0[key] = -5 } } }
        }
        #expect(error?.actual == 2)
    }
    @Test("each closure of an operator counts, and each call")
    func closures() throws {
        let sum = rows.sum { $0 }, groups = rows.grouped { $0 % 7 }
        let folds = rows.fold(by: { $0 % 7 }, 0, adding: { $0 += $1 }, removing: { $0 -= $1 })
        let sorted = rows.sorted(by: RowOrder { $0 % 7 }.then { $0 }), models = rows.eachRow { key, _ in key }
        let limit = MutableNode<@Sendable (Int) -> Bool> { $0 < 50 }
        let small = rows.filterRows(by: limit)
        let joined = rows.joined(with: Node([1_000: "a", 7: "b"]), on: { $0 }) { "\($0) \($1)" }
        let sections = rows.grouped(by: { $0 % 7 }, sortedBy: RowOrder { $0 })
        let largest = rows.max { $0 }
        try expectRuns(of: sum, exactly: 20) { edit() }
        try expectRuns(of: groups, exactly: 1) { rows.update { $0[50] = 0 } }
        try expectRuns(of: folds, exactly: 3) { rows.update { $0[50] = 1 } }
        try expectRuns(of: sorted, exactly: 2) { rows.update { $0[50] = 2 } }
        try expectRuns(of: models, exactly: 1) { rows.update { ($0[50], $0[100]) = (3, 3) } }
        try expectRuns(of: small, exactly: 101) { limit.value = { $0 > 50 } }
        try expectRuns(of: joined, exactly: 3) { rows.update { ($0[50], $0[51]) = (4, 7) } }
        try expectRuns(of: sections, exactly: 2) { rows.update { $0[50] = 5 } }
        try expectRuns(of: largest, exactly: 1) { rows.update { $0[50] = 6 } }
    }
    @Test("a comparison of one's own counts once for each row that has changed, however often it is called")
    func comparison() throws {
        let calls = Locked(0)
        let sorted = rows.sorted(
            by: RowOrder(comparing: {
                calls.increment()
                return $0 < $1
            }))
        let before = calls.value
        try expectRuns(of: sorted, exactly: 10) { edit() }
        #expect(calls.value - before > 20)
    }
    @Test("an operator on rows without a closure runs once for each table")
    func withoutClosure() throws {
        let row = rows.row(5)
        try expectRuns(of: row, exactly: 2) {
            edit()
            edit()
        }
    }
}
