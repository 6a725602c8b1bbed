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
    @inlinable @discardableResult
    public func withChanges<Key, Row>(
        _ body: @escaping @Sendable (Table<Key, Row>, TableChanges<Key, Row>) -> Void
    ) -> any Cancelable where Value == Table<Key, Row> {
        attachChanges(body)
    }
    /// Calls `body` with each sorted table and the changes since the last call.
    ///
    /// Use it for a list on screen whose rows move. See ``SortedTableChanges`` for the order in which the changes are
    /// applied, and `withChanges` of a table for the rest.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "pear": 4]), screen = Lifetime()
    ///     prices.sorted { $0 }.listened(by: screen).withChanges { _, changes in
    ///         for move in changes.moved { print(move.key, move.from, move.to) }
    ///     }
    ///     prices.update { $0["apple"] = 5 }       // apple 0 1
    ///
    /// - Parameter body: Called with the present table before this method returns, and with each later table. It is
    ///   held until the listening ends.
    /// - Returns: An object that ends the listening on `cancel()`. Dropping it ends nothing.
    /// - Complexity: O(d · log n) for d changed rows, and O(n · log n) for a new order.
    @inlinable @discardableResult
    public func withChanges<Key, Row>(
        _ body: @escaping @Sendable (SortedTable<Key, Row>, SortedTableChanges<Key, Row>) -> Void
    ) -> any Cancelable where Value == SortedTable<Key, Row> {
        attachChanges(body)
    }
    @inlinable func attachChanges(
        _ body: @escaping @Sendable (Value, Value.Changes) -> Void
    ) -> any Cancelable where Value: Versioned {
        let last = LastVersion<Value>()
        return attach { raw in
            let version = EdgeCall<Value, Never>(raw).value
            body(version, last.changes(to: version))
            return .nothing
        }
    }
}

/// The version that a listener was called with last.
@usableFromInline final class LastVersion<Version: Versioned>: Sendable {
    private let version = Lock(Version())

    @usableFromInline init() {}

    /// Returns the changes since the last version, and remembers `new`. Inlined, because the comparison is to be
    /// compiled for the types of keys and rows: that takes a quarter of the time.
    @inlinable func changes(to new: Version) -> Version.Changes { new.changes(from: exchange(for: new)) }
    @usableFromInline func exchange(for new: Version) -> Version { version.withLock { Swift.exchange(&$0, with: new) } }
}
