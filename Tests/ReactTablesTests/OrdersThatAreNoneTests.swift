import ReactCore
import ReactOperators
import ReactTables
import TestSupport
import Testing

/// Sorts without regard to case. `==` is made by the compiler, and does regard it.
private struct Tag: Hashable, Comparable, Sendable {
    var text: String
    static func < (a: Tag, b: Tag) -> Bool { a.text.lowercased() < b.text.lowercased() }
}
private struct LessOrEqual: Hashable, Comparable, Sendable {
    var number: Int
    static func < (a: Self, b: Self) -> Bool { a.number <= b.number }
}
/// Numbers that are near each other are equal, so `<` does not lead on from one to the next.
private struct Near: Comparable, Sendable {
    var number: Double
    static func < (a: Self, b: Self) -> Bool { a.number < b.number - 0.6 }
    static func == (a: Self, b: Self) -> Bool { abs(a.number - b.number) <= 0.6 }
}
private struct NilFirst: Comparable, Sendable {
    var number: Int?
    static func < (a: Self, b: Self) -> Bool {
        guard let x = a.number, let y = b.number else { return true }
        return x < y
    }
}

@Suite("Orders that are none") struct OrdersThatAreNoneTests {
    @Test("a table finds each key that it has, although == tells keys apart of which neither is smaller")
    func keys() {
        var table = Table<Tag, Int>()
        for (number, text) in ["b", "A", "a", "B", "c", "C"].enumerated() { table[Tag(text: text)] = number }
        #expect(table.keys.map(\.text) == ["A", "b", "c"])
        #expect(table.keys.map { table[$0] } == [2, 3, 5])
        #expect(table.brokenInvariant() == nil)
    }
    @Test("NaN is one key, behind all others")
    func nan() {
        var table = Table<Double, Int>()
        for (number, key) in [1, .nan, 2, 0, 3].enumerated() { table[key] = number }
        let all = table
        #expect(table[.nan] == 1 && table.rank(of: .nan) == 4 && table.keys.map { table[$0]! } == [3, 0, 2, 4, 1])
        for key in [3, 2, 1, 0.0] { table[key] = nil }
        #expect(table.count == 1 && table[.nan] == 1)
        #expect(
            all.changes(from: table).inserted.map(\.key) == [0, 1, 2, 3] && all.changes(from: table).updated.isEmpty)
        table[.nan] = nil
        #expect(table.isEmpty)
        #expect(Table([(Double.nan, 1), (2, 2), (.nan, 3)]).rows.map { $0 } == [2, 3])
    }
    @Test("a row under the key NaN is found where it is sorted, and is the same row when it changes")
    func sortedNaN() {
        let table = MutableNode<Table<Double, Order>>([.nan: Order(customer: 1, amount: 1)])
        let sorted = table.sorted(by: \.customer)
        table.update { $0[2] = Order(customer: 5, amount: 2) }
        table.update { $0[.nan] = Order(customer: 1, amount: 3) }
        #expect(sorted.current.rows.map(\.amount) == [3, 2])
        #expect(sorted.current.rank(of: .nan) == 0 && sorted.current[.nan]?.amount == 3)
        let numbers = MutableNode<Table<Double, Int>>([5: 2, .nan: 1])
        #expect(numbers.sorted { $0 }.current.rows.map { $0 } == [1, 2] && numbers.min { $0 }.value == 1)
    }
    @Test("a nested key with NaN is one key, behind all others")
    func nestedNaN() {
        let tables = MutableNode<Table<Int, Table<Double, String>>>([1: [.nan: "a"], 2: [0: "b"]])
        let rows = tables.flatMapRows { $0 }
        tables.update { $0[1] = [.nan: "c"] }
        #expect(rows.current.rows.map { $0 } == ["c", "b"])
        let key = NestedKey(1, Double.nan)
        #expect(key == key && NestedKey(1, 2) < key && !(key < NestedKey(1, 2)) && key < NestedKey(2, 0))
        #expect(Set([key, NestedKey(1, -Double.nan)]).count == 1)
    }
    @Test("the group NaN goes with its last row")
    func nanGroup() {
        let rows = MutableNode<Table<Int, Double>>([1: .nan, 2: .nan])
        let counts = rows.fold(by: { $0 }, 0) { count, _ in
            count += 1
        } removing: { count, _ in
            count -= 1
        }
        rows.update { $0[1] = nil }
        #expect(counts.current[.nan] == 1)
        rows.update { $0[2] = nil }
        #expect(counts.current.isEmpty)
    }
    @Test(
        "a row with NaN counts as changed when a row near it has changed, and not when its part of the table is shared")
    func rowsWithNaN() {
        var table = Table((0..<1_000).map { ($0, $0 == 2 ? Double.nan : 1) })
        let before = table
        #expect(table.changes(from: before).isEmpty)
        table[999] = 2
        #expect(table.changes(from: before).updated.map(\.key) == [999])
        table[4] = 2
        #expect(table.changes(from: before).updated.map(\.key) == [2, 4, 999])
    }
    @Test("a computed result that stays NaN is passed on each time")
    func computedNaN() {
        let zero = MutableNode(0.0), screen = Lifetime(), heard = Locked(0)
        let share = computed { read in try read(zero) / 0 * 0 }
        share.listened(by: screen).with { _ in heard.increment() }
        zero.value = 1
        zero.value = 2
        #expect(heard.value == 3)
    }
    @Test("keys and sorted rows whose < is no order come to their end")
    func ends() {
        var random = SeededGenerator.announced()
        expectEnd(&random) { LessOrEqual(number: $0 % 7) }
        expectEnd(&random) { Near(number: Double($0) / 3) }
        expectEnd(&random) { NilFirst(number: $0 % 3 == 0 ? nil : $0) }
        var table = Table<LessOrEqual, Int>()
        for _ in 0..<1_000 {
            let old = table
            table[LessOrEqual(number: Int.random(in: 0..<20, using: &random))] = Bool.random(using: &random) ? 1 : nil
            _ = table.changes(from: old)
            _ = Node(table).merged(with: Node(old)) { $1 ?? $2 }
        }
    }
    private func expectEnd<Part: Comparable & Sendable>(
        _ random: inout SeededGenerator, _ part: @escaping @Sendable (Int) -> Part
    ) {
        let table = MutableNode<Table<Int, Int>>([:]), sorted = table.sorted(by: part), screen = Lifetime()
        let results = sorted.eachRow { key, _ in key }, least = table.min(of: part)
        let merged = table.merged(with: table.filterRows { $0 > 9 }) { $1 ?? $2 }
        sorted.listened(by: screen).withChanges { _, _ in }
        for number in 0..<1_000 {
            let key = Int.random(in: 0..<200, using: &random), row = Int.random(in: 0..<50, using: &random)
            table.update { $0[key] = number % 5 == 0 ? nil : row }
        }
        // Which rows it shows is not promised; that it ends is.
        #expect(!sorted.current.isEmpty)
        withExtendedLifetime((results, least, merged)) {}
    }

    #if DEBUG && (os(macOS) || os(Linux))
    @Test("debug builds name two values of which < and == make no order, once", .enabled(if: Scale.runsTraps))
    func message() async {
        let keys = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            var table = Table<Tag, Int>()
            for text in ["b", "B", "b", "B"] { table[Tag(text: text)] = 1 }
        }
        let parts = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let table = MutableNode<Table<Int, Int>>([1: 5, 2: 5])
            withExtendedLifetime(table.sorted { LessOrEqual(number: $0) }) { table.update { $0[3] = 5 } }
        }
        let said = [keys, parts].map { String(decoding: $0?.standardErrorContent ?? [], as: UTF8.self) }
        #expect(said[0].contains(#"of Tag(text: "b") and Tag(text: "B"), each is neither smaller"#), "\(said[0])")
        #expect(said[0].split(separator: "\n").count { $0.contains("EasyReact") } == 1)
        #expect(said[1].contains("of LessOrEqual(number: 5) and LessOrEqual(number: 5)"), "\(said[1])")
    }
    #endif
}
