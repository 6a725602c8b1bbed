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
        fold(by: { group($1) }, initial, adding: { adding(&$0, $2) }, removing: { removing(&$0, $2) })
    }
    /// "Fold" of each group, by closures that take the key as well. See `fold(by:_:adding:removing:)` of rows for
    /// the rest.
    @inlinable public func fold<Key, Row, Group, Result: Equatable & Sendable>(
        by group: @escaping @Sendable (Key, Row) -> Group, _ initial: Result,
        adding: @escaping @Sendable (inout Result, Key, Row) -> Void,
        removing: @escaping @Sendable (inout Result, Key, Row) -> Void
    ) -> Node<Table<Group, Result>> where Value == Table<Key, Row> {
        remembering("Fold", FoldedGroups(Parts(group), initial, adding, removing))
    }
}

/// A result for each group of a table's rows.
@usableFromInline
struct FoldedGroups<
    Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Group: Hashable & Comparable & Sendable,
    Result: Equatable & Sendable
>: Incremental {
    @usableFromInline typealias Change = @Sendable (inout Result, Key, Row) -> Void
    @usableFromInline var groups: Parts<Key, Row, Group>
    @usableFromInline let initial: Result
    @usableFromInline let (adding, removing): (Change, Change)
    @usableFromInline var output = Table<Group, Result>()
    /// The number of rows of each group.
    @usableFromInline var counts = Table<Group, Int>()

    @inlinable init(
        _ groups: Parts<Key, Row, Group>, _ initial: Result, _ adding: @escaping Change, _ removing: @escaping Change
    ) {
        self.groups = groups
        self.initial = initial
        (self.adding, self.removing) = (adding, removing)
    }

    @inlinable mutating func update(to new: Table<Key, Row>, _ calls: inout Int) -> Bool {
        let before = output, (adding, removing) = (adding, removing)
        for (key, old, new) in groups.update(to: new, &calls) {
            let stays = if let old, let new { isOneKey(old.part, new.part) } else { false }
            if let old {
                calls += 1
                output.update(old.part) { removing(&$0, key, old.row) }
                if !stays { count(-1, old.part) }
            }
            guard let new else { continue }
            calls += 1
            if !stays { count(1, new.part) }
            if output.update(new.part, { adding(&$0, key, new.row) }) == nil {
                var result = initial
                adding(&result, key, new.row)
                output[new.part] = result
            }
        }
        return output != before
    }
    /// Counts a row that came or went. A group goes with its last row.
    @inlinable mutating func count(_ change: Int, _ group: Group) {
        let count = counts[group, default: 0] + change
        counts[group] = count == 0 ? nil : count
        if count == 0 { output[group] = nil }
    }
}
