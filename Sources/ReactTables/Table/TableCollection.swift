import ReactCore

extension Table: RankedCollection {
    /// Iterates over keys and rows, in the order of the keys.
    @frozen public struct Iterator: IteratorProtocol {
        @usableFromInline let table: Table
        /// The rank of the next row.
        @usableFromInline var rank: Int
        /// The leaf that contains the next row, and its slot there. The slot is behind the leaf if another leaf
        /// contains the next row.
        @usableFromInline var (entries, slot): (ContiguousArray<Entries<Key, Row>.Entry>, Int) = ([], 0)

        @inlinable init(_ table: Table, rank: Int = 0) {
            self.table = table
            self.rank = rank
        }
        /// Returns the next key and row, and `nil` at the end. O(1) on average.
        @inlinable public mutating func next() -> Element? { nextEntry().map { ($0.key, $0.row) } }
        @inlinable mutating func nextEntry() -> Entries<Key, Row>.Entry? {
            if slot == entries.count {
                guard rank < table.count else { return nil }
                let leaf = table.root.leaf(ofRank: rank)
                (entries, slot) = (Entries<Key, Row>.of(leaf.entries).list, leaf.slot)
            }
            defer { (slot, rank) = (slot + 1, rank + 1) }
            return entries[slot]
        }
    }

    /// Returns an iterator over keys and rows, in the order of the keys.
    @inlinable public func makeIterator() -> Iterator { Iterator(self) }
    /// The number of rows. O(1).
    @inlinable public var count: Int { rowCount }
    @inlinable public var _age: Int { age }
    /// The key and row at a position.
    ///
    /// Traps at `endIndex`. See ``RowIndex`` for an index from before a key came or went.
    ///
    /// - Complexity: O(log n).
    @inlinable public subscript(position: RowIndex) -> Element {
        requireValid(position)
        require(position.rank < count, "endIndex of a table has no row. Stop before it.")
        let (entries, slot) = root.leaf(ofRank: position.rank)
        let entry = Entries<Key, Row>.of(entries).list[slot]
        return (entry.key, entry.row)
    }

    /// The rows, in the order of their keys. O(1); a row at a position O(log n).
    @inlinable public var rows: some RandomAccessCollection<Row> { lazy.map { $0.row } }
}
