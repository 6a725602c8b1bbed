import ReactCore

extension Node {
    /// "MapRows" with a cutoff of your own: a result stays as it is while `areEqual(old, new)` is true.
    ///
    ///     let prices = MutableNode<Table<String, Double>>(["apple": 3.0, "pear": 4.0]), screen = Lifetime()
    ///     let shown = prices.mapRows(areEqual: { abs($0 - $1) < 0.5 }) { $0 * 2 }
    ///     shown.listened(by: screen).with { print($0) }       // 2 rows: [apple: 6.0, pear: 8.0]
    ///     prices.update { $0["pear"] = 4.1 }
    ///     prices.update { $0["pear"] = 4.3 }                  // 2 rows: [apple: 6.0, pear: 8.6]
    ///
    /// See `mapRows` of a row for the rest.
    ///
    /// - Parameters:
    ///   - areEqual: Called with the result that the table has and a new one, on the thread that sets the table, with
    ///     no lock held.
    ///   - transform: Called once for each row that came or changed, in the order of the keys.
    /// - Returns: A new node with the results.
    /// - Complexity: O(d · log n) for d changed rows. The first table costs O(n).
    @inlinable public func mapRows<Key, Row, Output>(
        areEqual: @escaping @Sendable (Output, Output) -> Bool, _ transform: @escaping @Sendable (Row) -> Output
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        mapRows(areEqual: areEqual) { transform($1) }
    }
    /// "MapRows" with a cutoff of your own, by a closure that takes the key as well. See `mapRows(areEqual:_:)` of a
    /// row for the rest.
    @inlinable public func mapRows<Key, Row, Output>(
        areEqual: @escaping @Sendable (Output, Output) -> Bool, _ transform: @escaping @Sendable (Key, Row) -> Output
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        remembering("MapRows", MappedRowsByCutoff(areEqual, transform))
    }
}

/// The results of a closure for each row of a table. A result is replaced if it differs enough.
@usableFromInline
struct MappedRowsByCutoff<
    Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Mapped: Equatable & Sendable
>: Incremental {
    @usableFromInline let areEqual: @Sendable (Mapped, Mapped) -> Bool
    @usableFromInline let transform: @Sendable (Key, Row) -> Mapped
    @usableFromInline var input = Table<Key, Row>()
    @usableFromInline var output = Table<Key, Mapped>()

    @inlinable init(
        _ areEqual: @escaping @Sendable (Mapped, Mapped) -> Bool, _ transform: @escaping @Sendable (Key, Row) -> Mapped
    ) {
        (self.areEqual, self.transform) = (areEqual, transform)
    }

    @inlinable mutating func update(to new: Table<Key, Row>, _ calls: inout Int) -> Bool {
        let old = input
        input = new
        var hasChanged = false
        for (key, _, row, _) in new.differences(from: old) {
            if row != nil { calls += 1 }
            let mapped = row.map { transform(key, $0) }
            if let mapped, let before = output[key], areEqual(before, mapped) { continue }
            if output.put(mapped, of: key) { hasChanged = true }
        }
        return hasChanged
    }
}
