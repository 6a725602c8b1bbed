import ReactCore

extension Node {
    /// "FilterRows" by a condition that changes: keeps the rows that meet the newest condition.
    ///
    /// A new condition is asked of every row. The present condition is asked of each row that changes. If table and
    /// condition change in one transaction, one new table follows. The result is empty until both nodes have a value. A
    /// table whose rows stay the same behind the filter is not passed on, unless it is the first.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "melon": 9, "pear": 4])
    ///     let limit = MutableNode<@Sendable (Int) -> Bool> { $0 < 5 }
    ///     let shown = prices.filterRows(by: limit)
    ///     limit.value = { $0 > 3 }
    ///     print(shown.current)     // 2 rows: [melon: 9, pear: 4]
    ///
    /// **Memory.** Remembers its last input and output. It starts over when an edge to it is re-pointed. Two nodes lie
    /// between: one for the conditions, and one that holds the table and the condition.
    ///
    /// - Parameter condition: The present condition. Each set of it counts as a new condition, because functions cannot
    ///   be compared. Its functions are called in the order of the keys, on the thread that sets either node, with no
    ///   lock held.
    /// - Returns: A new node with the rows that meet the condition.
    /// - Complexity: O(d · log n) for d changed rows, and O(n) for the first table and for a new condition.
    @inlinable public func filterRows<Key, Row>(
        by condition: Node<@Sendable (Row) -> Bool>
    ) -> Node<Table<Key, Row>> where Value == Table<Key, Row> {
        filteringRows(condition) { isMet in { isMet($1) } }
    }
    /// "FilterRows" by a condition that changes, and that takes the key as well. See `filterRows(by:)` of rows for the
    /// rest.
    ///
    ///     let stock = MutableNode<Table<String, Int>>(["apple": 3, "melon": 9])
    ///     let sold = MutableNode<Set<String>>(["apple"])
    ///     let left = stock.filterRows(by: sold.map { sold -> @Sendable (String, Int) -> Bool in { name, _ in !sold.contains(name) } })
    ///     print(left.current)      // 1 row: [melon: 9]
    @inlinable public func filterRows<Key, Row>(
        by condition: Node<@Sendable (Key, Row) -> Bool>
    ) -> Node<Table<Key, Row>> where Value == Table<Key, Row> {
        filteringRows(condition) { $0 }
    }
    @inlinable func filteringRows<Key, Row, Function: Sendable>(
        _ condition: Node<Function>, _ isMet: @escaping @Sendable (Function) -> @Sendable (Key, Row) -> Bool
    ) -> Node<Table<Key, Row>> where Value == Table<Key, Row> {
        let conditions: Node<Condition<Key, Row>> = condition.following("FilterRows") {
            let delivery = EdgeCall<Function, Condition<Key, Row>>($0)
            return delivery.send(Condition(isMet(delivery.value)))
        }
        conditions.beOperatorsOwn()
        return Node<Table<Key, Row>>.remembering("FilterRows", self, conditions, RowsByCondition())
    }
}

/// A condition that equals only itself, because functions cannot be compared.
@usableFromInline final class Condition<Key, Row>: Sendable, CustomStringConvertible {
    @usableFromInline let isMet: @Sendable (Key, Row) -> Bool

    @inlinable init(_ isMet: @escaping @Sendable (Key, Row) -> Bool) { self.isMet = isMet }
    @usableFromInline var description: String { "a condition" }
}

/// The rows that meet the newest condition.
@usableFromInline struct RowsByCondition<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Incremental
{
    @usableFromInline var condition: Condition<Key, Row>?
    @usableFromInline var rows = MappedRows<Key, Row, Row> { _, _ in nil }

    @inlinable init() {}

    @inlinable var output: Table<Key, Row> { rows.output }

    @inlinable mutating func update(
        to input: Paired<Table<Key, Row>, Condition<Key, Row>>, _ calls: inout Int
    ) -> Bool {
        guard condition !== input.second else { return rows.update(to: input.first, &calls) }
        let old = rows.output, isMet = input.second.isMet
        condition = input.second
        rows = MappedRows { isMet($0, $1) ? $1 : nil }
        _ = rows.update(to: input.first, &calls)
        return rows.output.adopt(from: old)
    }
}

extension Table {
    /// Replaces this table by `old`, with the differing rows changed, so that the two versions share their equal parts.
    /// Returns true if any row differs.
    ///
    /// If so many rows differ that changing them one by one would take longer than O(n), the versions share nothing.
    @inlinable mutating func adopt(from old: Table) -> Bool {
        let changed = differences(from: old)
        let levels = Int.bitWidth - count.leadingZeroBitCount
        guard changed.count * levels <= Swift.max(count, levels) else { return true }
        var shared = old
        for (key, _, row, _) in changed { shared[key] = row }
        self = shared
        return !changed.isEmpty
    }
}
