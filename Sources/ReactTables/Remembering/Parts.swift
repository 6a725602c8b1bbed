/// A table, and the part of each of its rows that a closure has made. The closure is asked once for each row that
/// changes.
@usableFromInline
struct Parts<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Part: Equatable & Sendable>:
    Sendable
{
    @usableFromInline let part: @Sendable (Row) -> Part
    @usableFromInline var rows = Table<Key, Row>()
    @usableFromInline var parts = Table<Key, Part>()

    @inlinable init(_ part: @escaping @Sendable (Row) -> Part) { self.part = part }

    /// Takes the next version of the table in. Calls `body` for each row that came, went or changed, in the order of
    /// the keys, with the part and the row before, and the part and the row now. Returns whether there was any.
    ///
    /// `state` is handed on to `body`, which could not change what lies beside these parts otherwise.
    @inlinable mutating func update<State>(
        to new: Table<Key, Row>, changing state: inout State,
        _ body: (inout State, Key, _ old: (part: Part, row: Row)?, _ new: (part: Part, row: Row)?) -> Void
    ) -> Bool {
        let old = rows
        rows = new
        var hasChanged = false
        new.forEachDifference(from: old) { key, oldRow, newRow in
            hasChanged = true
            let before = parts[key], now = newRow.map(part)
            if now != before { parts[key] = now }
            body(&state, key, Parts.pair(before, oldRow), Parts.pair(now, newRow))
        }
        return hasChanged
    }
    @inlinable static func pair(_ part: Part?, _ row: Row?) -> (part: Part, row: Row)? {
        guard let part, let row else { return nil }
        return (part, row)
    }
}
