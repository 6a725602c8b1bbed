/// A table, and the part of each row that a closure has made. The closure is called once for each row that changes.
@usableFromInline
struct Parts<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Part: Equatable & Sendable>:
    Sendable
{
    @usableFromInline let part: @Sendable (Key, Row) -> Part
    @usableFromInline var rows = Table<Key, Row>()
    @usableFromInline var parts = Table<Key, Part>()

    @inlinable init(_ part: @escaping @Sendable (Key, Row) -> Part) { self.part = part }

    /// Takes the next version of the table. Returns the part and the row before and now of each row that came, went or
    /// changed, in the order of the keys.
    @inlinable mutating func update(
        to new: Table<Key, Row>, _ calls: inout Int
    ) -> [(key: Key, old: (part: Part, row: Row)?, new: (part: Part, row: Row)?)] {
        let old = rows
        rows = new
        return new.differences(from: old).map { key, oldRow, newRow, _ in
            if newRow != nil { calls += 1 }
            let now = newRow.map { (part: part(key, $0), row: $0) }
            let before = now.map { parts.set($0.part, of: key) } ?? parts.remove(key)
            return (key, before.flatMap { part in oldRow.map { (part, $0) } }, now)
        }
    }
}
