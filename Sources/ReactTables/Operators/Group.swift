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
        remembering("Group", GroupedRows(Parts { group($1) }))
    }
    /// "Group" by a closure that takes the key as well. See `grouped(by:)` of rows for the rest.
    @inlinable public func grouped<Key, Row, Group>(
        by group: @escaping @Sendable (Key, Row) -> Group
    ) -> Node<Table<Group, Table<Key, Row>>> where Value == Table<Key, Row> {
        remembering("Group", GroupedRows(Parts(group)))
    }
}

/// The rows of a table, in a table for each group.
@usableFromInline
struct GroupedRows<
    Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Group: Hashable & Comparable & Sendable
>: Incremental {
    @usableFromInline var groups: Parts<Key, Row, Group>
    @usableFromInline var output = Table<Group, Table<Key, Row>>()

    @inlinable init(_ groups: Parts<Key, Row, Group>) { self.groups = groups }

    @inlinable mutating func update(to new: Table<Key, Row>) -> Bool {
        groups.update(to: new, changing: &output) { output, key, old, new in
            if let old, old.part != new?.part { output.setRow(nil, of: key, in: old.part) }
            if let new { output.setRow(new.row, of: key, in: new.part) }
        }
    }
}

extension Table {
    /// Sets or removes a row of an inner table. An inner table without rows is removed.
    @inlinable mutating func setRow<InnerKey, InnerRow>(_ row: InnerRow?, of innerKey: InnerKey, in key: Key)
    where Row == Table<InnerKey, InnerRow> {
        let isEmpty = update(key) {
            $0[innerKey] = row
            return $0.isEmpty
        }
        switch isEmpty {
        case .some(true): self[key] = nil
        case .some(false): break
        case .none: if let row { self[key] = [innerKey: row] }
        }
    }
}
