/// The place of a row in an order: its parts, and its key, which decides if these are equal.
@usableFromInline struct RowPlace<Key: Hashable & Comparable & Sendable>: Hashable, Comparable, Sendable {
    @usableFromInline let parts: RowParts
    @usableFromInline let key: Key

    @inlinable init(_ parts: RowParts, _ key: Key) {
        self.parts = parts
        self.key = key
    }
    @inlinable static func < (a: Self, b: Self) -> Bool { a.parts.precedes(b.parts) ?? comesBefore(a.key, b.key) }
    @inlinable static func == (a: Self, b: Self) -> Bool { isOneKey(a.key, b.key) && a.parts.precedes(b.parts) == nil }
    @inlinable func hash(into hasher: inout Hasher) {
        if key == key { hasher.combine(key) }
    }
}

extension RowPlace: InnerKey {}

extension RowPlace: CustomStringConvertible {
    @usableFromInline var description: String { "\(key)" }
}

extension Table {
    /// Returns true if the rows of both are sorted by one order, so that their places can be compared.
    @inlinable func isSortedAlike<RowKey>(_ other: Table) -> Bool where Key == RowPlace<RowKey> {
        guard let first = first?.key.parts, let otherFirst = other.first?.key.parts else { return true }
        return first.isOfOneOrder(with: otherFirst)
    }
}
