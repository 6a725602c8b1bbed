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
        Node<[Row]>.remembering("Window", self, rows, WindowOfRows<Table<Key, Row>>())
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
        Node<[Row]>.remembering("Window", self, ranks, WindowOfRows<SortedTable<Key, Row>>())
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

/// Rows that have ranks: those of a tree.
@usableFromInline protocol RankedRows: Sendable {
    associatedtype TreeKey: Hashable & Comparable & Sendable
    associatedtype TreeRow: Equatable & Sendable
    var tree: Table<TreeKey, TreeRow> { get }
}
extension Table: RankedRows {
    @inlinable var tree: Table { self }
}
extension SortedTable: RankedRows {
    @inlinable var tree: Table<RowPlace<Key>, Row> { order }
}
extension RankedRows {
    /// Returns a cursor before the first row at some ranks, and the number of rows there. Ranks that do not exist are
    /// left out.
    @inlinable func cursor(at ranks: Range<Int>) -> (start: TableCursor<TreeKey, TreeRow>, count: Int) {
        let ranks = ranks.clamped(to: 0..<tree.count)
        return (TableCursor(tree, rank: ranks.lowerBound), ranks.count)
    }
}

/// The rows at some ranks.
@usableFromInline struct WindowOfRows<Rows: RankedRows>: Incremental {
    @usableFromInline var output: [Rows.TreeRow] = []

    @inlinable init() {}

    @inlinable mutating func update(to input: Paired<Rows, Range<Int>>) -> Bool {
        let (start, count) = input.first.cursor(at: input.second)
        var cursor = start
        var rows: [Rows.TreeRow] = []
        rows.reserveCapacity(count)
        for _ in 0..<count { if let row = cursor.nextRow() { rows.append(row) } }
        defer { output = rows }
        return rows != output
    }
}

/// The rows at some ranks of a sorted table, with their keys and places.
@usableFromInline struct SortedWindow<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Incremental {
    @usableFromInline var output = SortedTable<Key, Row>()
    @usableFromInline var rows: [Row] = []
    @usableFromInline var places: [RowPlace<Key>] = []

    @inlinable init() {}

    @inlinable mutating func update(to input: Paired<SortedTable<Key, Row>, Range<Int>>) -> Bool {
        let (start, count) = input.first.cursor(at: input.second)
        var cursor = start
        var (newPlaces, newRows) = ([RowPlace<Key>](), [Row]())
        newPlaces.reserveCapacity(count)
        newRows.reserveCapacity(count)
        for _ in 0..<count {
            guard let (place, row) = cursor.next() else { break }
            newPlaces.append(place)
            newRows.append(row)
        }
        let isEqual = newRows == rows && newPlaces.elementsEqual(places) { $0.key == $1.key }
        if isEqual, newPlaces.elementsEqual(places, by: { $0.parts === $1.parts }) { return false }
        // Rows that are equal may have parts of a new order.
        (places, rows) = (newPlaces, newRows)
        output = SortedTable(places: ContiguousArray(newPlaces), rows: ContiguousArray(newRows))
        return !isEqual
    }
}
