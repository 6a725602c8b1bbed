import ReactCore

extension Node {
    /// "Fold" of each group, without making the groups.
    @inlinable public func fold<Key, Row, Group, Result: Equatable & Sendable>(
        by group: @escaping @Sendable (Row) -> Group, _ initial: Result,
        adding: @escaping @Sendable (inout Result, Row) -> Void,
        removing: @escaping @Sendable (inout Result, Row) -> Void
    ) -> Node<Table<Group, Result>> where Value == Table<Key, Row> {
        remembering(
            "Fold", FoldedGroups(Parts(group), Folds(initial: initial, adding: adding, removing: removing)))
    }
}

/// A result for each group of a table's rows.
@usableFromInline
struct FoldedGroups<
    Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Group: Hashable & Comparable & Sendable,
    Result: Equatable & Sendable
>: Incremental {
    @usableFromInline var groups: Parts<Key, Row, Group>
    @usableFromInline var folds: Folds<Row, Group, Result>

    @inlinable init(_ groups: Parts<Key, Row, Group>, _ folds: Folds<Row, Group, Result>) {
        self.groups = groups
        self.folds = folds
    }

    @inlinable var output: Table<Group, Result> { folds.results }

    @inlinable mutating func update(to new: Table<Key, Row>) -> Bool {
        let old = folds.results
        let hasChanged = groups.update(to: new, changing: &folds) { folds, _, old, new in
            if let old { folds.remove(old.row, from: old.part, unlessItIs: new?.part) }
            if let new { folds.add(new.row, to: new.part, unlessItIs: old?.part) }
        }
        return hasChanged && folds.results.differs(from: old)
    }
}

/// The results of groups, and how many rows each group has.
@usableFromInline
struct Folds<Row: Sendable, Group: Hashable & Comparable & Sendable, Result: Equatable & Sendable>:
    Sendable
{
    @usableFromInline let initial: Result
    @usableFromInline let adding: @Sendable (inout Result, Row) -> Void
    @usableFromInline let removing: @Sendable (inout Result, Row) -> Void
    @usableFromInline var results = Table<Group, Result>()
    @usableFromInline var counts: [Group: Int] = [:]

    @inlinable init(
        initial: Result, adding: @escaping @Sendable (inout Result, Row) -> Void,
        removing: @escaping @Sendable (inout Result, Row) -> Void
    ) {
        self.initial = initial
        self.adding = adding
        self.removing = removing
    }

    /// Removes a row. Its group goes with its last row, unless the row stays in it.
    @inlinable mutating func remove(_ row: Row, from group: Group, unlessItIs next: Group?) {
        results.update(group) { [removing] in removing(&$0, row) }
        guard group != next else { return }
        let left = counts[group, default: 0] - 1
        counts[group] = left == 0 ? nil : left
        if left == 0 { results[group] = nil }
    }
    /// Adds a row, which counts anew unless it was in that group before.
    @inlinable mutating func add(_ row: Row, to group: Group, unlessItIs last: Group?) {
        if group != last { counts[group, default: 0] += 1 }
        if results.update(group, { [adding] in adding(&$0, row) }) != nil { return }
        var result = initial
        adding(&result, row)
        results[group] = result
    }
}

extension Table {
    /// Whether any row differs. Parts that the two share are skipped.
    @inlinable func differs(from old: Table) -> Bool {
        var differs = false
        forEachDifference(from: old) { _, _, _ in differs = true }
        return differs
    }
}
