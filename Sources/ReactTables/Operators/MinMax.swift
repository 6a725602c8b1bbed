import ReactCore

extension Node {
    /// "Min": finds the smallest part of any row, and `nil` for an empty table.
    ///
    /// A part that does not equal itself, as NaN, counts only if there is no other. A result that stays equal is not
    /// passed on, unless it is the first.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "melon": 9])
    ///     let cheapest = prices.min { $0 }
    ///     prices.update { $0["apple"] = nil }
    ///     print(cheapest.value!!)      // 9
    ///
    /// **Memory.** Remembers its last input and all rows in the order of their parts, as `sorted` does, until the edge
    /// is cut or re-pointed.
    ///
    /// - Parameter part: Called once for each row that came or changed, in the order of the keys, on the thread that
    ///   sets the table, with no lock held.
    /// - Returns: A new node with the part.
    /// - Complexity: O(d · log n) for d changed rows. The first table costs O(n · log n).
    @inlinable public func min<Key, Row, Part: Comparable & Sendable>(
        of part: @escaping @Sendable (Row) -> Part
    ) -> Node<Part?> where Value == Table<Key, Row> {
        min { part($1) }
    }
    /// "Min" by a closure that takes the key as well. See `min(of:)` of rows for the rest.
    @inlinable public func min<Key, Row, Part: Comparable & Sendable>(
        of part: @escaping @Sendable (Key, Row) -> Part
    ) -> Node<Part?> where Value == Table<Key, Row> {
        remembering("Min", ExtremePart(part, isDescending: false))
    }
    /// "Max": finds the greatest part of any row, and `nil` for an empty table.
    ///
    /// A part that does not equal itself, as NaN, counts only if there is no other. See `min` for the rest.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "melon": 9])
    ///     print(prices.max { $0 }.value!!)     // 9
    ///
    /// - Parameter part: Called once for each row that came or changed.
    /// - Returns: A new node with the part.
    /// - Complexity: O(d · log n) for d changed rows. The first table costs O(n · log n).
    @inlinable public func max<Key, Row, Part: Comparable & Sendable>(
        of part: @escaping @Sendable (Row) -> Part
    ) -> Node<Part?> where Value == Table<Key, Row> {
        max { part($1) }
    }
    /// "Max" by a closure that takes the key as well. See `max(of:)` of rows for the rest.
    @inlinable public func max<Key, Row, Part: Comparable & Sendable>(
        of part: @escaping @Sendable (Key, Row) -> Part
    ) -> Node<Part?> where Value == Table<Key, Row> {
        remembering("Max", ExtremePart(part, isDescending: true))
    }
}

/// The first part in order of any row of a table.
@usableFromInline
struct ExtremePart<
    Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Part: Comparable & Sendable
>: Incremental {
    @usableFromInline var rows: SortedRows<Key, Row>
    @usableFromInline var output: Part?

    @inlinable init(_ part: @escaping @Sendable (Key, Row) -> Part, isDescending: Bool) {
        rows = SortedRows(by: part, descending: isDescending)
    }

    @inlinable static var wanted: StaticString { "only a part that differs from the last one" }

    @inlinable mutating func update(to new: Table<Key, Row>, _ calls: inout Int) -> Bool {
        guard rows.update(to: new, &calls) else { return false }
        // All parts have this type, because `part` has made them. Checked in debug builds.
        let first = rows.output.order.first.map { unsafeDowncast($0.key.parts, to: PartOfRow<Part>.self).part }
        defer { output = first }
        return output != first
    }
}
