import ReactCore

extension ListenContext {
    /// Calls `body` with the table and the changes since its last call. The first call has every row as inserted.
    @discardableResult
    public func withChanges<Key, Row>(
        _ body: @escaping @Sendable (Table<Key, Row>, TableChanges<Key, Row>) -> Void
    ) -> any Cancelable where Value == Table<Key, Row> {
        let last = LastTable<Key, Row>()
        return attach { raw in
            let table = Delivery<Table<Key, Row>, Never>(raw).value
            body(table, last.changes(to: table))
            return .nothing
        }
    }
}

/// The table that a listener was called with last.
final class LastTable<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Sendable {
    private let table = Lock(Table<Key, Row>())

    /// Returns the changes since the last table, and remembers `new`.
    func changes(to new: Table<Key, Row>) -> TableChanges<Key, Row> {
        let old = table.withLock { table in
            let old = table
            table = new
            return old
        }
        return new.changes(from: old)
    }
}
