import ReactTables
import TestSupport
import Testing

@Suite("Random edits of tables") struct TableEditsTests {
    /// The model: keys and rows in a sorted array.
    struct Model {
        var entries: [(key: Int, row: Int)] = []
        func place(of key: Int) -> Int { entries.firstIndex { $0.key >= key } ?? entries.count }
        subscript(key: Int) -> Int? {
            get {
                let place = place(of: key)
                return place < entries.count && entries[place].key == key ? entries[place].row : nil
            }
            set {
                let place = place(of: key), isThere = self[key] != nil
                switch newValue {
                case let row? where isThere: entries[place].row = row
                case let row?: entries.insert((key, row), at: place)
                case nil where isThere: entries.remove(at: place)
                case nil: break
                }
            }
        }
    }

    @Test(
        "random edits come to a sorted array's, and leave every invariant of the tree in place",
        arguments: [40, 400, 4_000])
    func edits(keys: Int) {
        var random = SeededGenerator.announced(by: "random edits of \(keys) keys")
        var table = Table<Int, Int>(), model = Model()
        var kept: [(table: Table<Int, Int>, model: Model)] = []
        for step in 0..<Scale.heavy(100_000) / (keys > 1_000 ? 2 : 1) {
            // The table grows, stays and shrinks in turn.
            let removals = [1, 5, 9][step / keys % 3]
            let key = Int.random(in: 0..<keys, using: &random), row = Int.random(in: 0..<10, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                #expect(
                    table.update(key) {
                        $0 += 1; return $0
                    } == model[key].map { $0 + 1 })
                model[key] = model[key].map { $0 + 1 }
            case 1...removals: (table[key], model[key]) = (nil, nil)
            default: (table[key], model[key]) = (row, row)
            }
            if let broken = table.brokenInvariant() {
                Issue.record("step \(step): \(broken)")
                return
            }
            let place = model.place(of: key)
            guard table[key] == model[key], table.count == model.entries.count,
                table.rank(of: key) == (model[key] == nil ? nil : place),
                place == table.count || table[rank: place] == model.entries[place]
            else {
                Issue.record("step \(step): key \(key) is \(table[key] as Any), not \(model[key] as Any)")
                return
            }
            if step % 97 == 0 {
                kept.append((table, model))
                if kept.count > 5 { kept.removeFirst() }
                for (old, oldModel) in kept {
                    #expect(old.elementsEqual(oldModel.entries, by: ==), "a copy of before step \(step) has changed")
                    expectChanges(from: (old, oldModel.entries), to: (table, model.entries))
                    expectChanges(from: (table, model.entries), to: (old, oldModel.entries))
                }
            }
        }
    }
    @Test("changes between tables that share nothing are those of their rows", arguments: [0, 1, 24, 25, 700])
    func unrelated(count: Int) {
        var random = SeededGenerator.announced(by: "unrelated tables of \(count)")
        for _ in 0..<(Scale.gate.isSmall ? 5 : 20) {
            var models = [Model(), Model()]
            for index in 0..<2 {
                for _ in 0..<count {
                    models[index][Int.random(in: 0..<2 * count, using: &random)] = Int.random(in: 0..<3, using: &random)
                }
            }
            let tables = models.map { Table($0.entries.map { ($0.key, $0.row) }.shuffled(using: &random)) }
            expectChanges(from: (tables[0], models[0].entries), to: (tables[1], models[1].entries))
            #expect((tables[0] == tables[1]) == models[0].entries.elementsEqual(models[1].entries, by: ==))
        }
    }

    /// Applies the changes to a list of the old rows, and looks for the differences one by one.
    func expectChanges(
        from old: (table: Table<Int, Int>, entries: [(key: Int, row: Int)]),
        to new: (table: Table<Int, Int>, entries: [(key: Int, row: Int)])
    ) {
        let changes = new.table.changes(from: old.table)
        var list = old.entries
        for (rank, key, row) in changes.removed.reversed() {
            #expect(list.remove(at: rank) == (key, row))
        }
        for (rank, key, row) in changes.inserted { list.insert((key, row), at: rank) }
        for (rank, key, before, now) in changes.updated {
            #expect(list[rank] == (key, before) && before != now)
            list[rank].row = now
        }
        #expect(list.elementsEqual(new.entries, by: ==))
        let before = Dictionary(uniqueKeysWithValues: old.entries.map { ($0.key, $0.row) })
        let now = Dictionary(uniqueKeysWithValues: new.entries.map { ($0.key, $0.row) })
        #expect(changes.removed.map(\.key) == old.entries.map(\.key).filter { now[$0] == nil })
        #expect(changes.inserted.map(\.key) == new.entries.map(\.key).filter { before[$0] == nil })
        #expect(
            changes.updated.map(\.key)
                == new.entries.filter { before[$0.key].map { [row = $0.row] in $0 != row } ?? false }.map(\.key))
        #expect(changes.isEmpty == old.entries.elementsEqual(new.entries, by: ==))
    }
}
