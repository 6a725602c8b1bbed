import ReactCore
import ReactOperators
import ReactTables
import TestSupport
import Testing

/// The live list of the guide *Lists and tables*, beside a list on screen that hears of changes alone, and beside plain
/// arrays and dictionaries that say what both have to show.
@Suite("A live list") struct LiveListTests {
    struct Task: Hashable, Sendable { var title: String, list: String, place: Place }

    enum Sorting: CaseIterable {
        case hand, title, list
        var order: RowOrder<Task> {
            switch self {
            case .hand: RowOrder(\.place)
            case .title: RowOrder(\.title)
            case .list: RowOrder(\.list, descending: true).then(\.title)
            }
        }
    }

    /// A row on screen. It is made when its row comes, and stays the same object until that goes.
    final class Cell {
        let key: Int
        var task: Task
        init(_ key: Int, _ task: Task) { (self.key, self.task) = (key, task) }
    }
    /// Applies changes in the documented order.
    static func apply(_ changes: SortedTableChanges<Int, Task>, to cells: inout [Cell]) {
        let old = cells
        for rank in (changes.removed.map(\.rank) + changes.moved.map(\.from)).sorted(by: >) { cells.remove(at: rank) }
        let inserted = changes.inserted.map { (rank: $0.rank, cell: Cell($0.key, $0.row)) }
        let moved = changes.moved.map { change in
            old[change.from].task = change.new
            return (rank: change.to, cell: old[change.from])
        }
        for (rank, cell) in (inserted + moved).sorted(by: { $0.rank < $1.rank }) { cells.insert(cell, at: rank) }
        for change in changes.updated { cells[change.rank].task = change.new }
    }

    /// The graph of the guide.
    struct List {
        let tasks = MutableNode<Table<Int, Task>>([:]), search = MutableNode(""), sorting = MutableNode(Sorting.hand)
        let shown: Node<SortedTable<Int, Task>>
        let sections: Node<Table<String, SortedTable<Int, Task>>>
        var versions: [Table<Int, Task>] = []

        init() {
            let condition = search.map { text -> @Sendable (Task) -> Bool in
                { $0.title.contains(text) || text.isEmpty }
            }
            let found = tasks.filterRows(by: condition)
            shown = found.sorted(using: sorting.map(\.order))
            sections = found.grouped(by: \.list, sortedBy: RowOrder(\.title))
        }
        mutating func edit(_ change: @escaping @Sendable (inout Table<Int, Task>) -> Void) {
            versions.append(tasks.current)
            tasks.update(change)
        }
        mutating func undo() { if let last = versions.popLast() { tasks.value = last } }
        /// Drops a row behind a shown one, before the next one of all rows.
        mutating func drop(_ key: Int, behind above: Int?) {
            let place = above.map { tasks.current[$0]!.place }
            let below = tasks.current.filter { $0.key != key && (place == nil || $0.row.place > place!) }.rows
            let next = below.map(\.place).min()
            edit { $0[key]?.place = .between(place, next) }
        }
    }

    /// The same list, kept in an array in the order by hand.
    struct Plain {
        struct Row: Equatable { let key: Int, title: String, list: String }
        var rows: [Row] = []
        var versions: [[Row]] = []

        mutating func edit(_ change: (inout [Row]) -> Void) {
            versions.append(rows)
            change(&rows)
        }
        mutating func undo() { if let last = versions.popLast() { rows = last } }
        func shown(_ sorting: Sorting, _ text: String) -> [Row] {
            let found = rows.filter { $0.title.contains(text) || text.isEmpty }
            switch sorting {
            case .hand: return found
            case .title: return found.sorted { ($0.title, $0.key) < ($1.title, $1.key) }
            case .list: return found.sorted { ($1.list, $0.title, $0.key) < ($0.list, $1.title, $1.key) }
            }
        }
        func sections(_ text: String) -> [String: [Row]] { Dictionary(grouping: shown(.title, text), by: \.list) }
    }

