import ReactCore

extension Node {
    /// "MapRows": makes a table of the results of `transform`, under the keys of the rows.
    ///
    /// Equal results are not passed on, unless they are the first.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "pear": 4])
    ///     let labels = prices.mapRows { "\($0) €" }
    ///     prices.update { $0["pear"] = 5 }
    ///     print(labels.current)    // 2 rows: [apple: 3 €, pear: 5 €]
    ///
    /// **Memory.** Remembers its last input and output until the edge is cut or re-pointed. Then it starts over with
    /// every row.
    ///
    /// - Parameter transform: Called once for each row that came or changed, in the order of the keys, on the thread
    ///   that sets the table, with no lock held.
    /// - Returns: A new node with the results.
    /// - Complexity: O(d · log n) for d changed rows. The first table costs O(n).
    @inlinable public func mapRows<Key, Row, Output>(
        _ transform: @escaping @Sendable (Row) -> Output
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        mapRows { transform($1) }
    }
    /// "MapRows" by a closure that takes the key as well. See `mapRows` of a row for the rest.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "pear": 4])
    ///     print(prices.mapRows { "\($0): \($1) €" }.current.rows.joined(separator: ", "))     // apple: 3 €, pear: 4 €
    @inlinable public func mapRows<Key, Row, Output>(
        _ transform: @escaping @Sendable (Key, Row) -> Output
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        remembering("MapRows", MappedRows { .some(transform($0, $1)) })
    }
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
        remembering("MapRows", MappedRows(areEqual: areEqual) { .some(transform($0, $1)) })
    }
    /// "CompactMapRows": makes a table of the results of `transform` that are not `nil`, under the keys of the rows.
    ///
    /// A row has no place in the result while `transform` returns `nil` for it. See `mapRows` for the rest.
    ///
    ///     let inputs = MutableNode<Table<Int, String>>([1: "12", 2: "x", 3: "7"])
    ///     let numbers = inputs.compactMapRows { Int($0) }
    ///     print(numbers.current)       // 2 rows: [1: 12, 3: 7]
    ///
    /// - Parameter transform: Called once for each row that came or changed, in the order of the keys.
    /// - Returns: A new node with the results.
    /// - Complexity: O(d · log n) for d changed rows. The first table costs O(n).
    @inlinable public func compactMapRows<Key, Row, Output>(
        _ transform: @escaping @Sendable (Row) -> Output?
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        compactMapRows { transform($1) }
    }
    /// "CompactMapRows" by a closure that takes the key as well. See `compactMapRows` of a row for the rest.
    @inlinable public func compactMapRows<Key, Row, Output>(
        _ transform: @escaping @Sendable (Key, Row) -> Output?
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        remembering("CompactMapRows", MappedRows(transform))
    }
}

/// The results of a closure for each row of a table, without the `nil`s. With a cutoff, a result stays until another
/// one differs enough.
@usableFromInline
struct MappedRows<
    Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Mapped: Equatable & Sendable
>: Incremental {
    @usableFromInline let areEqual: (@Sendable (Mapped, Mapped) -> Bool)?
    @usableFromInline let transform: @Sendable (Key, Row) -> Mapped?
    @usableFromInline var input = Table<Key, Row>()
    @usableFromInline var output = Table<Key, Mapped>()

    @inlinable init(
        areEqual: (@Sendable (Mapped, Mapped) -> Bool)? = nil,
        _ transform: @escaping @Sendable (Key, Row) -> Mapped?
    ) {
        (self.areEqual, self.transform) = (areEqual, transform)
    }

    @inlinable mutating func update(to new: Table<Key, Row>, _ calls: inout Int) -> Bool {
        let old = input
        input = new
        guard !old.isEmpty else {
            calls += new.count
            output = new.compactMapped(transform)
            return !output.isEmpty
        }
        var hasChanged = false
        for (key, _, row, _) in new.differences(from: old) {
            if row != nil { calls += 1 }
            let mapped = row.flatMap { transform(key, $0) }
            if let areEqual, let mapped, let before = output[key], areEqual(before, mapped) { continue }
            if output.put(mapped, of: key) { hasChanged = true }
        }
        return hasChanged
    }
}
