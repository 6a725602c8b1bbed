import ReactCore

extension ListenContext {
    /// Calls `body` with each table and the changes since the last call.
    ///
    /// Use it for a list on screen. Apply `removed` by falling rank, then `inserted` by rising rank, then `updated`.
    /// The first call has every row as inserted.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "pear": 4]), screen = Lifetime()
    ///     prices.listened(by: screen).withChanges { table, changes in
    ///         print(changes.removed.map(\.key), changes.inserted.map(\.key), changes.updated.map(\.key))
    ///     }                                       // [] ["apple", "pear"] []
    ///     prices.update {
    ///         $0["apple"] = nil
    ///         $0["fig"] = 1
    ///         $0["pear"] = 5
    ///     }                                       // ["apple"] ["fig"] ["pear"]
    ///
    /// As with `with(_:)`, calls are made for every table, one at a time and in order, on the thread that sets it. A
    /// table that equals the last one has no changes. A table that `body` sets itself is heard after `body` returns.
    ///
    /// - Parameter body: Called with the present table before this method returns, and with each later table. It is
    ///   held until the listening ends.
    /// - Returns: An object that ends the listening on `cancel()`. Dropping it ends nothing.
    /// - Complexity: O(d · log n) for d changed rows. The last table is remembered, and shares its parts with the new
    ///   one.
    @discardableResult
    public func withChanges<Key, Row>(
        _ body: @escaping @Sendable (Table<Key, Row>, TableChanges<Key, Row>) -> Void
    ) -> any Cancelable where Value == Table<Key, Row> {
        let last = LastTable<Key, Row>()
        return attach { raw in
            let table = EdgeCall<Table<Key, Row>, Never>(raw).value
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
