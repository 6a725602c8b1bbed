import ReactCore

extension Node {
    /// "Sort": puts the rows into the order of a part of each row. A row keeps its key wherever it moves.
    ///
    /// Rows with equal parts stand in the order of their keys. A part that does not equal itself, as NaN, stands behind
    /// all others. `window(rows:)` shows some rows of the result.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "melon": 9, "pear": 4])
    ///     let dearest = prices.sorted(by: { $0 }, descending: true)
    ///     prices.update { $0["apple"] = 10 }
    ///     print(dearest.current)       // 3 rows: [apple: 10, melon: 9, pear: 4]
    ///
    /// **Memory.** Remembers its last input and its output, with the part of each row, until the edge is cut or
    /// re-pointed.
    ///
    /// - Parameters:
    ///   - part: Called once for each row that came or changed, in the order of the keys, on the thread that sets the
    ///     table, with no lock held.
    ///   - descending: True if greater parts come first.
    /// - Returns: A new node with the rows in that order.
    /// - Complexity: O(d · log n) for d changed rows. The first table costs O(n · log n).
    @inlinable public func sorted<Key, Row, Part: Comparable & Sendable>(
        by part: @escaping @Sendable (Row) -> Part, descending: Bool = false
    ) -> Node<SortedTable<Key, Row>> where Value == Table<Key, Row> {
        sorted(by: RowOrder(part, descending: descending))
    }
    /// "Sort" by a closure that takes the key as well. See `sorted(by:descending:)` of rows for the rest.
    @inlinable public func sorted<Key, Row, Part: Comparable & Sendable>(
        by part: @escaping @Sendable (Key, Row) -> Part, descending: Bool = false
    ) -> Node<SortedTable<Key, Row>> where Value == Table<Key, Row> {
        remembering("Sort", SortedRows(by: part, descending: descending))
    }
    /// "Sort": puts the rows into an order by several parts. See `sorted(by:descending:)` for the rest.
    ///
    ///     struct Quote: Equatable { var symbol: String, volume: Int }
    ///     let quotes = MutableNode(Table([Quote(symbol: "B", volume: 5), Quote(symbol: "A", volume: 5)], by: \.symbol))
    ///     let shown = quotes.sorted(by: RowOrder(\.volume).then(\.symbol, descending: true))
    ///     print(shown.current.map(\.key))      // ["B", "A"]
    ///
    /// - Parameter order: The order. Each of its parts is called once for each row that came or changed.
    /// - Returns: A new node with the rows in that order.
    /// - Complexity: O(d · log n) for d changed rows. The first table costs O(n · log n).
    @inlinable public func sorted<Key, Row>(
        by order: RowOrder<Row>
    ) -> Node<SortedTable<Key, Row>> where Value == Table<Key, Row> {
        remembering("Sort", SortedRows(order))
    }
    /// "SortBy": puts the rows into the newest order, which people may switch.
    ///
    /// If table and order change in one transaction, one new sorted table follows. The result is empty until both nodes
    /// have a value. If a new order moves no row, no new sorted table follows.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "melon": 9, "pear": 4])
    ///     let order = MutableNode(RowOrder<Int> { $0 })
    ///     let shown = prices.sorted(using: order)
    ///     order.value = RowOrder({ $0 }, descending: true)
    ///     print(shown.current)     // 3 rows: [melon: 9, pear: 4, apple: 3]
    ///
    /// **Memory.** Remembers its last input and its output, with the parts of each row. It starts over when an edge to
    /// it is re-pointed. One node lies between, which holds the table and the order.
    ///
    /// - Parameter order: The present order. Its parts are called for every row when it is new, and then once for each
    ///   row that came or changed, in the order of the keys, on the thread that sets either node, with no lock held.
    /// - Returns: A new node with the rows in that order.
    /// - Complexity: O(d · log n) for d changed rows, and O(n · log n) for a new order.
    @inlinable public func sorted<Key, Row>(
        using order: Node<RowOrder<Row>>
    ) -> Node<SortedTable<Key, Row>> where Value == Table<Key, Row> {
        Node<SortedTable<Key, Row>>.remembering("SortBy", self, order, RowsByNewestOrder())
    }
}

/// The rows of a table, in one order.
@usableFromInline struct SortedRows<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Incremental {
    @usableFromInline let parts: @Sendable (Key, Row) -> RowParts
    /// The number of closures that `parts` calls.
    @usableFromInline let levels: Int
    @usableFromInline var input = Table<Key, Row>()
    @usableFromInline var output = SortedTable<Key, Row>()

    @inlinable init(levels: Int, _ parts: @escaping @Sendable (Key, Row) -> RowParts) {
        self.levels = levels
        self.parts = parts
    }
    @inlinable init<Part: Comparable & Sendable>(by part: @escaping @Sendable (Key, Row) -> Part, descending: Bool) {
        let comparison = PartComparison(of: Part.self, descending: descending)
        self.init(levels: 1) { PartOfRow(part($0, $1), comparison, nil) }
    }
    @inlinable init(_ order: RowOrder<Row>) { self.init(levels: order.levels.count) { order.parts(of: $1) } }

    @inlinable mutating func update(to new: Table<Key, Row>, _ calls: inout Int) -> Bool {
        let (old, parts) = (input, parts)
        input = new
        guard !old.isEmpty else {
            calls += levels * new.count
            output = SortedTable(new, by: parts)
            return !new.isEmpty
        }
        var hasChanged = false
        for (key, _, row, _) in new.differences(from: old) {
            hasChanged = true
            calls += row == nil ? 0 : levels
            if let row { output.set(row, at: parts(key, row), of: key) } else { output.remove(key) }
        }
        return hasChanged
    }
}

/// The rows of a table, in the newest order.
@usableFromInline
struct RowsByNewestOrder<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Incremental {
    @usableFromInline var order: RowOrder<Row>?
    @usableFromInline var rows = SortedRows<Key, Row>(by: { _, _ in 0 }, descending: false)

    @inlinable init() {}

    @inlinable var output: SortedTable<Key, Row> { rows.output }

    @inlinable mutating func update(
        to input: Paired<Table<Key, Row>, RowOrder<Row>>, _ calls: inout Int
    ) -> Bool {
        if let order, order.isIdentical(to: input.second) { return rows.update(to: input.first, &calls) }
        let old = rows.output
        order = input.second
        rows = SortedRows(input.second)
        _ = rows.update(to: input.first, &calls)
        return rows.output != old
    }
}
