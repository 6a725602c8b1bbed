import ReactCore
import ReactTables
import TestSupport
import Testing

/// Sorted tables at the edges: parts that do not equal themselves, tables that do not come of each other, edges that
/// are re-pointed, and batches that change back.
@Suite("Sorted tables at the edges") struct SortedTableClausesTests {
    typealias Sorted = SortedTable<Int, Double>
    typealias Changes = SortedTableChanges<Int, Double>

    /// A list on screen, which is changed as the documentation says.
    struct List {
        var rows: [(key: Int, row: Double)] = []

        mutating func apply(_ changes: Changes) {
            for rank in (changes.removed.map(\.rank) + changes.moved.map(\.from)).sorted(by: >) {
                rows.remove(at: rank)
            }
            let into =
                changes.inserted.map { ($0.rank, $0.key, $0.row) } + changes.moved.map { ($0.to, $0.key, $0.new) }
            for (rank, key, row) in into.sorted(by: { $0.0 < $1.0 }) { rows.insert((key, row), at: rank) }
            for (rank, key, _, new) in changes.updated { rows[rank] = (key, new) }
        }
        /// True if the list has the rows of `table`. Two NaNs count as equal.
        func shows(_ table: some Collection<(key: Int, row: Double)>) -> Bool {
            rows.count == table.count
                && zip(rows, table).allSatisfy {
                    $0.key == $1.key && ($0.row == $1.row || $0.row.isNaN && $1.row.isNaN)
                }
        }
    }
    /// Rows by their numbers, NaN last, and equal ones by their keys.
    static func sorted(_ table: Table<Int, Double>, descending: Bool) -> [(key: Int, row: Double)] {
        table.sorted { a, b in
            if a.row.isNaN || b.row.isNaN { return a.row.isNaN == b.row.isNaN ? a.key < b.key : b.row.isNaN }
            return a.row == b.row ? a.key < b.key : (a.row < b.row) != descending
        }
    }
    private static func edit(_ table: inout Table<Int, Double>, _ random: inout SeededGenerator) {
        let numbers: [Double] = [.nan, -0.0, 0, 1, 2, -.infinity, .infinity, 3]
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let key = Int.random(in: 0..<10, using: &random)
            table[key] = random.next() % 4 == 0 ? nil : numbers.randomElement(using: &random)
        }
    }

    @Test("changes of rows with NaN parts, applied, give the new list, in both directions", arguments: [false, true])
    func notANumber(descending: Bool) {
        var random = SeededGenerator.announced()
        let source = MutableNode(Table<Int, Double>()), lifetime = Lifetime(), list = Locked(List())
        let sorted = source.sorted(by: { $0 }, descending: descending)
        sorted.listened(by: lifetime).withChanges { _, changes in list.withLock { $0.apply(changes) } }
        for _ in 0..<Scale.heavy(20_000) {
            var table = source.current
            Self.edit(&table, &random)
            source.value = table
            let expected = Self.sorted(source.current, descending: descending)
            guard list.value.shows(expected), list.value.shows(sorted.current) else {
                Issue.record("\(list.value.rows), not \(expected)")
                return
            }
        }
    }

    @Test("changes between tables that do not come of each other, applied, give the new one")
    func unrelated() {
        var random = SeededGenerator.announced()
        let order = RowOrder<Double> { $0 }, other = RowOrder<Double>({ $0 }, descending: true)
        for _ in 0..<Scale.heavy(20_000) {
            var tables = [Table<Int, Double>(), Table<Int, Double>()]
            for place in 0..<2 where random.next() % 5 > 0 {
                for _ in 0..<4 { Self.edit(&tables[place], &random) }
            }
            let isSwitched = random.next() % 2 == 0
            let old = Node(tables[0]).sorted(by: order).current
            let new = Node(tables[1]).sorted(by: isSwitched ? other : order).current
            var list = List(rows: Array(old))
            let changes = new.changes(from: old)
            list.apply(changes)
            #expect(list.shows(new))
            #expect(list.shows(Self.sorted(tables[1], descending: isSwitched)))
            #expect(changes.removed.map(\.key).allSatisfy { new[$0] == nil && old[$0] != nil })
            #expect(changes.inserted.map(\.key).allSatisfy { old[$0] == nil && new[$0] != nil })
            // Rows of one order that have not changed stay.
            if !isSwitched { #expect(changes.moved.allSatisfy { $0.old != $0.new }) }
        }
        let empty = Node<Table<Int, Double>>([:]).sorted(by: order).current
            .changes(from: Node<Table<Int, Double>>([:]).sorted(by: other).current)
        #expect(empty.isEmpty)
    }

    @Test("of rows that are turned round, one stays, and of rows of which one goes to the end, all others stay")
    func fewestMoves() {
        let source = MutableNode(Table((0..<50).map { ($0, Double($0)) }))
        let direction = MutableNode(RowOrder<Double> { $0 }), sorted = source.sorted(using: direction)
        let up = sorted.current
        direction.value = RowOrder({ $0 }, descending: true)
        let turned = sorted.current.changes(from: up)
        #expect(turned.moved.count == 49 && turned.updated.isEmpty)
        #expect(turned.moved.allSatisfy { $0.old == $0.new })
        let down = sorted.current
        batch {
            direction.value = RowOrder { $0 }
            source.update { table in
                for key in 0..<50 { table[key] = Double(-key) }
                table[7] = 100
            }
        }
        // The rows stand as they did, except that 7 is last.
        let last = sorted.current.changes(from: down)
        #expect(last.moved.map(\.key) == [7] && last.updated.count == 48)
        #expect(last.removed.isEmpty && last.inserted.isEmpty)
    }

    @Test("changes lead from the last version that was heard, although the order has been switched and switched back")
    @MainActor func switchedBack() {
        let up = RowOrder<Double> { $0 }, down = RowOrder<Double>({ $0 }, descending: true)
        let source = MutableNode<Table<Int, Double>>([1: 1, 2: 2, 3: 3]), order = MutableNode(up)
        let shown = source.sorted(using: order), screen = Lifetime(), list = Locked(List()), calls = Locked(0)
        shown.listened(by: screen).withChangesOnMainActor { _, changes in
            calls.increment()
            list.withLock { $0.apply(changes) }
        }
        // The main actor is busy here, so the next call hears of several versions at once.
        Worker {
            order.value = down
            source.update { $0[1] = 4 }
            order.value = up
            source.update { $0[4] = 0 }
        }.join()
        #expect(calls.value == 1)
        source.update { $0[2] = nil }
        #expect(calls.value == 2)
        #expect(list.value.shows([(4, 0), (3, 3), (1, 4)].map { (key: $0.0, row: $0.1) }))
    }

    @Test("re-pointed, a sorted table has the rows of the new source, and the changes lead from one to the other")
    func repointed() throws {
        let old = MutableNode<Table<Int, Double>>([1: 1, 2: 2, 3: 3]),
            new = MutableNode<Table<Int, Double>>([2: 5, 3: 3])
        let sorted = old.sorted { $0 }, screen = Lifetime(), heard = Recorder<String>()
        sorted.listened(by: screen).withChanges { table, changes in
            heard.record(
                "\(table.map(\.key)) -\(changes.removed.map(\.key)) +\(changes.inserted.map(\.key))"
                    + " >\(changes.moved.map(\.key)) ~\(changes.updated.map(\.key))")
        }
        let edge = try #require(sorted.upstreamTransforms.first as? Transform<Table<Int, Double>, Sorted>)
        edge.from = new
        old.value = [9: 9]
        new.value = [:]
        new.value = [7: 7]
        #expect(
            heard.events == [
                "[1, 2, 3] -[] +[1, 2, 3] >[] ~[]", "[3, 2] -[1] +[] >[2] ~[]", "[] -[3, 2] +[] >[] ~[]",
                "[7] -[] +[7] >[] ~[]",
            ])
    }

    @Test("a batch that changes back is not passed on by operators of two inputs")
    func changedBack() {
        let source = MutableNode<Table<Int, Double>>([1: 1, 2: 2, 3: 3]), screen = Lifetime(),
            heard = Recorder<String>()
        let order = MutableNode(RowOrder<Double> { $0 }), ranks = MutableNode(0..<2), keys = MutableNode(1..<3)
        func listen<Value: Sendable>(_ name: String, _ node: Node<Value>) {
            node.listened(by: screen).with { _ in heard.record(name) }
        }
        let sorted = source.sorted(using: order)
        listen("sorted", sorted)
        listen("window", sorted.window(ranks: ranks))
        listen("window of rows", sorted.window(rows: ranks))
        listen("eachRow", sorted.eachRow { key, _ in key })
        listen("sections", source.grouped(by: { $0 > 1 ? 1 : 0 }, sortedBy: RowOrder { $0 }))
        listen("merged", source.merged(with: source) { _, a, b in a ?? b })
        listen("rekeyed", source.rekeyed { key, _ in -key })
        listen("restricted", source.restricted(to: keys))
        listen("flatMapRows", source.flatMapRows { key, row in [key: row] as Table })
        listen("sum", source.sum { $0 })
        listen("count", source.count { $0 > 1 })
        let first = heard.take()
        #expect(first.count == 11)
        batch {
            source.update { $0[2] = 9 }
            order.value = RowOrder({ $0 }, descending: true)
            ranks.value = 1..<3
            keys.value = 0..<1
            keys.value = 1..<3
            ranks.value = 0..<2
            order.value = RowOrder { $0 }
            source.update { $0[2] = 2 }
        }
        // Operators with one input hear of both versions. Those with two inputs hear of the last one alone.
        let counts = Dictionary(grouping: heard.take()) { $0 }.mapValues(\.count)
        for name in ["sorted", "window", "window of rows", "eachRow", "merged", "restricted"] {
            #expect(counts[name] == nil, "\(name)")
        }
    }

    @Test("sorted operators of an empty table have an empty result, and the first row is inserted")
    func empty() {
        let source = MutableNode(Table<Int, Double>()), sorted = source.sorted { $0 }
        let window = sorted.window(ranks: Node(0..<10)), rows = sorted.eachRow { key, _ in key }
        let sections = source.grouped(by: { Int($0) }, sortedBy: RowOrder { $0 })
        #expect(sorted.value?.isEmpty == true && window.value?.isEmpty == true)
        #expect(rows.value?.isEmpty == true && sections.value?.isEmpty == true)
        let before = sorted.current
        source.update { $0[1] = 5 }
        #expect(sorted.current.changes(from: before).inserted.map(\.rank) == [0])
        #expect(window.current.map(\.key) == [1] && rows.current.map(\.output) == [1])
        source.update { $0[1] = nil }
        #expect(sorted.current == before && window.current == before)
        #expect(rows.current.isEmpty && sections.current.isEmpty)
        #expect(source.sorted { $0 }.window(ranks: Node(-5 ..< -2)).value?.isEmpty == true)
    }
}
