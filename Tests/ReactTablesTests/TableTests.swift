import ReactTables
import Synchronization
import TestSupport
import Testing

@Suite("Tables") struct TableTests {
    struct Order: Hashable, Codable { var id: Int, total: Int }

    @Test("a row is found by its key, changed by setting it and removed by setting nil")
    func keys() {
        var table: Table = [3: "c", 1: "a", 2: "b"]
        #expect(table[2] == "b")
        table[2] = "B"
        table[4] = "d"
        table[1] = nil
        table[9] = nil
        #expect(Array(table.keys) == [2, 3, 4])
        #expect(Array(table.rows) == ["B", "c", "d"])
        #expect(table.count == 3)
        #expect(table[1] == nil)
    }
    @Test("of two rows with one key, the later one stays, in any order")
    func later() {
        let orders = [Order(id: 2, total: 1), Order(id: 1, total: 2), Order(id: 2, total: 3), Order(id: 1, total: 4)]
        #expect(Array(Table(orders, by: \.id).rows) == [Order(id: 1, total: 4), Order(id: 2, total: 3)])
        #expect(Array(Table([(1, "a"), (1, "b"), (2, "c")]).rows) == ["b", "c"])
        #expect(Array((["k": 1, "k": 2] as Table).rows) == [2])
    }
    @Test("a rank leads to its row, and a key to its rank")
    func ranks() {
        let table = Table((0..<5_000).map { (3 * $0, -$0) })
        for rank in stride(from: 0, to: 5_000, by: 7) {
            #expect(table[rank: rank] == (3 * rank, -rank))
            #expect(table.rank(of: 3 * rank) == rank)
            #expect(table.rank(of: 3 * rank + 1) == nil)
        }
        #expect(Table<Int, Int>().rank(of: 1) == nil)
    }
    @Test("a change of a copy leaves the table alone")
    func copies() {
        let table = Table((0..<1_000).map { ($0, $0) })
        var copy = table
        copy[500] = nil
        copy[1] = -1
        copy[2_000] = 2_000
        copy.update(700) { $0 += 1 }
        #expect(table.elementsEqual((0..<1_000).map { (key: $0, row: $0) }, by: ==))
        #expect(copy[700] == 701 && copy.count == 1_000)
    }
    @Test("update returns the result of the change, and nil where there is no row")
    func updating() {
        var table: Table = ["a": 1]
        #expect(
            table.update("a") {
                $0 += 1; return "done"
            } == "done")
        #expect(table.update("b") { $0 += 1 } == nil)
        #expect(table["a"] == 2)
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try table.update("a") {
                $0 = 7
                throw Failure()
            }
        }
        #expect(table["a"] == 7)
    }

    /// A row with a reference of its own, which tells whether the row was copied.
    struct Box: Equatable {
        final class Reference: Sendable {}
        var reference = Reference()
        mutating func isUnique() -> Bool { isKnownUniquelyReferenced(&reference) }
        static func == (a: Box, b: Box) -> Bool { a.reference === b.reference }
    }
    @Test("a row is changed in place where its table is not shared, and copied once where it is")
    func inPlace() {
        var table = Table((0..<2_000).map { ($0, Box()) })
        #expect(table.update(700) { $0.isUnique() } == true)
        let copy = table
        #expect(table.update(700) { $0.isUnique() } == false)
        table[700] = Box()
        #expect(table.update(700) { $0.isUnique() } == true)
        #expect(copy[700] != table[700])
    }
    @Test("removeAll removes the rows of which it is told, and none where it is stopped by an error")
    func removingAll() {
        var table = Table((0..<1_000).map { ($0, $0) })
        table.removeAll { $0.row % 3 != 0 }
        #expect(Array(table.keys) == Array(stride(from: 0, to: 1_000, by: 3)))
        #expect(table.brokenInvariant() == nil)
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try table.removeAll { if $0.key > 500 { throw Failure() } else { return true } }
        }
        #expect(table.count == 334)
        table.removeAll { _ in true }
        #expect(table.isEmpty && table == Table())
    }
    @Test("tables are equal when their rows are, however they were made")
    func equality() {
        let rising = Table((0..<1_000).map { ($0, $0 % 7) })
        var falling = Table<Int, Int>()
        for key in (0..<1_000).reversed() { falling[key] = key % 7 }
        #expect(rising == falling && rising.hashValue == falling.hashValue)
        falling[999] = 0
        #expect(rising != falling)
        falling[999] = nil
        falling[1_000] = 5
        #expect(rising != falling)
    }
    @Test("a row that has gone is let go of at once, and all rows with the last copy")
    func lettingGo() throws {
        try withLifetimeTracking { tracker in
            var table = Table((0..<100).map { ($0, tracker.track("row \($0)")) })
            table[7] = nil
            #expect(tracker.live.count == 99)
            let copy = table
            table[8] = nil
            #expect(tracker.live.count == 99)
            withExtendedLifetime(copy) {}
        }
    }
    @Test("a row's deinit may make and read other tables")
    func deinitMayDoAnything() {
        final class Row: Equatable, Sendable {
            let seen: Locked<Int>
            init(_ seen: Locked<Int>) { self.seen = seen }
            deinit {
                let other: Table = [1: "a", 2: "b"]
                seen.withLock { $0 += other.count }
            }
            static func == (a: Row, b: Row) -> Bool { a === b }
        }
        let seen = Locked(0)
        var table: Table? = Table((0..<500).map { ($0, Row(seen)) })
        table![3] = nil
        table![4] = Row(seen)
        #expect(seen.value == 4)
        table = nil
        #expect(seen.value == 1_002)
    }
    @Test("copies of one table are changed on four threads at a time")
    func threads() {
        let table = Table((0..<2_000).map { ($0, $0) })
        let results = Locked([Int: Table<Int, Int>]())
        concurrently(4) { thread in
            var mine = table
            for key in stride(from: thread, to: 2_000, by: 4) { mine.update(key) { $0 = -$0 } }
            for key in stride(from: thread, to: 2_000, by: 8) { mine[key] = nil }
            results.withLock { [mine] in $0[thread] = mine }
        }
        for (thread, result) in results.value.sorted(by: { $0.key < $1.key }) {
            let expected = (0..<2_000).filter { $0 % 8 != thread }.map { (key: $0, row: $0 % 4 == thread ? -$0 : $0) }
            #expect(result.elementsEqual(expected, by: ==), "thread \(thread)")
        }
        #expect(table.rows.reduce(0, +) == 1_999_000)
    }
}
