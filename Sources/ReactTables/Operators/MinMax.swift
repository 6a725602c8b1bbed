import ReactCore

extension Node {
    /// "Min": finds the smallest part of any row, and `nil` for an empty table.
    ///
    /// A part that does not equal itself, as NaN, counts only if there is no other. A result that stays equal is not
    /// passed on, unless it is the first.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "melon": 9])
    ///     let cheapest = prices.min { $0 }
    ///     prices.update { $0["apple"] = nil }
    ///     print(cheapest.value!!)      // 9
    ///
    /// **Memory.** Remembers its last input and the parts of all rows in their order, until the edge is cut or
    /// re-pointed.
    ///
    /// - Parameter part: Called once for each row that came or changed, in the order of the keys, on the thread that
    ///   sets the table, with no lock held.
    /// - Returns: A new node with the part.
    /// - Complexity: O(d · log n) for d changed rows. The first table costs O(n · log n).
    @inlinable public func min<Key, Row, Part: Comparable & Sendable>(
        of part: @escaping @Sendable (Row) -> Part
    ) -> Node<Part?> where Value == Table<Key, Row> {
        remembering("Min", FirstPart(Parts(part), isDescending: false))
    }
    /// "Max": finds the greatest part of any row, and `nil` for an empty table.
    ///
    /// A part that does not equal itself, as NaN, counts only if there is no other. See `min` for the rest.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "melon": 9])
    ///     print(prices.max { $0 }.value!!)     // 9
    ///
    /// - Parameter part: Called once for each row that came or changed.
    /// - Returns: A new node with the part.
    /// - Complexity: O(d · log n) for d changed rows. The first table costs O(n · log n).
    @inlinable public func max<Key, Row, Part: Comparable & Sendable>(
        of part: @escaping @Sendable (Row) -> Part
    ) -> Node<Part?> where Value == Table<Key, Row> {
        remembering("Max", FirstPart(Parts(part), isDescending: true))
    }
}

/// The first part in order of any row of a table.
@usableFromInline
struct FirstPart<
    Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Part: Comparable & Sendable
>: Incremental {
    @usableFromInline var parts: Parts<Key, Row, Part>
    @usableFromInline let isDescending: Bool
    @usableFromInline var order = Table<OrderedPart<Part, Key>, Present>()
    @usableFromInline var output: Part?

    @inlinable init(_ parts: Parts<Key, Row, Part>, isDescending: Bool) {
        self.parts = parts
        self.isDescending = isDescending
    }

    @inlinable mutating func update(to new: Table<Key, Row>) -> Bool {
        let isDescending = isDescending
        _ = parts.update(to: new, changing: &order) { order, key, old, new in
            if let old { order[OrderedPart(old.part, key, isDescending)] = nil }
            if let new { order[OrderedPart(new.part, key, isDescending)] = Present() }
        }
        let first = order.first?.key.part
        defer { output = first }
        return output != first
    }
}

/// The row of a table that serves as a set of keys.
@usableFromInline struct Present: Equatable, Sendable {
    @inlinable init() {}
}

/// A part of a row with the row's key. Sorts by part, and equal parts by key.
@usableFromInline
struct OrderedPart<Part: Comparable & Sendable, Key: Hashable & Comparable & Sendable>:
    Hashable, Comparable, Sendable
{
    @usableFromInline let part: Part
    @usableFromInline let key: Key
    @usableFromInline let isDescending: Bool

    @inlinable init(_ part: Part, _ key: Key, _ isDescending: Bool) {
        self.part = part
        self.key = key
        self.isDescending = isDescending
    }
    @inlinable static func < (a: Self, b: Self) -> Bool {
        precedes(a.part, b.part, isDescending: a.isDescending) ?? (a.key < b.key)
    }
    @inlinable static func == (a: Self, b: Self) -> Bool {
        a.key == b.key && precedes(a.part, b.part, isDescending: a.isDescending) == nil
    }
    @inlinable func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// Returns true if `a` sorts before `b`, false if it sorts after `b`, and `nil` if neither is the case.
///
/// A part that does not equal itself, as NaN, is neither smaller nor greater than another part. It sorts behind all
/// parts that equal themselves, in either direction, so there is one order of all parts.
@inlinable func precedes<Part: Comparable>(_ a: Part, _ b: Part, isDescending: Bool) -> Bool? {
    if a < b { return !isDescending }
    if b < a { return isDescending }
    if a == b { return nil }
    switch (a == a, b == b) {
    case (true, false): return true
    case (false, true): return false
    default: return nil
    }
}
