import ReactCore

extension Node {
    /// "Rows": makes a table of the elements of each array.
    ///
    /// Of two elements with one key, the later one stays. Tables share the parts that stay equal, so operators behind
    /// this one see only the rows that differ. An array that gives an equal table is not passed on, unless it is the
    /// first.
    ///
    ///     struct Order: Equatable { var id: Int, total: Int }
    ///     let loaded = MutableNode([Order(id: 2, total: 12), Order(id: 1, total: 30)])
    ///     let totals = loaded.rows(by: \.id).mapRows { $0.total }
    ///     loaded.value = [Order(id: 1, total: 30), Order(id: 3, total: 8)]
    ///     print(totals.current)        // 2 rows: [1: 30, 3: 8]
    ///
    /// **Memory.** Remembers its last output until the edge is cut or re-pointed.
    ///
    /// - Parameter key: Called once for each element of each array, on the thread that sets it, with no lock held.
    /// - Returns: A new node with the table.
    /// - Complexity: O(n) for each array whose elements are in the order of their keys, and otherwise O(n · log n). If
    ///   single rows change, hold a table in the node itself.
    @inlinable public func rows<Row, Key>(
        by key: @escaping @Sendable (Row) -> Key
    ) -> Node<Table<Key, Row>> where Value == [Row] {
        remembering("Rows", RowsOfArray(key))
    }
}

/// The newest array as a table, which shares equal parts with the table before.
@usableFromInline struct RowsOfArray<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Incremental {
    @usableFromInline let key: @Sendable (Row) -> Key
    @usableFromInline var output = Table<Key, Row>()

    @inlinable init(_ key: @escaping @Sendable (Row) -> Key) { self.key = key }

    @inlinable mutating func update(to rows: [Row], _ calls: inout Int) -> Bool {
        let old = output
        calls += rows.count
        output = Table(rows, by: key)
        return old.isEmpty ? !output.isEmpty : output.adopt(from: old)
    }
}
