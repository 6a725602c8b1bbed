import ReactCore

extension Node {
    /// "Restrict": keeps the rows whose keys are in the newest range.
    ///
    /// If table and range change in one transaction, one new table follows. The result is empty until both nodes have a
    /// value. A table whose rows stay the same is not passed on, unless it is the first.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "melon": 9, "pear": 4])
    ///     let range = MutableNode("a"..<"n")
    ///     let shown = prices.restricted(to: range)
    ///     range.value = "b"..<"z"
    ///     print(shown.current)     // 2 rows: [melon: 9, pear: 4]
    ///
    /// **Memory.** Remembers its last input and output. It starts over when an edge to it is re-pointed. One node lies
    /// between, which holds the table and the range.
    ///
    /// - Parameter keys: The present range.
    /// - Returns: A new node with the rows in the range.
    /// - Complexity: O(d · log n) for d changed rows, and O(c · log n) for a new range, if c rows come or go.
    @inlinable public func restricted<Key, Row>(
        to keys: Node<Range<Key>>
    ) -> Node<Table<Key, Row>> where Value == Table<Key, Row> {
        Node<Table<Key, Row>>.remembering("Restrict", self, keys, RestrictedRows())
    }
}

/// The rows of a table whose keys are in a range.
@usableFromInline struct RestrictedRows<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Incremental {
    @usableFromInline var input = Table<Key, Row>()
    @usableFromInline var range: Range<Key>?
    @usableFromInline var output = Table<Key, Row>()

    @inlinable init() {}

    @inlinable static var hasClosures: Bool { false }
    @inlinable mutating func update(to new: Paired<Table<Key, Row>, Range<Key>>, _: inout Int) -> Bool {
        let old = (table: input, range: range)
        (input, range) = (new.first, new.second)
        guard let oldRange = old.range else {
            output = Table(new.first[keys: new.second])
            return !output.isEmpty
        }
        let before = output
        if new.second != oldRange { move(old.table, from: oldRange, to: new.second) }
        for (key, _, row, _) in new.first.differences(from: old.table) where new.second.contains(key) {
            output[key] = row
        }
        return output != before
    }
    /// Replaces the rows of one range by those of another, both of the old table.
    @inlinable mutating func move(_ table: Table<Key, Row>, from old: Range<Key>, to new: Range<Key>) {
        guard old.overlaps(new) else { return output = Table(table[keys: new]) }
        // The ends may move either way: rows go between an old end and a later one, and come in the other case.
        func replace(_ range: Range<Key>, isNew: Bool) {
            for (key, row) in table[keys: range] { output[key] = isNew ? row : nil }
        }
        let (lower, upper) = (old.lowerBound, old.upperBound)
        if lower < new.lowerBound { replace(lower..<new.lowerBound, isNew: false) }
        if new.lowerBound < lower { replace(new.lowerBound..<lower, isNew: true) }
        if new.upperBound < upper { replace(new.upperBound..<upper, isNew: false) }
        if upper < new.upperBound { replace(upper..<new.upperBound, isNew: true) }
    }
}
