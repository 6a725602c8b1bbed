import HeapProbe
import ReactCore
import ReactTables
import TestSupport
import Testing

@Suite("Tables as dictionaries") struct TableDictionaryTests {
    @Test("a table is made of a dictionary, of labelled and of unlabelled pairs, and of another table")
    func making() {
        let table: Table = ["a": 1, "b": 2]
        #expect(Table(["b": 2, "a": 1]) == table)
        #expect(Table([("b", 2), ("a", 1)]) == table)
        #expect(Table(table) == table && Table(table.filter { $0.row > 0 }) == table)
        #expect(Table(Array(table)) == table)
        #expect(Table([("a", 1), ("b", 1), ("b", 1)], uniquingKeysWith: +) == table)
        #expect(Table(Array(table) + Array(table), uniquingKeysWith: max) == table)
        #expect(throws: CancellationError.self) {
            try Table([("a", 1), ("a", 1)], uniquingKeysWith: { _, _ in throw CancellationError() })
        }
    }
    @Test("rows are counted, set and removed as in a dictionary")
    func editing() {
        var table = Table<Character, Int>()
        for letter in "abba" { table[letter, default: 0] += 1 }
        #expect(table == ["a": 2, "b": 2])
        #expect(table["c", default: 7] == 7 && table.count == 2)
        #expect(table.updateValue(5, forKey: "a") == 2 && table.updateValue(1, forKey: "c") == nil)
        #expect(table.removeValue(forKey: "b") == 2 && table.removeValue(forKey: "b") == nil)
        #expect(table == ["a": 5, "c": 1])
        #expect(table.filter { $0.key > "a" } == ["c": 1])
        #expect(table.mapRows { "\($0)" } == ["a": "5", "c": "1"])
    }
    @Test("ranges of keys, and the position of a key or of the next one, are found")
    func ranges() {
        for count in [0, 1, 30, 1_000] {
            let table = Table((0..<count).map { ($0 * 2, $0) })
            for key in stride(from: -1, through: count * 2, by: 7) {
                let expected = (0..<count).first { $0 * 2 >= key } ?? count
                #expect(table.distance(from: table.startIndex, to: table.index(atOrAfter: key)) == expected)
                #expect(
                    table[keys: key..<key + 9].map(\.key)
                        == (key..<key + 9).filter { $0 >= 0 && $0 % 2 == 0 && $0 < count * 2 })
            }
        }
    }
    @Test("an index is a key of dictionaries, and results with integer keys are read by key and by position")
    func indices() {
        let source = MutableNode<Table<Int, Int>>([7: 1, 9: 2]), table = source.current
        #expect(Set(table.indices).count == 2)
        #expect(table.keys.firstIndex(of: 9).map { table[$0].row } == 2)
        #expect(table.keys.lastIndex(of: 8) == nil)
        let results = source.eachRow { key, _ in key * 10 }.current
        #expect(results[7] == 70 && results[8] == nil)
        #expect(results.indices.map { results[$0].output } == [70, 90])
        #expect(results.description == "2 rows: [7: 70, 9: 90]")
    }

    /// A key that counts comparisons.
    struct Counted: Hashable, Comparable, Sendable {
        static let comparisons = Locked(0)
        let number: Int
        static func < (a: Counted, b: Counted) -> Bool {
            comparisons.increment()
            return a.number < b.number
        }
        static func == (a: Counted, b: Counted) -> Bool {
            comparisons.increment()
            return a.number == b.number
        }
    }
    @Test("to look for a key compares few keys")
    func lookingForKeys() {
        let table = Table((0..<10_000).map { (Counted(number: $0), $0) })
        Counted.comparisons.withLock { $0 = 0 }
        #expect(table.keys.contains(Counted(number: 5_000)) && !table.keys.contains(Counted(number: 10_001)))
        #expect(table.keys.firstIndex(of: Counted(number: 9_999)) != nil)
        #expect(Counted.comparisons.value < 200)
    }

    #if os(macOS) || os(Linux)
    @Test("a table takes at most twice the memory of an array, however it was made", .disabled(if: Scale.isSanitized))
    func memory() async {
        await #expect(processExitsWith: .success) {
            let count = 100_000
            check("rising") { Table((0..<count).lazy.map { ($0, $0) }) }
            check("every second removed") {
                var table = Table((0..<count).lazy.map { ($0, $0) })
                for key in stride(from: 1, to: count, by: 2) { table[key] = nil }
                return table
            }
            check("small rows, every second removed") {
                var table = Table((0..<count).lazy.map { (Int32($0), Int32($0)) })
                for key in stride(from: 1, to: count, by: 2) { table[Int32(key)] = nil }
                return table
            }
            check("small rows in a random order") {
                var table = Table<Int32, Int32>()
                for i in 0..<count { table[Int32(truncatingIfNeeded: i &* 2_654_435_761)] = 1 }
                return table
            }
            check("rows of three words in a random order") {
                var table = Table<Int, [Int]>()
                for i in 0..<count { table[i &* 2_654_435_761 % 1_000_003] = [] }
                return table
            }
            check("falling, a third removed") {
                var table = Table<Int16, Int16>()
                for i in 0..<30_000 { table[Int16(30_000 - i)] = 1 }
                for i in stride(from: 0, to: 30_000, by: 3) { table[Int16(i)] = nil }
                return table
            }
        }
    }
    #endif
}

#if os(macOS) || os(Linux)
/// Ends the process if a table takes more than twice the memory of an array.
private func check<Key, Row>(_ name: String, _ make: () -> Table<Key, Row>) {
    let before = heap_bytes_in_use(), table = make(), used = heap_bytes_in_use() - before
    let times = Double(used) / Double(table.count * MemoryLayout<(Key, Row)>.stride)
    print(name, times)
    precondition(times <= 2, "\(name): \(times)")
    withExtendedLifetime(table) {}
}
#endif
