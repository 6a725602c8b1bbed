import ReactCore

extension Node {
    /// "FilterRows": the rows for which `isIncluded` returns true.
    @inlinable public func filterRows<Key, Row>(
        _ isIncluded: @escaping @Sendable (Row) -> Bool
    ) -> Node<Table<Key, Row>> where Value == Table<Key, Row> {
        remembering("FilterRows", MappedRows { isIncluded($0) ? $0 : nil })
    }
}
