import ReactCore

extension Node {
    /// "Window": shows the rows at a range of ranks.
    ///
    /// The range is clamped to the table. If table and ranks change in one transaction, one new array follows. The
    /// result is empty until both nodes have a value. Changes outside of the window are not heard.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "melon": 9, "pear": 4])
    ///     let ranks = MutableNode(0..<2)
    ///     let shown = prices.window(rows: ranks)
    ///     ranks.value = 1..<5
    ///     print(shown.current)     // [9, 4]
    ///
    /// **Memory.** Remembers its last output. One node lies between, which holds the table and the ranks.
    ///
    /// - Parameter rows: The ranks, 0 for the smallest key.
    /// - Returns: A new node with the rows.
    /// - Complexity: O(w + log n) for a window of w rows, and w comparisons, for each table.
    @inlinable public func window<Key, Row>(rows: Node<Range<Int>>) -> Node<[Row]> where Value == Table<Key, Row> {
        Node<[Row]>.remembering("Window", self, rows, Newest([]) { $0.first.entries(at: $0.second).map(\.row) })
    }
    /// "Window": shows the rows of a sorted table at a range of ranks. See `window(rows:)` of a table for the rest.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "melon": 9, "pear": 4])
    ///     let cheapest = prices.sorted { $0 }.window(rows: Node(0..<2))
    ///     print(cheapest.current)      // [3, 4]
    ///
    /// - Parameter ranks: The ranks, 0 for the first row.
    /// - Returns: A new node with the rows.
    /// - Complexity: O(w + log n) for a window of w rows, and w comparisons, for each table.
    @inlinable public func window<Key, Row>(
        rows ranks: Node<Range<Int>>
    ) -> Node<[Row]> where Value == SortedTable<Key, Row> {
        Node<[Row]>.remembering("Window", self, ranks, Newest([]) { $0.first.order.entries(at: $0.second).map(\.row) })
    }
    /// "Window": shows the rows at a range of ranks as a sorted table, whose changes can be heard.
    ///
    /// The ranks of the result begin at 0. The range is clamped, and changes outside of the window are not heard.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "melon": 9, "pear": 4])
    ///     let cheapest = prices.sorted { $0 }.window(ranks: Node(0..<2))
    ///     prices.update { $0["melon"] = 1 }
    ///     print(cheapest.current)      // 2 rows: [melon: 1, apple: 3]
    ///
    /// **Memory.** Remembers its last output. One node lies between, which holds the table and the ranks.
    ///
    /// - Parameter ranks: The ranks, 0 for the first row.
    /// - Returns: A new node with the rows and their keys.
    /// - Complexity: O(w + log n) for a window of w rows, and w comparisons, for each table. A window that changes
    ///   costs O(w · log w).
    @inlinable public func window<Key, Row>(
        ranks: Node<Range<Int>>
    ) -> Node<SortedTable<Key, Row>> where Value == SortedTable<Key, Row> {
        Node<SortedTable<Key, Row>>.remembering("Window", self, ranks, SortedWindow())
    }
}

extension Table {
    /// Returns the keys and rows at some ranks. Ranks that do not exist are left out.
    @inlinable func entries(at ranks: Range<Int>) -> ContiguousArray<Entries<Key, Row>.Entry> {
        let ranks = ranks.clamped(to: 0..<count)
        var rows = Iterator(self, rank: ranks.lowerBound), entries = ContiguousArray<Entries<Key, Row>.Entry>()
        entries.reserveCapacity(ranks.count)
        while entries.count < ranks.count, let entry = rows.nextEntry() { entries.append(entry) }
        return entries
    }
}

/// The rows at some ranks of a sorted table, with their keys and places.
@usableFromInline struct SortedWindow<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Incremental {
    @usableFromInline var output = SortedTable<Key, Row>()
    @usableFromInline var entries: ContiguousArray<Entries<RowPlace<Key>, Row>.Entry> = []

    @inlinable init() {}

    @inlinable static var hasClosures: Bool { false }

    @inlinable mutating func update(to input: Paired<SortedTable<Key, Row>, Range<Int>>, _: inout Int) -> Bool {
        let old = entries
        entries = input.first.order.entries(at: input.second)
        let isEqual = entries.elementsEqual(old) { $0.key.key == $1.key.key && $0.row == $1.row }
        // Rows that are equal may have parts of a new order.
        if isEqual, zip(entries, old).allSatisfy({ $0.key.parts === $1.key.parts }) { return false }
        output = SortedTable(
            order: Table(rising: entries), parts: Table(entries.lazy.map { ($0.key.key, $0.key.parts) }))
        return !isEqual
    }
}
