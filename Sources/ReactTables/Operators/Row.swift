import ReactCore

extension Node {
    /// "Row": the row of one key, heard only when it changes.
    @inlinable public func row<Key, Row>(_ key: Key) -> Node<Row?> where Value == Table<Key, Row> {
        remembering("Row", RowOfKey(key))
    }
}

/// The row of one key.
@usableFromInline struct RowOfKey<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Incremental {
    @usableFromInline let key: Key
    @usableFromInline var output: Row?

    @inlinable init(_ key: Key) { self.key = key }

    @inlinable mutating func update(to table: Table<Key, Row>) -> Bool {
        let row = table[key]
        defer { output = row }
        return row != output
    }
}
