import ReactCore

extension Node {
    /// "Window": shows the rows at these ranks, as far as there are so many. A range is cut at both ends of the table.
    ///
    /// Free of glitches: table and ranks that change in one transaction lead to one new array. The result is empty
    /// until both nodes have a value. Changes outside of the window are not heard.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "melon": 9, "pear": 4])
    ///     let ranks = MutableNode(0..<2)
    ///     let shown = prices.window(rows: ranks)
    ///     ranks.value = 1..<5
    ///     print(shown.current)     // [9, 4]
    ///
    /// **Memory.** Remembers its last output. One node stands between, which holds the table beside the ranks.
    ///
    /// - Parameter rows: The ranks, 0 for the smallest key.
    /// - Returns: A new node with the rows.
    /// - Complexity: O(w · log n) for a window of w rows, and w comparisons, for each table.
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
        let start = table.index(table.startIndex, offsetBy: ranks.lowerBound)
        let end = table.index(start, offsetBy: ranks.count)
        let rows = table[start..<end].map(\.row)
        defer { output = rows }
        return rows != output
    }
}
