import ReactCore

extension Node {
    /// "FilterRows": keeps the rows for which `isIncluded` returns true.
    ///
    /// A table whose rows stay the same behind the filter is not passed on, unless it is the first.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "melon": 9, "pear": 4])
    ///     let cheap = prices.filterRows { $0 < 5 }
    ///     prices.update { $0["melon"] = 2 }
    ///     print(cheap.current)     // 3 rows: [apple: 3, melon: 2, pear: 4]
    ///
    /// **Memory.** Remembers its last input and output until the edge is cut or re-pointed. Then it starts over, and
    /// asks for every row.
    ///
    /// - Parameter isIncluded: Called once for each row that came or changed, in the order of the keys, on the thread
    ///   that sets the table, with no lock held.
    /// - Returns: A new node with the rows that are kept.
    /// - Complexity: O(d · log n) for d changed rows. The first table costs O(n).
    @inlinable public func filterRows<Key, Row>(
        _ isIncluded: @escaping @Sendable (Row) -> Bool
    ) -> Node<Table<Key, Row>> where Value == Table<Key, Row> {
        filterRows { isIncluded($1) }
    }
    /// "FilterRows" by a closure that takes the key as well. See `filterRows` of a row for the rest.
    @inlinable public func filterRows<Key, Row>(
        _ isIncluded: @escaping @Sendable (Key, Row) -> Bool
    ) -> Node<Table<Key, Row>> where Value == Table<Key, Row> {
        remembering("FilterRows", MappedRows { isIncluded($0, $1) ? $1 : nil })
    }
}
