import ReactCore

extension Node {
    /// "FilterRows" by a condition that changes.
    @inlinable public func filterRows<Key, Row>(
        by condition: Node<@Sendable (Row) -> Bool>
    ) -> Node<Table<Key, Row>> where Value == Table<Key, Row> {
        let conditions: Node<Condition<Row>> = condition.following("FilterRows") {
            let delivery = Delivery<@Sendable (Row) -> Bool, Condition<Row>>($0)
            return delivery.send(Condition(delivery.value))
        }
        return Node<Table<Key, Row>>.remembering("FilterRows", self, conditions, RowsByCondition())
    }
}

/// A condition, told from others by its identity: functions cannot be compared.
@usableFromInline final class Condition<Row>: Sendable {
    @usableFromInline let isMet: @Sendable (Row) -> Bool

    @inlinable init(_ isMet: @escaping @Sendable (Row) -> Bool) { self.isMet = isMet }
}

/// The rows that meet the newest condition.
@usableFromInline struct RowsByCondition<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Incremental
{
    @usableFromInline var condition: Condition<Row>?
    @usableFromInline var rows = MappedRows<Key, Row, Row> { _ in nil }

    @inlinable init() {}

    @inlinable var output: Table<Key, Row> { rows.output }

    @inlinable mutating func update(to input: Paired<Table<Key, Row>, Condition<Row>>) -> Bool {
        guard condition !== input.second else { return rows.update(to: input.first) }
        let old = rows.output, isMet = input.second.isMet
        condition = input.second
        rows = MappedRows { isMet($0) ? $0 : nil }
        _ = rows.update(to: input.first)
        return rows.output.adopt(from: old)
    }
}

extension Table {
    /// Becomes `old`, changed where it differs: so that two versions share the parts that are alike. Returns whether any row differs.
    @inlinable mutating func adopt(from old: Table) -> Bool {
        var shared = old
        var hasChanged = false
        forEachDifference(from: old) { key, _, row in
            shared[key] = row
            hasChanged = true
        }
        self = shared
        return hasChanged
    }
}
