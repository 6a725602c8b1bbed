/// The place of a row in an order: its parts, and its key, which decides if these are equal.
@usableFromInline struct RowPlace<Key: Hashable & Comparable & Sendable>: Hashable, Comparable, Sendable {
    @usableFromInline let parts: RowParts
    @usableFromInline let key: Key

    @inlinable init(_ parts: RowParts, _ key: Key) {
        self.parts = parts
        self.key = key
    }
    @inlinable static func < (a: Self, b: Self) -> Bool { a.parts.precedes(b.parts) ?? (a.key < b.key) }
    @inlinable static func == (a: Self, b: Self) -> Bool { a.key == b.key && a.parts.precedes(b.parts) == nil }
    @inlinable func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
