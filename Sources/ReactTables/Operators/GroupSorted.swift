import ReactCore

extension Node {
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
    ) -> Node<Table<Group, SortedTable<Key, Row>>>
    where Value == Table<Key, Row>, Group: Hashable & Comparable & Sendable {
        grouped(by: { group($1) }, sortedBy: order)
    }
    /// "GroupSorted" by a closure that takes the key as well. See `grouped(by:sortedBy:)` for the rest.
    @inlinable public func grouped<Key, Row, Group>(
        by group: @escaping @Sendable (Key, Row) -> Group, sortedBy order: RowOrder<Row>
    ) -> Node<Table<Group, SortedTable<Key, Row>>>
    where Value == Table<Key, Row>, Group: Hashable & Comparable & Sendable {
        remembering(
            "GroupSorted",
            GroupedRows(Parts(group), callsOfSet: order.levels.count) { rows, key, row in
                if let row { rows.set(row, at: order.parts(of: row), of: key) } else { rows.remove(key) }
            })
    }
}
