import ReactCore

extension Node {
    /// "Fold" of each group: keeps a result for each group of rows, without making the groups.
    ///
    /// A group begins with `initial` when its first row comes, and goes with its last row. A row that changes its group
    /// is removed from one and added to the other. Equal results are not passed on, unless they are the first.
    ///
    ///     struct Order: Equatable { var city: String, total: Int }
    ///     let orders = MutableNode<Table<Int, Order>>([
    ///         1: Order(city: "Oslo", total: 30), 2: Order(city: "Paris", total: 8), 3: Order(city: "Oslo", total: 5),
    ///     ])
    ///     let totals = orders.fold(by: \.city, 0) { $0 += $1.total } removing: { $0 -= $1.total }
    ///     orders.update { $0[2]?.city = "Oslo" }
    ///     print(totals.current)        // 1 row: [Oslo: 43]
    ///
    /// **Memory.** Remembers its last input, the group of each row, and the results, until the edge is cut or
    /// re-pointed.
    ///
    /// - Parameters:
    ///   - group: Called once for each row that came or changed.
    ///   - initial: The result of a group without rows.
    ///   - adding: Called once for each row that came or changed.
    ///   - removing: Called once for each row that went or changed, before `adding`. All are called in the order of
    ///     the keys, on the thread that sets the table, with no lock held.
    /// - Returns: A new node with the results, under their groups.
    /// - Complexity: O(d · (log n + log g)) for d changed rows and g groups.
    @inlinable public func fold<Key, Row, Group, Result: Equatable & Sendable>(
        by group: @escaping @Sendable (Row) -> Group, _ initial: Result,
        adding: @escaping @Sendable (inout Result, Row) -> Void,
        removing: @escaping @Sendable (inout Result, Row) -> Void
    ) -> Node<Table<Group, Result>> where Value == Table<Key, Row> {
        remembering(
            "Fold",
            FoldedGroups(
                Parts { group($1) },
                Folds(initial: initial, adding: { adding(&$0, $2) }, removing: { removing(&$0, $2) })))
    }
    /// "Fold" of each group, by a group that depends on the key as well. See `fold(by:_:adding:removing:)` of rows for
    /// the rest.
    @inlinable public func fold<Key, Row, Group, Result: Equatable & Sendable>(
        by group: @escaping @Sendable (Key, Row) -> Group, _ initial: Result,
        adding: @escaping @Sendable (inout Result, Row) -> Void,
        removing: @escaping @Sendable (inout Result, Row) -> Void
    ) -> Node<Table<Group, Result>> where Value == Table<Key, Row> {
        fold(by: group, initial, adding: { adding(&$0, $2) }, removing: { removing(&$0, $2) })
    }
    /// "Fold" of each group, by closures that take the key as well. See `fold(by:_:adding:removing:)` of rows for the
    /// rest.
    @inlinable public func fold<Key, Row, Group, Result: Equatable & Sendable>(
        by group: @escaping @Sendable (Row) -> Group, _ initial: Result,
        adding: @escaping @Sendable (inout Result, Key, Row) -> Void,
        removing: @escaping @Sendable (inout Result, Key, Row) -> Void
    ) -> Node<Table<Group, Result>> where Value == Table<Key, Row> {
        fold(by: { group($1) }, initial, adding: adding, removing: removing)
    }
    /// "Fold" of each group, by closures that all take the key as well. See `fold(by:_:adding:removing:)` of rows for
    /// the rest.
    @inlinable public func fold<Key, Row, Group, Result: Equatable & Sendable>(
        by group: @escaping @Sendable (Key, Row) -> Group, _ initial: Result,
        adding: @escaping @Sendable (inout Result, Key, Row) -> Void,
        removing: @escaping @Sendable (inout Result, Key, Row) -> Void
    ) -> Node<Table<Group, Result>> where Value == Table<Key, Row> {
        remembering("Fold", FoldedGroups(Parts(group), Folds(initial: initial, adding: adding, removing: removing)))
    }
}

/// A result for each group of a table's rows.
@usableFromInline
struct FoldedGroups<
    Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Group: Hashable & Comparable & Sendable,
    Result: Equatable & Sendable
>: Incremental {
    @usableFromInline var groups: Parts<Key, Row, Group>
    @usableFromInline var folds: Folds<Key, Row, Group, Result>

    @inlinable init(_ groups: Parts<Key, Row, Group>, _ folds: Folds<Key, Row, Group, Result>) {
        self.groups = groups
        self.folds = folds
    }

    @inlinable var output: Table<Group, Result> { folds.results }

    @inlinable mutating func update(to new: Table<Key, Row>) -> Bool {
        let old = folds.results
        let hasChanged = groups.update(to: new, changing: &folds) { folds, key, old, new in
            if let old { folds.remove(key, old.row, from: old.part, unlessItIs: new?.part) }
            if let new { folds.add(key, new.row, to: new.part, unlessItIs: old?.part) }
        }
        return hasChanged && folds.results != old
    }
}

/// The result and the number of rows of each group.
@usableFromInline
struct Folds<Key: Sendable, Row: Sendable, Group: Hashable & Comparable & Sendable, Result: Equatable & Sendable>:
    Sendable
{
    @usableFromInline let initial: Result
    @usableFromInline let adding: @Sendable (inout Result, Key, Row) -> Void
    @usableFromInline let removing: @Sendable (inout Result, Key, Row) -> Void
    @usableFromInline var results = Table<Group, Result>()
    @usableFromInline var counts: [Group: Int] = [:]

    @inlinable init(
        initial: Result, adding: @escaping @Sendable (inout Result, Key, Row) -> Void,
        removing: @escaping @Sendable (inout Result, Key, Row) -> Void
    ) {
        self.initial = initial
        self.adding = adding
        self.removing = removing
    }

    /// Removes a row. Its group goes with its last row, unless the row stays in it.
    @inlinable mutating func remove(_ key: Key, _ row: Row, from group: Group, unlessItIs next: Group?) {
        results.update(group) { [removing] in removing(&$0, key, row) }
        guard group != next else { return }
        let left = counts[group, default: 0] - 1
        counts[group] = left == 0 ? nil : left
        if left == 0 { results[group] = nil }
    }
    /// Adds a row, and counts it unless it was in the same group before.
    @inlinable mutating func add(_ key: Key, _ row: Row, to group: Group, unlessItIs last: Group?) {
        if group != last { counts[group, default: 0] += 1 }
        if results.update(group, { [adding] in adding(&$0, key, row) }) != nil { return }
        var result = initial
        adding(&result, key, row)
        results[group] = result
    }
}
