import ReactCore

/// The rows of a table in another order. A row keeps its key wherever it moves.
///
/// `sorted` makes such tables. A sorted table is a value, as a ``Table`` is, and versions share structure.
///
///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "melon": 9, "pear": 4])
///     let sorted = prices.sorted { $0 }
///     print(sorted.current)                       // 3 rows: [apple: 3, pear: 4, melon: 9]
///     print(sorted.current[rank: 1].key)          // pear
///     print(sorted.current.rank(of: "melon")!)    // 2
///     print(sorted.current["apple"]!)             // 3
///
/// - Complexity: A copy O(1). A row by key or rank, and the rank of a key, O(log n). The distance of two positions
///   O(1). Each row takes about 100 bytes beside its key and itself, because its parts are kept.
public struct SortedTable<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Sendable {
    /// A key and its row.
    public typealias Element = (key: Key, row: Row)

    /// The rows by their places.
    @usableFromInline var order = Table<RowPlace<Key>, Row>()
    /// The parts of each row, which lead from its key to its place.
    @usableFromInline var parts = Table<Key, RowParts>()

    @inlinable init() {}
    /// Sorts all rows. O(n · log n), and `parts` is called once for each row, in the order of the keys.
    @inlinable init(_ rows: Table<Key, Row>, by parts: (Key, Row) -> RowParts) {
        self.parts = rows.compactMapped { .some(parts($0, $1)) }
        order = Table(zip(self.parts, rows.rows).lazy.map { (RowPlace($0.row, $0.key), $1) })
    }
    /// Makes a table of rows at their places, under the keys of `parts`.
    @inlinable init(order: Table<RowPlace<Key>, Row>, parts: Table<Key, RowParts>) {
        self.order = order
        self.parts = parts
    }

    /// The row of a key, or `nil` if there is none.
    ///
    /// - Complexity: O(log n).
    @inlinable public subscript(key: Key) -> Row? { parts[key].flatMap { order[RowPlace($0, key)] } }
    /// Returns the number of rows before that of `key`, or `nil` if the key is not in the table.
    ///
    /// - Complexity: O(log n).
    @inlinable public func rank(of key: Key) -> Int? { parts[key].flatMap { order.rank(of: RowPlace($0, key)) } }

    /// Sets the row of a key, which has the parts `new`.
    @inlinable mutating func set(_ row: Row, at new: RowParts, of key: Key) {
        if let old = parts[key] {
            // A row that keeps its place keeps its parts, so nothing else changes.
            if old.precedes(new) == nil { return order[RowPlace(old, key)] = row }
            removePlace(old, of: key)
        }
        parts[key] = new
        order[RowPlace(new, key)] = row
    }
    @inlinable mutating func remove(_ key: Key) {
        if let old = parts.remove(key) { removePlace(old, of: key) }
    }
    @inlinable mutating func removePlace(_ parts: RowParts, of key: Key) {
        if order.remove(RowPlace(parts, key)) == nil { removeMisplaced(key) }
    }
    /// Removes a row that is not found by its parts, because their `<` is no order. O(n).
    @usableFromInline mutating func removeMisplaced(_ key: Key) { order = order.filter { $0.key.key != key } }
    /// See `Table.isSortedAlike`.
    @inlinable func isSortedAlike(_ other: SortedTable) -> Bool { order.isSortedAlike(other.order) }
}

extension SortedTable: RankedCollection {
    /// Returns an iterator over keys and rows, in the order of the rows. Its `next()` is O(1) on average.
    @inlinable public func makeIterator() -> some IteratorProtocol<Element> {
        order.lazy.map { ($0.key.key, $0.row) }.makeIterator()
    }
    /// The number of rows. O(1).
    @inlinable public var count: Int { order.count }
    @inlinable public var _age: Int { order.age }
    /// The key and row at a position.
    ///
    /// Traps at `endIndex`. See ``RowIndex`` for an index from before a key came or went, or a row moved.
    ///
    /// - Complexity: O(log n).
    @inlinable public subscript(position: RowIndex) -> Element {
        let (place, row) = order[position]
        return (place.key, row)
    }
    /// The keys, in the order of their rows. O(1); a key at a position O(log n).
    @inlinable public var keys: some RandomAccessCollection<Key> { lazy.map { $0.key } }
    /// The rows, in their order. O(1); a row at a position O(log n).
    @inlinable public var rows: some RandomAccessCollection<Row> { lazy.map { $0.row } }
}

extension SortedTable: Equatable {
    /// Returns true if two tables have equal keys and rows, in one order. Parts that they share are skipped.
    ///
    /// - Complexity: O(d · log n) for d changed rows if one table was made of the other by one operator, and at most
    ///   O(n). The comparison stops at the first difference.
    @inlinable public static func == (a: SortedTable, b: SortedTable) -> Bool {
        guard a.count == b.count else { return false }
        if a.isSortedAlike(b) { return a.order == b.order }
        return zip(a, b).allSatisfy { $0.key == $1.key && $0.row == $1.row }
    }
}

extension SortedTable: DescribesRows {
    @usableFromInline package func description(ofRowsNotIn other: Any) -> String? {
        guard let other = other as? SortedTable, isSortedAlike(other) else { return nil }
        return order.description(ofRowsNotIn: other.order)
    }
}

extension SortedTable: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of rows, and the first three, as for a table.
    public var description: String { RowText.of(self) { ValueText.of($0) } }
    /// The number of rows, and the first three, as for a debugger.
    public var debugDescription: String { RowText.of(self) { ValueText.ofPart($0) } }
    /// Keys and rows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .dictionary) }
}
