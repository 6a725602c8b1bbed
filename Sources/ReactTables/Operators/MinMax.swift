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
    /// - Parameter part: Called once for each row that came or went, and twice for each row that changed: with the old
    ///   row and the new one. It is called in the order of the keys, on the thread that sets the table, with no lock
    ///   held. It must return equal parts for equal rows, because the part of an old row is found by it.
    /// - Returns: A new node with the part.
    /// - Complexity: O(d · log n) for d changed rows. The first table costs O(n · log n).
    @inlinable public func min<Key, Row, Part: Comparable & Sendable>(
        of part: @escaping @Sendable (Row) -> Part
    ) -> Node<Part?> where Value == Table<Key, Row> {
        remembering("Min", ExtremePart(part, isDescending: false))
    }
    /// "Max": finds the greatest part of any row, and `nil` for an empty table.
    ///
    /// A part that does not equal itself, as NaN, counts only if there is no other. See `min` for the rest.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "melon": 9])
    ///     print(prices.max { $0 }.value!!)     // 9
    ///
    /// - Parameter part: Called once for each row that came or went, and twice for each row that changed.
    /// - Returns: A new node with the part.
    /// - Complexity: O(d · log n) for d changed rows. The first table costs O(n · log n).
    @inlinable public func max<Key, Row, Part: Comparable & Sendable>(
        of part: @escaping @Sendable (Row) -> Part
    ) -> Node<Part?> where Value == Table<Key, Row> {
        remembering("Max", ExtremePart(part, isDescending: true))
    }
}

/// The first part in order of any row of a table.
@usableFromInline
struct ExtremePart<
    Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Part: Comparable & Sendable
>: Incremental {
    @usableFromInline let part: @Sendable (Row) -> Part
    @usableFromInline let isDescending: Bool
    @usableFromInline var input = Table<Key, Row>()
    @usableFromInline var order = Table<OrderedPart<Part, Key>, Present>()
    @usableFromInline var output: Part?

    @inlinable init(_ part: @escaping @Sendable (Row) -> Part, isDescending: Bool) {
        self.part = part
        self.isDescending = isDescending
    }

    @inlinable mutating func update(to new: Table<Key, Row>) -> Bool {
        let old = input
        input = new
        if old.isEmpty {
            var parts = ContiguousArray(new.map { OrderedPart(part($0.row), $0.key, isDescending) })
            parts.sort()
            let rows = ContiguousArray(repeating: Present(), count: parts.count)
            order = Table(risingKeys: parts, rows: rows)
        } else {
            new.forEachDifference(from: old) { key, before, now in
                let before = before.map { OrderedPart(part($0), key, isDescending) }
                let now = now.map { OrderedPart(part($0), key, isDescending) }
                guard before != now else { return }
                if let before { order.remove(before) }
                if let now { order[now] = Present() }
            }
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
