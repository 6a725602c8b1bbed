import ReactCore

extension Node {
    /// "Row": shows the row of one key, and `nil` if there is none.
    ///
    /// The row is passed on only when it changes.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3])
    ///     let apple = prices.row("apple"), lifetime = Lifetime()
    ///     apple.listened(by: lifetime).with { print($0.map(String.init) ?? "sold out") }      // 3
    ///     prices.update { $0["pear"] = 4 }
    ///     prices.update { $0["apple"] = nil }                                                 // sold out
    ///
    /// - Complexity: O(log n) for each table. Each such node costs an edge, which every table passes. To have a node
    ///   for all rows, use `eachRow`, which sets only the nodes of rows that have changed.
    @inlinable public func row<Key, Row>(_ key: Key) -> Node<Row?> where Value == Table<Key, Row> {
        remembering("Row", Newest(nil) { $0[key] })
    }
}
