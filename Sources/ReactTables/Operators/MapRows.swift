import ReactCore

extension Node {
    /// "MapRows": a table of the results of `transform`, under the keys of the rows.
    @inlinable public func mapRows<Key, Row, Output>(
        _ transform: @escaping @Sendable (Row) -> Output
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        remembering("MapRows", MappedRows { .some(transform($0)) })
    }
    /// "CompactMapRows": a table of the results of `transform` that are not `nil`, under the keys of the rows.
    @inlinable public func compactMapRows<Key, Row, Output>(
        _ transform: @escaping @Sendable (Row) -> Output?
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        remembering("CompactMapRows", MappedRows(transform))
    }
}

/// The results of a closure for each row of a table, without the `nil`s.
@usableFromInline
struct MappedRows<
    Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Mapped: Equatable & Sendable
>: Incremental {
    @usableFromInline let transform: @Sendable (Row) -> Mapped?
    @usableFromInline var input = Table<Key, Row>()
    @usableFromInline var output = Table<Key, Mapped>()

    @inlinable init(_ transform: @escaping @Sendable (Row) -> Mapped?) { self.transform = transform }

    @inlinable mutating func update(to new: Table<Key, Row>) -> Bool {
        let old = input
        input = new
        var hasChanged = false
        new.forEachDifference(from: old) { key, _, row in
            let mapped = row.flatMap(transform)
            guard mapped != output[key] else { return }
            output[key] = mapped
            hasChanged = true
        }
        return hasChanged
    }
}
