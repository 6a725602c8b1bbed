import ReactCore
import ReactTables
import Synchronization
import TestSupport
import Testing

/// How much of two tables is looked at to compare them, by how often rows are compared.
@Suite("Shared parts of tables") struct SharedPartsTests {
    final class Counter: Sendable {
        let comparisons = Atomic(0)
        /// The comparisons since the last call.
        func taken() -> Int { comparisons.exchange(0, ordering: .relaxed) }
    }
    struct Row: Equatable {
        let counter: Counter
        var number: Int
        static func == (a: Row, b: Row) -> Bool {
            a.counter.comparisons.add(1, ordering: .relaxed)
            return a.number == b.number
        }
    }
    let counter = Counter()
    func table(_ count: Int) -> Table<Int, Row> {
        Table((0..<count).map { (2 * $0, Row(counter: counter, number: $0)) })
    }

    @Test("finding one changed row compares the rows of one leaf, in a table of any size", arguments: [1_000, 100_000])
    func one(count: Int) {
        let before = table(count)
        var after = before
        after.update(count) { $0.number = -1 }
        #expect(counter.taken() == 0)
        #expect(after.changes(from: before).updated.map(\.key) == [count])
        #expect(1...24 ~= counter.taken())
        #expect(after != before)
        #expect(1...24 ~= counter.taken())
    }
    @Test("to find one row that came or went compares the rows of two leaves at most")
    func comingAndGoing() {
        let before = table(100_000)
        var after = before
        after[50_001] = Row(counter: counter, number: 0)
        #expect(after.changes(from: before).inserted.map(\.rank) == [25_001])
        #expect(counter.taken() <= 48)
        after = before
        after[50_000] = nil
        #expect(after.changes(from: before).removed.map(\.rank) == [25_000])
        #expect(counter.taken() <= 48)
    }
    @Test("to find d changed rows compares the rows of d leaves at most", arguments: [10, 1_000])
    func many(changed: Int) {
        let before = table(100_000)
        var after = before
        for index in 0..<changed { after.update(2 * (index * 97 % 100_000)) { $0.number = -1 } }
        #expect(after.changes(from: before).updated.count == changed)
        #expect(counter.taken() <= 24 * changed)
    }
    @Test("equal copies are compared without a look at any row")
    func copies() {
        let before = table(100_000), after = before
        #expect(before == after && after.changes(from: before).isEmpty)
        #expect(counter.taken() == 0)
    }
    @Test("tables that share nothing are compared row by row, once each")
    func unrelated() {
        let (a, b) = (table(10_000), table(10_000))
        #expect(a == b)
        #expect(counter.taken() == 10_000)
    }
    @Test("unlike counts need no comparison")
    func counts() {
        #expect(table(10_000) != table(9_999))
        #expect(counter.taken() == 0)
    }
    @Test("to compare tables of any shape copies each entry a few times at most", arguments: [1_000, 100_000])
    func copiedEntries(count: Int) {
        let large = Table((0..<count).map { (2 * $0, $0) }), others = Table((0..<count).map { (2 * $0 + 1, $0) })
        let one: Table = [count: -1], steps = StepCounter()
        steps.counting {
            #expect(large.changes(from: one).inserted.count == count - 1)
            #expect(one.changes(from: large).removed.count == count - 1)
            #expect(others.changes(from: large).removed.count == count)
        }
        #expect(count...10 * count ~= steps.value, "\(steps.value) copies")
    }
    @Test("running sums share the parts before the first row that differs") func runningSums() {
        let days = MutableNode(Table((0..<10_000).map { ($0, $0) }))
        let sums = days.sorted { $0 }.runningSum { Amount(counter: counter, number: $0) }
        let before = sums.current
        days.update { ($0[0], $0[9_998], $0[9_999], $0[10_000]) = (0, nil, 10_001, 10_002) }
        #expect(sums.current.rows.suffix(3).map(\.number) == [49_975_003, 49_985_004, 49_995_006])
        _ = counter.taken()
        let changes = sums.current.changes(from: before)
        #expect(changes.inserted.map(\.rank) == [9_999] && changes.updated.map(\.rank) == [9_998])
        #expect(counter.taken() <= 48)
    }
    struct Amount: AdditiveArithmetic, Sendable {
        var counter: Counter?
        var number: Int
        static let zero = Amount(number: 0)
        static func == (a: Amount, b: Amount) -> Bool {
            (a.counter ?? b.counter)?.comparisons.add(1, ordering: .relaxed)
            return a.number == b.number
        }
        static func + (a: Amount, b: Amount) -> Amount {
            Amount(counter: a.counter ?? b.counter, number: a.number + b.number)
        }
        static func - (a: Amount, b: Amount) -> Amount {
            Amount(counter: a.counter ?? b.counter, number: a.number - b.number)
        }
    }
}
