import ReactCore

extension Node {
    /// "Rows": the elements as a table.
    @inlinable public func rows<Row, Key>(
        by key: @escaping @Sendable (Row) -> Key
    ) -> Node<Table<Key, Row>> where Value == [Row] {
        remembering("Rows", RowsOfArray(key))
    }
}

/// The newest array as a table, which shares with the one before the parts that are alike.
@usableFromInline struct RowsOfArray<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Incremental {
    @usableFromInline let key: @Sendable (Row) -> Key
    @usableFromInline var output = Table<Key, Row>()

    @inlinable init(_ key: @escaping @Sendable (Row) -> Key) { self.key = key }

    @inlinable mutating func update(to rows: [Row]) -> Bool {
        let old = output
        output = Table(rows, by: key)
        return old.isEmpty ? !output.isEmpty : output.adopt(from: old)
    }
}
