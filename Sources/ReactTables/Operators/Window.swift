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
        Node<[Row]>.remembering("Window", self, rows, WindowOfRows<Key, Row>())
    }
}

/// The rows of a table at some ranks.
@usableFromInline struct WindowOfRows<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Incremental {
    @usableFromInline var output: [Row] = []

    @inlinable init() {}

    @inlinable mutating func update(to input: Paired<Table<Key, Row>, Range<Int>>) -> Bool {
        let table = input.first, ranks = input.second.clamped(to: 0..<table.count)
        var cursor = TableCursor(table, rank: ranks.lowerBound)
        var rows: [Row] = []
        rows.reserveCapacity(ranks.count)
        while rows.count < ranks.count, let (_, row) = cursor.next() { rows.append(row) }
        defer { output = rows }
        return rows != output
    }
}
