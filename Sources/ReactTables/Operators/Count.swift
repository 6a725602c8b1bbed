import ReactCore

extension Node {
    /// "Count": counts the rows for which `isCounted` returns true.
    ///
    /// A count that stays equal is not passed on, unless it is the first.
    ///
    ///     let tasks = MutableNode<Table<String, Bool>>(["post": true, "bake": false])
    ///     let done = tasks.count { $0 }
    ///     tasks.update { $0["bake"] = true }
    ///     print(done.current)      // 2
    ///
    /// **Memory.** Remembers its last input until the edge is cut or re-pointed. The input shares its parts with the
    /// table in the node. Nothing is kept for each row.
    ///
    /// - Parameter isCounted: Called once for each row that came or went, and twice for each row that changed: with the
    ///   old row and the new one. It is called in the order of the keys, on the thread that sets the table, with no
    ///   lock held. It must return equal results for equal rows, because the result for an old row is not kept.
    /// - Returns: A new node with the number of rows.
    /// - Complexity: O(d · log n) for d changed rows. The first table costs O(n).
    @inlinable public func count<Key, Row>(
        where isCounted: @escaping @Sendable (Row) -> Bool
    ) -> Node<Int> where Value == Table<Key, Row> {
        count { isCounted($1) }
    }
    /// "Count" by a closure that takes the key as well. See `count(where:)` of rows for the rest.
    @inlinable public func count<Key, Row>(
        where isCounted: @escaping @Sendable (Key, Row) -> Bool
    ) -> Node<Int> where Value == Table<Key, Row> {
        remembering("Count", SummedRows({ isCounted($0, $1) ? 1 : 0 }, PlainSteps<Int>()))
    }
}
