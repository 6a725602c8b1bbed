import ReactCore

extension Node {
    /// "Fold": a result that can be updated both ways.
    @inlinable public func fold<Key, Row, Result: Sendable>(
        _ initial: Result, adding: @escaping @Sendable (inout Result, Row) -> Void,
        removing: @escaping @Sendable (inout Result, Row) -> Void
    ) -> Node<Result> where Value == Table<Key, Row> {
        remembering("Fold", FoldedRows(initial, adding, removing))
    }
}

/// A result that every row of a table has been added to.
@usableFromInline
struct FoldedRows<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Result: Sendable>:
    Incremental
{
    @usableFromInline let adding: @Sendable (inout Result, Row) -> Void
    @usableFromInline let removing: @Sendable (inout Result, Row) -> Void
    @usableFromInline var input = Table<Key, Row>()
    @usableFromInline var output: Result

    @inlinable init(
        _ initial: Result, _ adding: @escaping @Sendable (inout Result, Row) -> Void,
        _ removing: @escaping @Sendable (inout Result, Row) -> Void
    ) {
        output = initial
        self.adding = adding
        self.removing = removing
    }

    @inlinable mutating func update(to new: Table<Key, Row>) -> Bool {
        let old = input
        input = new
        var hasChanged = false
        new.forEachDifference(from: old) { _, before, now in
            if let before { removing(&output, before) }
            if let now { adding(&output, now) }
            hasChanged = true
        }
        return hasChanged
    }
}
