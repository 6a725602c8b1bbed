import ReactCore

extension Node {
    /// "Merge rows": combines the rows of two tables that have one key. One closure makes all joins on the keys.
    ///
    /// A key for which `combine` returns `nil` has no row. So `combine` decides which keys the result has:
    ///
    /// | join | `combine` |
    /// |---|---|
    /// | inner, "and" | returns `nil` unless both rows are there |
    /// | left, right | returns `nil` unless the row of that table is there |
    /// | full, "or" | never returns `nil` |
    /// | except | returns the first row if the second is missing |
    /// | xor | returns a row if just one is there |
    ///
    /// If both tables change in one transaction, one new table follows. The result is empty until both nodes have a
    /// value. A table of equal results is not passed on, unless it is the first.
    ///
    ///     let stock = MutableNode<Table<String, Int>>(["apple": 3, "fig": 5])
    ///     let sold = MutableNode<Table<String, Int>>(["apple": 1, "pear": 2])
    ///     let left = stock.merged(with: sold) { _, stock, sold in stock.map { $0 - (sold ?? 0) } }
    ///     print(left.current)          // 2 rows: [apple: 2, fig: 5]
    ///
    /// **Memory.** Remembers its last inputs and its output. It starts over when an edge to it is re-pointed. One node
    /// lies between, which holds both tables.
    ///
    /// - Parameters:
    ///   - other: The other table.
    ///   - combine: Called once for each key whose row came, went or changed in either table, and which is in one of
    ///     them still. It is called in the order of the keys, on the thread that sets either table, with no lock held.
    /// - Returns: A new node with the results, under the keys of both.
    /// - Complexity: O(d · log n) for d changed rows. The first tables cost O(n).
    @inlinable public func merged<Key, Row, OtherRow, Output>(
        with other: Node<Table<Key, OtherRow>>,
        _ combine: @escaping @Sendable (Key, Row?, OtherRow?) -> Output?
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        Node<Table<Key, Output>>.remembering("Merge rows", self, other, MergedRows(combine))
    }
}

/// The rows of two tables, combined under their keys.
@usableFromInline
struct MergedRows<
    Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, OtherRow: Equatable & Sendable,
    Output: Equatable & Sendable
>: Incremental {
    @usableFromInline let combine: @Sendable (Key, Row?, OtherRow?) -> Output?
    @usableFromInline var first = Table<Key, Row>()
    @usableFromInline var second = Table<Key, OtherRow>()
    @usableFromInline var output = Table<Key, Output>()

    @inlinable init(_ combine: @escaping @Sendable (Key, Row?, OtherRow?) -> Output?) { self.combine = combine }

    @inlinable mutating func update(
        to input: Paired<Table<Key, Row>, Table<Key, OtherRow>>, _ calls: inout Int
    ) -> Bool {
        let rows = input.first.differences(from: first), others = input.second.differences(from: second)
        let isFirst = first.isEmpty && second.isEmpty
        (first, second) = (input.first, input.second)
        var made = ContiguousArray<Entries<Key, Output>.Entry>()
        var hasChanged = false
        var (place, otherPlace) = (0, 0)
        while place < rows.count || otherPlace < others.count {
            var (isRow, isOther) = (place < rows.count, otherPlace < others.count)
            if isRow, isOther { (isRow, isOther) = next(of: rows[place].key, others[otherPlace].key) }
            let key = isRow ? rows[place].key : others[otherPlace].key
            let row = isRow ? rows[place].new : isFirst ? nil : first[key]
            let other = isOther ? others[otherPlace].new : isFirst ? nil : second[key]
            if isRow { place += 1 }
            if isOther { otherPlace += 1 }
            let isThere = row != nil || other != nil, now = isThere ? combine(key, row, other) : nil
            calls += isThere ? 1 : 0
            if isFirst {
                if let now { made.append(.init(key: key, row: now)) }
            } else if output.put(now, of: key) {
                hasChanged = true
            }
        }
        guard isFirst else { return hasChanged }
        output = Table(rising: made)
        return !output.isEmpty
    }
}
