/// The changes between two versions of a table.
///
/// Apply them to a list in this order: `removed` by falling rank, `inserted` by rising rank, then `updated`.
public struct TableChanges<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Sendable {
    /// The rows that went, by rising rank. `rank` counts in the old table.
    public internal(set) var removed: [(rank: Int, key: Key, row: Row)] = []
    /// The rows that came, by rising rank. `rank` counts in the new table.
    public internal(set) var inserted: [(rank: Int, key: Key, row: Row)] = []
    /// The rows that changed, by rising rank. `rank` counts in the new table. The two rows differ.
    public internal(set) var updated: [(rank: Int, key: Key, old: Row, new: Row)] = []

    /// Whether the two versions are equal.
    public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && updated.isEmpty }
}

extension Table {
    /// Returns the changes that make this table of `old`.
    public func changes(from old: Table) -> TableChanges<Key, Row> {
        var changes = TableChanges<Key, Row>()
        forEachDifference(from: old) { key, before, now in
            switch (before, now) {
            case (let before?, let now?): changes.updated.append((rank(of: key)!, key, before, now))
            case (let before?, nil): changes.removed.append((old.rank(of: key)!, key, before))
            case (nil, let now?): changes.inserted.append((rank(of: key)!, key, now))
            case (nil, nil): break
            }
        }
        return changes
    }
}
