/// Moves over the rows of a table, in the order of their keys.
@usableFromInline struct TableCursor<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable> {
    @usableFromInline let table: Table<Key, Row>
    /// The rank of the next row.
    @usableFromInline var rank: Int
    /// The leaf that contains the next row, and its place there. The place is behind the leaf if another leaf contains
    /// the next row.
    @usableFromInline var (entries, slot): (ContiguousArray<TableNode<Key, Row>.Entry>, Int) = ([], 0)

    /// Makes a cursor before the row at a rank.
    @inlinable init(_ table: Table<Key, Row>, rank: Int = 0) {
        self.table = table
        self.rank = rank
    }
    /// Moves over the next row and returns it. Returns `nil` at the end. O(log n) for the first row of a leaf, and O(1)
    /// for the others.
    @inlinable mutating func next() -> (key: Key, row: Row)? {
        moveOn().map { (entries[$0].key, entries[$0].row) }
    }
    /// As `next()`, without the key, whose copy may retain an object.
    @inlinable mutating func nextRow() -> Row? { moveOn().map { entries[$0].row } }

    /// Moves over the next row. Returns its place in `entries`, or `nil` at the end.
    @inlinable mutating func moveOn() -> Int? {
        if slot == entries.count {
            guard rank < table.count else { return nil }
            (entries, slot) = table.root.leaf(ofRank: rank)
        }
        defer {
            slot += 1
            rank += 1
        }
        return slot
    }
}
