/// The changes between two versions of a table.
///
/// Apply them to a list in this order: `removed` by falling rank, `inserted` by rising rank, then `updated`.
///
///     let before: Table = [1: "a", 2: "b", 3: "c"]
///     var after = before
///     after[1] = nil
///     after[3] = "C"
///     after[9] = "i"
///     let changes = after.changes(from: before)
///     var list = Array(before.rows)
///     for (rank, _, _) in changes.removed.reversed() { list.remove(at: rank) }
///     for (rank, _, row) in changes.inserted { list.insert(row, at: rank) }
///     for (rank, _, _, row) in changes.updated { list[rank] = row }
///     print(list)     // ["b", "C", "i"]
public struct TableChanges<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Sendable {
    /// The rows that went, by rising rank. `rank` counts in the old table.
    public let removed: [(rank: Int, key: Key, row: Row)]
    /// The rows that came, by rising rank. `rank` counts in the new table.
    public let inserted: [(rank: Int, key: Key, row: Row)]
    /// The rows that changed, by rising rank. `rank` counts in the new table. The two rows differ.
    public let updated: [(rank: Int, key: Key, old: Row, new: Row)]

    @inlinable init(_ differences: [Table<Key, Row>.Difference]) {
        var (removed, inserted) = ([(rank: Int, key: Key, row: Row)](), [(rank: Int, key: Key, row: Row)]())
        var updated: [(rank: Int, key: Key, old: Row, new: Row)] = []
        for (key, old, new, ranks) in differences {
            if let old, let new { updated.append((ranks.new, key, old, new)) }
            if let old, new == nil { removed.append((ranks.old, key, old)) }
            if let new, old == nil { inserted.append((ranks.new, key, new)) }
        }
        (self.removed, self.inserted, self.updated) = (removed, inserted, updated)
    }

    /// True if the two versions are equal.
    public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && updated.isEmpty }
}

extension Table {
    /// Returns the changes that turn `old` into this table.
    ///
    /// Rows are compared by `==`, in subtrees that the two tables do not share.
    ///
    /// - Complexity: O(d · log n) for d changed rows if one table was made of the other, and at most O(n).
    @inlinable public func changes(from old: Table) -> TableChanges<Key, Row> { TableChanges(differences(from: old)) }
}
