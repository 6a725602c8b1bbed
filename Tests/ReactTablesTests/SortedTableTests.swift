import ReactCore
import ReactTables
import TestSupport
import Testing

@Suite("Sorted tables") struct SortedTableTests {
    struct Row: Hashable, Sendable, CustomStringConvertible {
        var part: Int
        var note: Int
        var description: String { "\(part).\(note)" }
    }
    typealias Rows = Table<Int, Row>

    /// A list on screen, and the number of rows that were kept.
    struct List {
        var rows: [(key: Int, row: Row)] = []
        var problems: [String] = []

        /// Applies changes in the documented order.
        mutating func apply(_ changes: SortedTableChanges<Int, Row>) {
            let old = rows
            for (rank, key, row) in changes.removed where old[rank] != (key, row) { problems.append("removed \(key)") }
            for (from, _, key, row, _) in changes.moved where old[from] != (key, row) {
                problems.append("moved \(key)")
            }
            let out = changes.removed.map(\.rank) + changes.moved.map(\.from)
            for rank in out.sorted(by: >) { rows.remove(at: rank) }
            let into =
                changes.inserted.map { ($0.rank, $0.key, $0.row) } + changes.moved.map { ($0.to, $0.key, $0.new) }
            for (rank, key, row) in into.sorted(by: { $0.0 < $1.0 }) { rows.insert((key, row), at: rank) }
            for (rank, key, old, new) in changes.updated {
                if rows[rank] != (key, old) { problems.append("updated \(key)") }
                if old == new { problems.append("\(key) has not changed") }
                rows[rank] = (key, new)
            }
        }
    }
    /// The length of a longest sequence of `keys` whose places rise, by trying each key as the last one.
    func longestRise(_ places: [Int]) -> Int {
        var lengths: [Int] = []
        for (index, place) in places.enumerated() {
            lengths.append(
                1 + (lengths.indices.filter { places[$0] < place && $0 < index }.map { lengths[$0] }.max() ?? 0))
        }
        return lengths.max() ?? 0
    }

