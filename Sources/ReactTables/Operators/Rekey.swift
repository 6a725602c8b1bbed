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

    @inlinable mutating func update(to new: Table<Key, Row>) -> Bool {
        var state = (rows: rows, changed: [NewKey]())
        rows = Table()
        _ = keys.update(to: new, changing: &state) { state, key, old, new in
            if let old {
                state.changed.append(old.part)
                if old.part != new?.part { state.rows.setRow(nil, of: key, in: old.part) }
            }
            if let new {
                if old?.part != new.part { state.changed.append(new.part) }
                state.rows.setRow(new.row, of: key, in: new.part)
            }
        }
        rows = state.rows
        var hasChanged = false
        for key in state.changed {
            let row = rows[key]?.last?.row
            guard row != output[key] else { continue }
            output[key] = row
            hasChanged = true
        }
        return hasChanged
    }
}
