import ReactCore

extension Node {
    /// "Sort": puts the rows into the order of a part of each row.
    ///
    /// Rows with equal parts stand in the order of their keys. A part that does not equal itself, as NaN, stands behind
    /// all others. `window(rows:)` shows some rows of the result.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "melon": 9, "pear": 4])
    ///     let dearest = prices.sorted(by: { $0 }, descending: true)
    ///     prices.update { $0["apple"] = 10 }
    ///     print(dearest.value!.map(\.key.key))     // ["apple", "melon", "pear"]
    ///
    /// **Memory.** Remembers its last input, the part of each row, and its output, until the edge is cut or re-pointed.
    ///
    /// - Parameters:
    ///   - part: Called once for each row that came or changed, in the order of the keys, on the thread that sets the
    ///     table, with no lock held.
    ///   - descending: True if greater parts come first.
    /// - Returns: A new node with the rows, under keys that sort by the part.
    /// - Complexity: O(d · log n) for d changed rows. The first table costs O(n · log n).
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
    /// True if greater parts come first. Equal parts sort by rising key either way.
    public let isDescending: Bool

    @inlinable init(part: Part, key: Key, isDescending: Bool) {
        self.part = part
        self.key = key
        self.isDescending = isDescending
    }
    /// Compares the parts, then the keys. A part that does not equal itself, as NaN, sorts behind all parts that do.
    @inlinable public static func < (a: SortKey, b: SortKey) -> Bool {
        precedes(a.part, b.part, isDescending: a.isDescending) ?? (a.key < b.key)
    }
    /// Compares parts and keys. If neither part equals itself, as NaN, the keys decide.
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
