import ReactCore

extension Node {
    /// "Group": makes a table of tables, one for each group of rows.
    ///
    /// A row that changes its group moves. A group goes with its last row. If one number for each group is enough,
    /// `fold(by:_:adding:removing:)` costs less.
    ///
    ///     let cities = MutableNode<Table<String, String>>(["Ada": "London", "Ole": "Oslo", "Una": "Oslo"])
    ///     let people = cities.grouped { $0 }
    ///     cities.update { $0["Una"] = "London" }
    ///     print(people.value!["London"]!.keys.count)      // 2
    ///
    /// **Memory.** Remembers its last input, the group of each row, and its output, until the edge is cut or
    /// re-pointed.
    ///
    /// - Parameter group: Called once for each row that came or changed, in the order of the keys, on the thread that
    ///   sets the table, with no lock held.
    /// - Returns: A new node with the tables, under their groups.
    /// - Complexity: O(d · log n) for d changed rows.
    @inlinable public func grouped<Key, Row, Group>(
        by group: @escaping @Sendable (Row) -> Group
    ) -> Node<Table<Group, Table<Key, Row>>> where Value == Table<Key, Row> {
        grouped { group($1) }
    }
    /// "Group" by a closure that takes the key as well. See `grouped(by:)` of rows for the rest.
    @inlinable public func grouped<Key, Row, Group>(
        by group: @escaping @Sendable (Key, Row) -> Group
    ) -> Node<Table<Group, Table<Key, Row>>> where Value == Table<Key, Row> {
        remembering("Group", GroupedRows(Parts(group)) { $0[$1] = $2 })
    }
}

/// The rows of a table, in a table for each group, or a sorted one.
@usableFromInline
struct GroupedRows<Group: Hashable & Comparable & Sendable, Rows: Versioned>: Incremental {
    @usableFromInline typealias SetRow = @Sendable (inout Rows, Rows.Key, Rows.Row?) -> Void
    @usableFromInline var groups: Parts<Rows.Key, Rows.Row, Group>
    /// Sets or removes a row, and calls this number of closures to set one.
    @usableFromInline let (set, callsOfSet): (SetRow, Int)
    @usableFromInline var output = Table<Group, Rows>()

    @inlinable init(_ groups: Parts<Rows.Key, Rows.Row, Group>, callsOfSet: Int = 0, _ set: @escaping SetRow) {
        self.groups = groups
        (self.set, self.callsOfSet) = (set, callsOfSet)
    }

    @inlinable mutating func update(to new: Table<Rows.Key, Rows.Row>, _ calls: inout Int) -> Bool {
        let changes = groups.update(to: new, &calls), set = set
        for (key, old, new) in changes {
            if let old, old.part != new?.part { output.updateInner(old.part) { set(&$0, key, nil) } }
            guard let new else { continue }
            calls += callsOfSet
            output.updateInner(new.part) { set(&$0, key, new.row) }
        }
        return !changes.isEmpty
    }
}
