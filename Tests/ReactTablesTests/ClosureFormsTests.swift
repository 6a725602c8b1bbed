import ReactCore
import ReactOperators
import ReactScheduling
import ReactTables
import TestSupport
import Testing

/// What operators on rows take besides the row.
@Suite("Closures of operators on rows") struct ClosureFormsTests {
    private struct Article: Equatable, Sendable { var title: String, length: Int }
    private let articles = MutableNode<Table<String, Article>>([
        "a": Article(title: "Zoo", length: 3), "b": Article(title: "Art", length: 5),
        "c": Article(title: "map", length: 5),
    ])

    @Test("closures take the row, or the key and the row")
    func keys() {
        let read = MutableNode<Set<String>>(["b"])
        let unread = articles.filterRows(
            by: read.map { read -> @Sendable (String, Article) -> Bool in { id, _ in !read.contains(id) } })
        #expect(unread.current.keys.map { $0 } == ["a", "c"])
        read.value = ["a"]
        #expect(unread.current.keys.map { $0 } == ["b", "c"])
        #expect(articles.rekeyed(by: \.title).current.keys.map { $0 } == ["Art", "Zoo", "map"])
        #expect(
            articles.flatMapRows { [$0.length: $0.title] as Table }.current.rows.map { $0 } == ["Zoo", "Art", "map"])
        let lengths = articles.mapRows(areEqual: { abs($0 - $1) < 2 }) { $0 == "a" ? 100 : $1.length }
        #expect(lengths.current.rows.map { $0 } == [100, 5, 5])
        #expect(articles.sum { $0 == "a" ? 100 : $1.length }.current == 110)
        #expect(articles.min { $0 == "a" ? 100 : $1.length }.current == 5)
        #expect(articles.max { $0 == "a" ? 100 : $1.length }.current == 100)
        #expect(articles.sorted { id, _ in id == "c" ? 0 : 1 }.current.map(\.key) == ["c", "a", "b"])
    }
    @Test("rows are sorted by a comparison of one's own, and then by a part")
    func comparison() {
        let order = RowOrder<Article>(comparing: { $0.title.lowercased() < $1.title.lowercased() })
        let sorted = articles.sorted(by: order)
        #expect(sorted.current.map(\.key) == ["b", "c", "a"])
        articles.update { $0["a"]?.title = "ant" }
        #expect(sorted.current.map(\.key) == ["a", "b", "c"])
        let byLength = RowOrder<Article>(comparing: { $0.length > $1.length }).then(\.title, descending: true)
        #expect(articles.sorted(by: byLength).current.map(\.key) == ["c", "b", "a"])
    }
    @Test("a running sum agrees with a sum from the start, after random edits and new orders")
    func runningSum() throws {
        var random = SeededGenerator.announced()
        let rows = MutableNode(Table((0..<40).map { ($0, $0) })), order = MutableNode(RowOrder<Int> { $0 % 7 })
        let sorted = rows.sorted(using: order), sums = sorted.runningSum { $0 * 2 + $1 }
        for step in 0..<300 {
            let key = Int.random(in: 0..<60, using: &random), row = Int.random(in: 0..<90, using: &random)
            rows.update { $0[key] = step % 3 == 0 ? nil : row }
            if step % 50 == 49 { order.value = RowOrder({ $0 % (step % 11 + 2) }, descending: step % 2 == 0) }
            var sum = 0
            let expected = sorted.current.map { key, row in
                sum += key * 2 + row
                return sum
            }
            try #require(sums.current.map(\.row) == expected && sums.current.map(\.key) == sorted.current.map(\.key))
            #expect(sums.current.rank(of: key) == sorted.current.rank(of: key))
        }
    }
    @Test("a late set through a focus does not bring a row back, and sets the row that is there")
    func lateSet() {
        let clock = VirtualScheduler(), screen = Lifetime()
        let rows = MutableNode<Table<Int, String>>([1: "a", 2: "b"])
        let row = rows.focus(\.[1]), field = MutableNode("a")
        field.debounce(.milliseconds(500), on: clock).listened(by: screen).with { row.value = .some($0) }
        clock.run()
        field.value = "edited"
        clock.run()
        #expect(rows.current[1] == "edited")
        field.value = "edited late"
        rows.update { $0[1] = nil }
        clock.run()
        #expect(rows.current.map(\.key) == [2])
        #expect(row.current == nil)
        rows.update { $0[1] = "new" }
        #expect(row.current == "new")
        row.value = .some(nil)
        #expect(rows.current.map(\.key) == [2])
    }
}
