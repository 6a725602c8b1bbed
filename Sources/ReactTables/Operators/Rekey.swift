import ReactCore

extension Node {
    /// "Rekey": puts the rows under other keys.
    ///
    /// Of two rows with one new key, that with the greater old key stays. The other one comes back when that goes.
    /// Equal rows are not passed on, unless they are the first.
    ///
    ///     struct User: Equatable { var name: String }
    ///     let users = MutableNode<Table<Int, User>>([7: User(name: "ada"), 9: User(name: "ole")])
    ///     let byName = users.rekeyed { _, user in user.name }
    ///     users.update { $0[9]?.name = "ada" }
    ///     print(byName.current.keys.joined())      // ada
    ///     users.update { $0[9] = nil }
    ///     print(byName.current.count)              // 1
    ///
    /// **Memory.** Remembers its last input, the new key of each row, the rows of each new key, and its output, until
    /// the edge is cut or re-pointed.
    ///
    /// - Parameter key: Called once for each row that came or changed, in the order of the old keys, on the thread that
    ///   sets the table, with no lock held.
    /// - Returns: A new node with the rows under their new keys.
    /// - Complexity: O(d · log n) for d changed rows. The first table costs O(n · log n).
    @inlinable public func rekeyed<Key, Row, NewKey>(
        by key: @escaping @Sendable (Key, Row) -> NewKey
    ) -> Node<Table<NewKey, Row>> where Value == Table<Key, Row> {
        remembering("Rekey", RekeyedRows(Parts(key)))
    }
    /// "Rekey" by a closure that takes the row alone. See `rekeyed(by:)` of keys and rows for the rest.
    ///
    ///     let titles = MutableNode<Table<Int, String>>([7: "Dune", 9: "Emma"])
    ///     print(titles.rekeyed(by: \.count).current)      // 1 row: [4: Emma]
    @inlinable public func rekeyed<Key, Row, NewKey>(
        by key: @escaping @Sendable (Row) -> NewKey
    ) -> Node<Table<NewKey, Row>> where Value == Table<Key, Row> {
        rekeyed { key($1) }
    }
}

/// The rows of a table under other keys.
@usableFromInline
struct RekeyedRows<
    Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, NewKey: Hashable & Comparable & Sendable
>: Incremental {
    @usableFromInline var keys: Parts<Key, Row, NewKey>
    /// All rows of each new key.
    @usableFromInline var rows = Table<NewKey, Table<Key, Row>>()
    @usableFromInline var output = Table<NewKey, Row>()

    @inlinable init(_ keys: Parts<Key, Row, NewKey>) { self.keys = keys }

    @inlinable mutating func update(to new: Table<Key, Row>, _ calls: inout Int) -> Bool {
        let changes = keys.update(to: new, &calls)
        for (key, old, new) in changes {
            if let old, old.part != new?.part { rows.updateInner(old.part) { $0[key] = nil } }
            if let new { rows.updateInner(new.part) { $0[key] = new.row } }
        }
        var hasChanged = false
        for case let key? in changes.flatMap({ [$0.old?.part, $0.new?.part] }) {
            if output.put(rows[key]?.last?.row, of: key) { hasChanged = true }
        }
        return hasChanged
    }
}
