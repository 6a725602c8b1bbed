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
    /// "GroupSorted": makes one sorted table for each group of rows, for a list with sections.
    ///
    /// A row that changes its group is removed from one sorted table and inserted in the other, under its key. A group
    /// goes with its last row.
    ///
    ///     struct Task: Equatable { var title: String, list: String }
    ///     let tasks = MutableNode<Table<Int, Task>>([
    ///         1: Task(title: "Post", list: "home"), 2: Task(title: "Call", list: "work"), 3: Task(title: "Bake", list: "home"),
    ///     ])
    ///     let sections = tasks.grouped(by: \.list, sortedBy: RowOrder(\.title))
    ///     tasks.update { $0[2]?.list = "home" }
    ///     for (list, rows) in sections.current { print(list, rows.map(\.row.title)) }     // home ["Bake", "Call", "Post"]
    ///
    /// **Memory.** Remembers its last input, the group of each row, and its output, with the parts of each row, until
    /// the edge is cut or re-pointed.
    ///
    /// - Parameters:
    ///   - group: Called once for each row that came or changed, in the order of the keys, on the thread that sets the
    ///     table, with no lock held.
    ///   - order: The order of the rows in their groups. Each of its parts is called once for each row that came or
    ///     changed.
    /// - Returns: A new node with the sorted tables, under their groups.
    /// - Complexity: O(d · log n) for d changed rows. The first table costs O(n · log n).
    @inlinable public func grouped<Key, Row, Group>(
        by group: @escaping @Sendable (Row) -> Group, sortedBy order: RowOrder<Row>
    ) -> Node<Table<Group, SortedTable<Key, Row>>> where Value == Table<Key, Row> {
        grouped(by: { group($1) }, sortedBy: order)
    }
    /// "GroupSorted" by a closure that takes the key as well. See `grouped(by:sortedBy:)` for the rest.
    @inlinable public func grouped<Key, Row, Group>(
        by group: @escaping @Sendable (Key, Row) -> Group, sortedBy order: RowOrder<Row>
    ) -> Node<Table<Group, SortedTable<Key, Row>>> where Value == Table<Key, Row> {
        remembering(
            "GroupSorted",
            GroupedRows(Parts(group), callsOfSet: order.levels.count) { rows, key, row in
                if let row { rows.set(row, at: order.parts(of: row), of: key) } else { rows.remove(key) }
            })
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