    @Test("a row keeps its key and its rank when its part changes, or it moves, and the changes tell which")
    func changes() {
        let source = MutableNode(Rows([(1, Row(part: 1, note: 0)), (2, Row(part: 5, note: 0))]))
        let sorted = source.sorted(by: \.part), lifetime = Lifetime()
        let heard = Recorder<String>()
        sorted.listened(by: lifetime).withChanges { _, changes in
            heard.record("-\(changes.removed) +\(changes.inserted) >\(changes.moved) ~\(changes.updated)")
        }
        _ = heard.take()
        source.update { $0[1]?.part = 2 }
        source.update { $0[1]?.part = 9 }
        #expect(
            heard.take() == [
                "-[] +[] >[] ~[(rank: 0, key: 1, old: 1.0, new: 2.0)]",
                "-[] +[] >[(from: 0, to: 1, key: 1, old: 2.0, new: 9.0)] ~[]",
            ])
        #expect(sorted.value?.rank(of: 1) == 1)
        #expect(sorted.value?[1] == Row(part: 9, note: 0))
        #expect(sorted.value?[rank: 0].key == 2)
        #expect(sorted.value?[3] == nil && sorted.value?.rank(of: 3) == nil)
    }

    @Test(
        "changes, applied in the documented order, give the new list after any edits, and as few rows as possible move")
    func applied() {
        var random = SeededGenerator.announced()
        let source = MutableNode(Rows()), sorted = source.sorted(by: \.part), lifetime = Lifetime()
        let edits = Locked<[SortedTableChanges<Int, Row>]>([])
        sorted.listened(by: lifetime).withChanges { _, changes in edits.withLock { $0.append(changes) } }
        var list = List()
        var old: [(key: Int, row: Row)] = []
        for _ in 0..<Scale.heavy(100_000) {
            var table = source.current
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let key = Int.random(in: 0..<12, using: &random)
                let row = Row(part: .random(in: 0..<6, using: &random), note: .random(in: 0..<3, using: &random))
                switch Int.random(in: 0..<6, using: &random) {
                case 0: table[key] = nil
                case 1: table.update(key) { $0.note = row.note }
                default: table[key] = row
                }
            }
            source.value = table
            let all = edits.withLock { edits in
                defer { edits = [] }
                return edits
            }
            for changes in all { list.apply(changes) }
            let expected = source.current.sorted { ($0.row.part, $0.key) < ($1.row.part, $1.key) }
            guard list.problems.isEmpty, list.rows.elementsEqual(expected, by: ==),
                sorted.current.elementsEqual(expected, by: ==)
            else {
                Issue.record("\(list.problems) \(list.rows), not \(expected)")
                return
            }
            // As few rows as possible move: unchanged rows stay, and a largest set of the changed ones.
            let places = Dictionary(uniqueKeysWithValues: expected.enumerated().map { ($1.key, $0) })
            let unchanged = Set(old.filter { old in expected.contains { $0 == old } }.map(\.key))
            let moved = all.flatMap(\.moved)
            if moved.contains(where: { unchanged.contains($0.key) }) { Issue.record("an unchanged row moved") }
            let common = old.map(\.key).filter { places[$0] != nil }
            let fixed = common.filter { unchanged.contains($0) }.map { places[$0]! }
            // A changed row may stay if all unchanged rows keep their order with it.
            let candidates = common.enumerated().filter { index, key in
                unchanged.contains(key)
                    || common.enumerated().allSatisfy { other, otherKey in
                        !unchanged.contains(otherKey)
                            || (other < index) == (places[otherKey]! < places[key]!)
                    }
            }.map { places[$0.element]! }
            if common.count - moved.count != longestRise(candidates) || fixed != fixed.sorted() {
                Issue.record("\(moved.count) of \(common.count) moved, from \(old) to \(expected)")
                return
            }
            old = expected
        }
    }

    @Test("after a switch of the order, a largest set of rows stays, and the others move")
    func switched() {
        var random = SeededGenerator.announced()
        let source = MutableNode(Rows()), order = MutableNode(RowOrder<Row>(\.part)), lifetime = Lifetime()
        let sorted = source.sorted(using: order)
        let edits = Locked<[SortedTableChanges<Int, Row>]>([])
        sorted.listened(by: lifetime).withChanges { _, changes in edits.withLock { $0.append(changes) } }
        var list = List()
        var isByNote = false
        for step in 0..<Scale.scaled(2_000) {
            let old = list.rows.map(\.key)
            var table = source.current
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let row = Row(part: .random(in: 0..<9, using: &random), note: .random(in: 0..<9, using: &random))
                table[Int.random(in: 0..<20, using: &random)] = random.next() % 4 == 0 ? nil : row
            }
            batch {
                source.value = table
                if step % 2 == 0 {
                    isByNote.toggle()
                    order.value = isByNote ? RowOrder(\.note, descending: true).then(\.part) : RowOrder(\.part)
                }
            }
            let all = edits.withLock { edits in
                defer { edits = [] }
                return edits
            }
            for changes in all { list.apply(changes) }
            let expected = source.current.sorted {
                isByNote
                    ? (-$0.row.note, $0.row.part, $0.key) < (-$1.row.note, $1.row.part, $1.key)
                    : ($0.row.part, $0.key) < ($1.row.part, $1.key)
            }
            let places = Dictionary(uniqueKeysWithValues: expected.enumerated().map { ($1.key, $0) })
            let common = old.compactMap { places[$0] }
            #expect(list.problems == [] && list.rows.elementsEqual(expected, by: ==))
            if step % 2 == 0, all.count == 1 {
                #expect(common.count - all[0].moved.count == longestRise(common))
            }
        }
    }

    @Test("an order of several parts decides by the first, then by the next, then by the key, also with NaN")
    func orders() {
        struct Part: Hashable, Sendable { var number: Double, text: String }
        let rows: [(Int, Part)] = [
            (1, Part(number: 2, text: "b")), (2, Part(number: .nan, text: "z")), (3, Part(number: 2, text: "a")),
            (4, Part(number: 1, text: "c")), (5, Part(number: .nan, text: "y")), (6, Part(number: 2, text: "b")),
        ]
        let source = MutableNode(Table(rows))
        let up = source.sorted(by: RowOrder(\.number).then(\.text))
        let down = source.sorted(by: RowOrder(\.number, descending: true).then(\.text, descending: true))
        #expect(up.value?.map(\.key) == [4, 3, 1, 6, 5, 2])
        #expect(down.value?.map(\.key) == [1, 6, 3, 4, 2, 5])
    }

    @Test("eachRow keeps its results while rows move, and a result goes with its key")
    func eachRow() throws {
        try withLifetimeTracking { tracker in
            let source = MutableNode(
                Rows([(1, Row(part: 1, note: 0)), (2, Row(part: 5, note: 0)), (3, Row(part: 7, note: 0))]))
            let order = MutableNode(RowOrder<Row>(\.part))
            let models = source.sorted(using: order).eachRow { key, row in (tracker.track("row \(key)"), row) }
            let lifetime = Lifetime(), heard = Recorder<[Int]>()
            models.listened(by: lifetime).with { heard.record($0.map(\.key)) }
            let first = models.current[1]!
            source.update { $0[1]?.part = 2 }
            source.update { $0[1]?.part = 6 }
            order.value = RowOrder(\.part, descending: true)
            #expect(heard.events == [[1, 2, 3], [2, 1, 3], [3, 1, 2]])
            #expect(models.current[1]!.0 === first.0 && models.current[1]!.1 === first.1)
            #expect(first.1.value == Row(part: 6, note: 0))
            source.update { $0[2] = nil }
            #expect(models.current.map(\.key) == [3, 1])
            #expect(tracker.live.sorted() == ["row 1", "row 2", "row 3"].filter { $0 != "row 2" })
        }
    }

    @Test("a window of ranks is a sorted table, and rows outside of it are not heard")
    func window() {
        let source = MutableNode(Rows((0..<100).map { ($0, Row(part: $0 * 7 % 100, note: 0)) }))
        let ranks = MutableNode(0..<5), lifetime = Lifetime()
        let window = source.sorted(by: \.part).window(ranks: ranks)
        let heard = Recorder<String>()
        window.listened(by: lifetime).withChanges { table, changes in
            heard.record(
                "\(table.map(\.row.part)) -\(changes.removed.count) +\(changes.inserted.count) >\(changes.moved.count)")
        }
        source.update { $0[99]?.note = 1 }
        source.update { table in
            let key = table.first { $0.row.part == 50 }!.key
            table[key]?.part = -1
        }
        source.update { table in
            let key = table.first { $0.row.part == -1 }!.key
            table[key]?.part = 2
        }
        ranks.value = 98..<200
        #expect(
            heard.events == [
                "[0, 1, 2, 3, 4] -0 +5 >0", "[-1, 0, 1, 2, 3] -1 +1 >0", "[0, 1, 2, 2, 3] -0 +0 >1",
                "[98, 99] -5 +2 >0",
            ])
        #expect(source.sorted(by: \.part).window(rows: Node(1..<3)).value?.map(\.part) == [1, 2])
    }

    @Test("a row that changes its section is removed from one and inserted in the other, under its key")
    func sections() {
        let source = MutableNode(
            Rows([(1, Row(part: 1, note: 0)), (2, Row(part: 5, note: 0)), (3, Row(part: 7, note: 1))]))
        let sections = source.grouped(by: \.note, sortedBy: RowOrder(\.part, descending: true))
        #expect(sections.current.map { "\($0.key): \($0.row.map(\.key))" } == ["0: [2, 1]", "1: [3]"])
        source.update { $0[2]?.note = 1 }
        #expect(sections.current.map { "\($0.key): \($0.row.map(\.key))" } == ["0: [1]", "1: [3, 2]"])
        source.update { $0[1]?.note = 1 }
        #expect(sections.current.map { "\($0.key): \($0.row.map(\.key))" } == ["1: [3, 2, 1]"])
    }

    @Test("a sorted table is a collection of random access, and equals one with equal rows in one order")
    func collection() {
        let source = MutableNode(Rows((0..<60).map { ($0, Row(part: $0 * 7 % 20, note: $0)) }))
        let sorted = source.sorted(by: \.part).current
        let expected = source.current.sorted { ($0.row.part, $0.key) < ($1.row.part, $1.key) }
        #expect(sorted.indices.map { sorted[$0].key } == expected.map(\.key))
        #expect(sorted.reversed().map(\.key) == expected.reversed().map(\.key))
        #expect(sorted.distance(from: sorted.startIndex, to: sorted.endIndex) == 60)
        #expect(expected.enumerated().allSatisfy { sorted.rank(of: $1.key) == $0 && sorted[$1.key] == $1.row })
        #expect(Set(sorted.indices).count == 60)
        #expect(source.sorted { $0.part }.current == sorted)
        #expect(source.sorted(by: \.note).current != sorted)
        #expect(sorted.description == "60 rows: [0: 0.0, 20: 0.20, 40: 0.40, …]")
    }

    @Test("nothing is set in the rows of an eachRow whose edge is cut while make runs")
    func cutInMake() {
        let source = MutableNode<Table<Int, Int>>([1: 1]), edge = Locked<AnyTransform?>(nil)
        let rows = source.eachRow { key, row in
            if key == 2 { edge.value?.cancel() }
            return row
        }
        edge.value = rows.upstreamTransforms.first
        let first = rows.current[1]!
        source.update {
            $0[1] = 5
            $0[2] = 2
        }
        #expect(first.value == 1)
        edge.value = nil
    }
}
