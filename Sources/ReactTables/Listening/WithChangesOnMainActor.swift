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
        with(edge: ChangesOnMainActorEdge(body))
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
        with(edge: ChangesOnMainActorEdge(body))
    }
}

/// A listen edge that tells the main actor of the newest version only, if several have come meanwhile.
///
/// - A version is put into `waiting` before a piece of work is sent to the main actor. Each version is therefore told,
///   unless a newer one is.
/// - Calls do not nest. A version that comes during a call, on the main actor, is told after it.
///
/// Unchecked, as `AnyEdge` is, because its fields are in locks, or belong to the main actor.
private final class ChangesOnMainActorEdge<Version: Versioned>: ListenEdge<Version>, @unchecked Sendable {
    private typealias Waiting = (version: Version, connection: Connection)
    private let waiting = Lock<Waiting?>(nil)
    private let last = LastVersion<Version>()
    private let tell: @MainActor (Version, Version.Changes) -> Void
    @MainActor private var isTelling = false

    init(_ tell: @escaping @MainActor (Version, Version.Changes) -> Void) {
        self.tell = tell
        super.init()
    }

    override func next(_ value: Version, from senders: SenderList, context: NodeContext?) {
        let connection = connectionOfCall
        var other: Waiting? = (value, connection)  // released after the lock
        let isWanted = waiting.withLock { waiting in
            // A call of an earlier connection may come late.
            guard connection == self.connection else { return false }
            swap(&waiting, &other)
            return true
        }
        guard isWanted else { return }
        MainActor.runNowOrSoon { [weak self] in self?.tellOfNewest() }
    }
    @MainActor private func tellOfNewest() {
        guard !isTelling else { return }
        isTelling = true
        while let next = waiting.withLock({ $0.take() }) {
            // The listening may have ended meanwhile.
            guard mayHear(whatCameBy: next.connection) else { continue }
            tell(next.version, last.changes(to: next.version))
        }
        isTelling = false
    }
}
