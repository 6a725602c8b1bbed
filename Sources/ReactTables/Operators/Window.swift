import ReactCore

extension Node {
    /// "Window": the rows at these ranks, as far as there are so many.
    @inlinable public func window<Key, Row>(rows: Node<Range<Int>>) -> Node<[Row]> where Value == Table<Key, Row> {
        Node<[Row]>.remembering("Window", self, rows, WindowOfRows<Key, Row>())
    }
}

/// The rows of a table at some ranks.
@usableFromInline struct WindowOfRows<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Incremental {
    @usableFromInline var output: [Row] = []

    @inlinable init() {}

    @inlinable mutating func update(to input: Paired<Table<Key, Row>, Range<Int>>) -> Bool {
        let table = input.first, ranks = input.second.clamped(to: 0..<table.count)
        let start = table.index(table.startIndex, offsetBy: ranks.lowerBound)
        let end = table.index(start, offsetBy: ranks.count)
        let rows = table[start..<end].map(\.row)
        defer { output = rows }
        return rows != output
    }
}
