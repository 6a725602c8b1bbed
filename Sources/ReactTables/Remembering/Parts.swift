/// A table, and the part of each row that a closure has made. The closure is called once for each row that changes.
@usableFromInline
struct Parts<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Part: Equatable & Sendable>:
    Sendable
{
    @usableFromInline let part: @Sendable (Key, Row) -> Part
    @usableFromInline var rows = Table<Key, Row>()
    @usableFromInline var parts = Table<Key, Part>()

    @inlinable init(_ part: @escaping @Sendable (Key, Row) -> Part) { self.part = part }

    /// Takes the next version of the table. Calls `body` for each row that came, went or changed, in the order of the
    /// keys, with the old part and row, and the new part and row. Returns true if any row differs.
    ///
    /// `state` is passed on to `body`, because `body` could not otherwise change a property beside these parts.
    @inlinable mutating func update<State>(
        to new: Table<Key, Row>, changing state: inout State,
        _ body: (inout State, Key, _ old: (part: Part, row: Row)?, _ new: (part: Part, row: Row)?) -> Void
    ) -> Bool {
        let old = rows
        rows = new
        var hasChanged = false
        new.forEachDifference(from: old) { key, oldRow, newRow in
            hasChanged = true
            let now = newRow.map { part(key, $0) }, before = parts.replace(key, by: now)
            body(&state, key, Parts.pair(before, oldRow), Parts.pair(now, newRow))
        }
        return hasChanged
    }
    @inlinable static func pair(_ part: Part?, _ row: Row?) -> (part: Part, row: Row)? {
        guard let part, let row else { return nil }
        return (part, row)
    }
}
