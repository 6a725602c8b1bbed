import ReactCore

extension Table: RandomAccessCollection {
    /// A position. Not an integer, so that tables with integer keys read well.
    ///
    /// An index is valid until a key comes or goes. A row that changes leaves it valid. To use an index later traps,
    /// and so does using it in a table that has seen another number of keys come and go.
    @frozen public struct Index: Comparable, Hashable, Sendable {
        @usableFromInline let rank: Int
        @usableFromInline let age: Int
        @inlinable init(rank: Int, age: Int) {
            self.rank = rank
            self.age = age
        }
        /// Returns true if `a` is before `b`.
        @inlinable public static func < (a: Index, b: Index) -> Bool { a.rank < b.rank }
        /// Returns true if the two are one position.
        @inlinable public static func == (a: Index, b: Index) -> Bool { a.rank == b.rank }
        /// Hashes the position.
        @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(rank) }
    }
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
    /// The position of the smallest key.
    @inlinable public var startIndex: Index { Index(rank: 0, age: age) }
    /// The position after the greatest key.
    @inlinable public var endIndex: Index { Index(rank: count, age: age) }
    /// Returns the next position. O(1).
    @inlinable public func index(after i: Index) -> Index { index(i, offsetBy: 1) }
    /// Returns the previous position. O(1).
    @inlinable public func index(before i: Index) -> Index { index(i, offsetBy: -1) }
    /// Returns the position `distance` further. O(1).
    @inlinable public func index(_ i: Index, offsetBy distance: Int) -> Index {
        requireValid(i)
        let (rank, isTooFar) = i.rank.addingReportingOverflow(distance)
        require(
            rank >= 0 && rank <= count && !isTooFar,
            "there is no index \(isTooFar ? distance : rank) in a table of \(count) \(count == 1 ? "row" : "rows"). Stay in startIndex ... endIndex."
        )
        return Index(rank: rank, age: age)
    }
    /// Returns the number of positions between two. O(1).
    @inlinable public func distance(from start: Index, to end: Index) -> Int {
        requireValid(start)
        requireValid(end)
        return end.rank - start.rank
    }
    /// The key and row at a position.
    ///
    /// Traps at `endIndex`, and if a key has come or gone since the index was made.
    ///
    /// - Complexity: O(log n).
    @inlinable public subscript(position: Index) -> Element {
        requireValid(position)
        require(position.rank < count, "endIndex of a table has no row. Stop before it.")
        return self[rank: position.rank]
    }
    @inlinable func requireValid(_ index: Index) {
        require(
            index.age == age && index.rank <= count,
            "an index of a table was used after a key had come or gone. Ask the table for a new one, as by firstIndex(where:), and use it with that table."
        )
    }

    /// The rows, in the order of their keys. O(1); a row at a position O(log n).
    @inlinable public var rows: some RandomAccessCollection<Row> { lazy.map { $0.row } }
}
