/// The changes between two versions of a sorted table, for a list on screen.
///
/// Apply them to a list in this places. They then give the new table:
///
/// 1. Take out the rows of `removed` and `moved`, by falling old rank.
/// 2. Put in the rows of `inserted` and `moved`, by rising new rank.
/// 3. Replace the rows of `updated`.
///
/// UIKit's and AppKit's `moveRow(at:to:)` count in this way as well.
///
///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "melon": 9, "pear": 4])
///     let sorted = prices.sorted { $0 }
///     let before = sorted.current
///     prices.update { $0["apple"] = 10 }
///     for move in sorted.current.changes(from: before).moved {
///         print(move.key, move.from, move.to, move.old, move.new)     // apple 0 2 3 10
///     }
///
/// **The rows that stay.** If both versions have one order, rows that have not changed stay. As many of the changed
/// rows as possible stay: the rows that stay have one order in both versions. After a change of order, a largest such
/// set of all rows stays. If there are several largest sets, any of them stays.
public struct SortedTableChanges<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Sendable {
    /// The rows that went, by rising rank. `rank` counts in the old table.
    public let removed: [(rank: Int, key: Key, row: Row)]
    /// The rows that came, by rising rank. `rank` counts in the new table.
    public let inserted: [(rank: Int, key: Key, row: Row)]
    /// The rows that moved, by rising `from`, which counts in the old table. `to` counts in the new table. `old` and
    /// `new` are equal if only the place has changed.
    public let moved: [(from: Int, to: Int, key: Key, old: Row, new: Row)]
    /// The rows that stay and differ, by rising rank. `rank` counts in the new table.
    public let updated: [(rank: Int, key: Key, old: Row, new: Row)]

    /// True if the two versions are equal.
    public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }

    /// Makes the changes from the rows that may differ, of the old table and of the new one, by rising rank. All rows
    /// beside them stay, and are in both tables.
    @inlinable init(_ old: [(rank: Int, key: Key, row: Row)], _ new: [(rank: Int, key: Key, row: Row)]) {
        let pairs = RowPairs(old, new)
        let stays = pairs.staying()
        var removed: [(rank: Int, key: Key, row: Row)] = []
        var moved: [(from: Int, to: Int, key: Key, old: Row, new: Row)] = []
        var updated: [(rank: Int, key: Key, old: Row, new: Row)] = []
        for (place, before) in old.enumerated() {
            guard let other = pairs.partners[place] else {
                removed.append(before)
                continue
            }
            let now = new[other]
            if !stays[place] {
                moved.append((before.rank, now.rank, now.key, before.row, now.row))
            } else if before.row != now.row {
                updated.append((now.rank, now.key, before.row, now.row))
            }
        }
        self.removed = removed
        self.moved = moved
        self.updated = updated
        inserted = new.indices.filter { !pairs.isPaired[$0] }.map { new[$0] }
    }
    @inlinable init(_ changes: TableChanges<Key, Row>) {
        (removed, inserted, moved, updated) = (changes.removed, changes.inserted, [], changes.updated)
    }
}

extension SortedTable {
    /// Returns the changes that turn `old` into this table.
    ///
    /// Rows are compared by `==`, in subtrees that the two tables do not share.
    ///
    /// - Complexity: O(d · log n) for d changed rows if one table was made of the other by one operator, and at most
    ///   O(n · log n).
    @inlinable public func changes(from old: SortedTable) -> SortedTableChanges<Key, Row> {
        var before: [(rank: Int, key: Key, row: Row)] = [], now = before
        if isSortedAlike(old) {
            for (place, old, new, ranks) in order.differences(from: old.order) {
                if let old { before.append((ranks.old, place.key, old)) }
                if let new { now.append((ranks.new, place.key, new)) }
            }
        } else {
            (before, now) = (old.ranked(), ranked())
        }
        return SortedTableChanges(before, now)
    }
    @inlinable func ranked() -> [(rank: Int, key: Key, row: Row)] { enumerated().map { ($0, $1.key, $1.row) } }
}
