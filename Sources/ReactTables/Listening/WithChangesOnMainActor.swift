import ReactCore

extension ListenContext {
    /// Calls `body` on the main actor with the newest table and the changes since the last call.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3]), screen = Lifetime()
    ///     prices.listened(by: screen).withChangesOnMainActor { table, changes in
    ///         print(table.count, changes.inserted.map(\.rank))
    ///     }                                       // 1 [0]
    ///     prices.update { $0["pear"] = 4 }        // 2 [1]
    ///
    /// A table that is set on the main actor is heard before the set returns, together with tables that still wait.
    /// Other tables are heard as soon as the main actor is free, as with `withOnMainActor`. Several tables that come
    /// meanwhile lead to one call: its changes lead from the table of the last call to the newest table.
    ///
    /// A table that `body` sets itself is heard after `body` returns. Nothing is heard after the listening is
    /// cancelled, or after the listener has gone.
    ///
    /// - Parameter body: Called with the newest table. It is held until the listening ends.
    /// - Returns: An object that ends the listening on `cancel()`. Dropping it ends nothing.
    /// - Complexity: A piece of work on the main actor for each table, and O(d · log n) there for d changed rows.
    @discardableResult
    public func withChangesOnMainActor<Key, Row>(
        _ body: @escaping @MainActor (Table<Key, Row>, TableChanges<Key, Row>) -> Void
    ) -> any Cancelable where Value == Table<Key, Row> {
        hearChanges(body)
    }
    /// Calls `body` on the main actor with the newest sorted table and the changes since the last call.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "pear": 4]), screen = Lifetime()
    ///     prices.sorted { $0 }.listened(by: screen).withChangesOnMainActor { table, changes in
    ///         print(table.map(\.key), changes.moved.map(\.key))
    ///     }                                       // ["apple", "pear"] []
    ///     prices.update { $0["apple"] = 5 }       // ["pear", "apple"] ["apple"]
    ///
    /// See ``SortedTableChanges`` for the order in which the changes are applied, and `withChangesOnMainActor` of a
    /// table for the rest.
    ///
    /// - Parameter body: Called with the newest table. It is held until the listening ends.
    /// - Returns: An object that ends the listening on `cancel()`. Dropping it ends nothing.
    /// - Complexity: A piece of work on the main actor for each table. There, O(d · log n) for d changed rows, and
    ///   O(n · log n) for a new order.
    @discardableResult
    public func withChangesOnMainActor<Key, Row>(
        _ body: @escaping @MainActor @Sendable (SortedTable<Key, Row>, SortedTableChanges<Key, Row>) -> Void
    ) -> any Cancelable where Value == SortedTable<Key, Row> {
        hearChanges(body)
    }
    private func hearChanges(
        _ body: @escaping @MainActor (Value, Value.Changes) -> Void
    ) -> any Cancelable where Value: Versioned {
        let last = LastVersion<Value>()
        return with(
            edge: MainActorListenEdge(.newest) { version, _, _ in
                if let version { body(version, last.changes(to: version)) }
            })
    }
}