    static func plain(_ cells: [Cell]) -> [Plain.Row] {
        cells.map { Plain.Row(key: $0.key, title: $0.task.title, list: $0.task.list) }
    }

    @Test("a list on screen that is kept by changes alone shows the table, after edits, drags, searches and undo")
    func live() {
        var random = SeededGenerator.announced()
        var list = List(), plain = Plain(), cells: [Cell] = [], sections: [String: [Cell]] = [:]
        let lifetime = Lifetime()
        let heard = Locked<[SortedTableChanges<Int, Task>]>([])
        let heardOfSections = Locked<[TableChanges<String, SortedTable<Int, Task>>]>([])
        list.shown.listened(by: lifetime).withChanges { _, changes in heard.withLock { $0.append(changes) } }
        list.sections.listened(by: lifetime).withChanges { _, changes in heardOfSections.withLock { $0.append(changes) }
        }
        var number = 0
        for step in 0..<(Scale.isSanitized ? 300 : 3_000) {
            let title = String("abc".randomElement(using: &random)!) + String("abcd".randomElement(using: &random)!)
            let section = ["home", "work", "shop"].randomElement(using: &random)!
            let shown = plain.shown(list.sorting.current, list.search.current)
            let key = shown.randomElement(using: &random)?.key
            switch Int.random(in: 0..<12, using: &random) {
            case 0...2 where plain.rows.count < 30:
                number += 1
                list.edit { [number] in
                    let place = Place.between($0.rows.map(\.place).max(), nil)
                    $0[number] = Task(title: title, list: section, place: place)
                }
                plain.edit { $0.append(.init(key: number, title: title, list: section)) }
            case 3, 4:
                guard let key else { continue }
                list.edit {
                    $0[key]?.title = title
                    $0[key]?.list = section
                }
                plain.edit { rows in
                    let index = rows.firstIndex { $0.key == key }!
                    rows[index] = .init(key: key, title: title, list: section)
                }
            case 0...2, 5:
                guard let key else { continue }
                list.edit { $0[key] = nil }
                plain.edit { $0.removeAll { $0.key == key } }
            case 6, 7:
                guard let key else { continue }
                let above = shown.filter { $0.key != key }.randomElement(using: &random)?.key
                list.drop(key, behind: above)
                plain.edit { rows in
                    let row = rows.remove(at: rows.firstIndex { $0.key == key }!)
                    rows.insert(row, at: above.map { above in rows.firstIndex { $0.key == above }! + 1 } ?? 0)
                }
            case 8: list.search.value = ["", "", "a", "b", "d"].randomElement(using: &random)!
            case 9: list.sorting.value = Sorting.allCases.randomElement(using: &random)!
            default:
                list.undo()
                plain.undo()
            }

            let before = Dictionary(uniqueKeysWithValues: cells.map { ($0.key, $0) })
            for changes in heard.take() { Self.apply(changes, to: &cells) }
            for changes in heardOfSections.take() {
                for (_, name, _) in changes.removed { sections[name] = nil }
                for (_, name, rows) in changes.inserted { sections[name] = rows.map { Cell($0.key, $0.row) } }
                for (_, name, old, new) in changes.updated {
                    Self.apply(new.changes(from: old), to: &sections[name, default: []])
                }
            }
            guard Self.plain(cells) == plain.shown(list.sorting.current, list.search.current),
                sections.mapValues(Self.plain) == plain.sections(list.search.current),
                cells.allSatisfy({ before[$0.key] == nil || before[$0.key] === $0 })
            else {
                Issue.record("after step \(step), with seed \(random.seed): \(Self.plain(cells))")
                return
            }
        }
        #expect(cells.map(\.task) == list.shown.current.map(\.row))
        #expect(number > 20)
    }
}

extension Locked where Value: RangeReplaceableCollection {
    /// Empties the collection, and returns its elements.
    fileprivate func take() -> Value {
        withLock { elements in
            defer { elements = Value() }
            return elements
        }
    }
}
