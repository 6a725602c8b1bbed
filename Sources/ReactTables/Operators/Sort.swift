import ReactCore

extension Node {
    /// "Sort": the same rows by another order.
    @inlinable public func sorted<Key, Row, Part: Comparable & Hashable & Sendable>(
        by part: @escaping @Sendable (Row) -> Part, descending: Bool = false
    ) -> Node<Table<SortKey<Part, Key>, Row>> where Value == Table<Key, Row> {
        remembering("Sort", SortedRows(Parts(part), isDescending: descending))
    }
}

/// A key that sorts by a part of the row first, then by the row's own key.
public struct SortKey<Part: Comparable & Hashable & Sendable, Key: Hashable & Comparable & Sendable>:
    Hashable, Comparable, Sendable
{
    /// The part of the row that it sorts by.
    public let part: Part
    /// The row's own key.
    public let key: Key
    /// Whether greater parts come first. Equal parts sort by rising key either way.
    public let isDescending: Bool

    @inlinable init(part: Part, key: Key, isDescending: Bool) {
        self.part = part
        self.key = key
        self.isDescending = isDescending
    }
    /// Compares the parts, then the keys. A part that does not equal itself, as NaN, sorts behind all that do.
    @inlinable public static func < (a: SortKey, b: SortKey) -> Bool {
        precedes(a.part, b.part, isDescending: a.isDescending) ?? (a.key < b.key)
    }
    /// Compares parts and keys. Of two parts neither of which equals itself, as NaN, the keys decide.
    @inlinable public static func == (a: SortKey, b: SortKey) -> Bool {
        a.key == b.key && precedes(a.part, b.part, isDescending: a.isDescending) == nil
    }
    /// Hashes the key alone, because parts that compare equal may hash differently.
    @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// The rows of a table, by another order.
@usableFromInline
struct SortedRows<
    Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Part: Comparable & Hashable & Sendable
>: Incremental {
    @usableFromInline var parts: Parts<Key, Row, Part>
    @usableFromInline let isDescending: Bool
    @usableFromInline var output = Table<SortKey<Part, Key>, Row>()

    @inlinable init(_ parts: Parts<Key, Row, Part>, isDescending: Bool) {
        self.parts = parts
        self.isDescending = isDescending
    }

    @inlinable mutating func update(to new: Table<Key, Row>) -> Bool {
        let isDescending = isDescending
        return parts.update(to: new, changing: &output) { output, key, old, new in
            let place = new.map { SortKey(part: $0.part, key: key, isDescending: isDescending) }
            if let old {
                let oldPlace = SortKey(part: old.part, key: key, isDescending: isDescending)
                if oldPlace != place { output[oldPlace] = nil }
            }
            if let new, let place { output[place] = new.row }
        }
    }
}
