import ReactCore

extension Node {
    /// "Join": combines each row with the row of the other table that it refers to.
    ///
    /// Rows whose partner is missing are left out. If both tables change in one transaction, one new table follows. The
    /// result is empty until both nodes have a value. A table of equal results is not passed on, unless it is the
    /// first.
    ///
    ///     struct Order: Equatable { var customer: Int, total: Int }
    ///     let orders = MutableNode<Table<Int, Order>>([
    ///         1: Order(customer: 7, total: 30), 2: Order(customer: 8, total: 12),
    ///     ])
    ///     let names = MutableNode<Table<Int, String>>([7: "Ada"])
    ///     let lines = orders.joined(with: names, on: \.customer) { "\($1): \($0.total)" }
    ///     names.update { $0[8] = "Bob" }
    ///     print(lines.current)         // 2 rows: [1: Ada: 30, 2: Bob: 12]
    ///
    /// **Memory.** Remembers its last inputs and output, the reference of each row, and the rows that refer to each
    /// partner. It starts over when an edge to it is re-pointed. One node lies between, which holds both tables.
    ///
    /// - Parameters:
    ///   - other: The other table.
    ///   - reference: Called once for each row that came or changed.
    ///   - combine: Called once for each row that came or changed and has a partner, and once for each row whose
    ///     partner came or changed. Both are called on the thread that sets either table, with no lock held.
    /// - Returns: A new node with the results, under the keys of the rows.
    /// - Complexity: O((d + r) · log n) for d changed rows, and r rows that refer to changed rows of the other table.
    @inlinable public func joined<Key, Row, OtherKey, OtherRow, Output>(
        with other: Node<Table<OtherKey, OtherRow>>, on reference: @escaping @Sendable (Row) -> OtherKey,
        _ combine: @escaping @Sendable (Row, OtherRow) -> Output
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        joined(with: other, on: { reference($1) }, { combine($1, $2) })
    }
    /// "Join" by closures that take the key as well. See `joined(with:on:_:)` of rows for the rest.
    ///
    ///     let ages = MutableNode<Table<String, Int>>(["Ada": 36, "Ole": 7])
    ///     let cities = MutableNode<Table<String, String>>(["Ada": "London"])
    ///     let lines = ages.joined(with: cities, on: { name, _ in name }) { "\($0), \($1), \($2)" }
    ///     print(lines.current)         // 1 row: [Ada: Ada, 36, London]
    @inlinable public func joined<Key, Row, OtherKey, OtherRow, Output>(
        with other: Node<Table<OtherKey, OtherRow>>, on reference: @escaping @Sendable (Key, Row) -> OtherKey,
        _ combine: @escaping @Sendable (Key, Row, OtherRow) -> Output
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        Node<Table<Key, Output>>.remembering(
            "Join", self, other,
            JoinedRows(Parts(reference)) { key, row, other in other.map { combine(key, row, $0) } })
    }
    /// "Join": combines each row with the row of the other table that it refers to, or with `nil` if that is missing.
    ///
    /// See `joined(with:on:_:)` for the rest.
    ///
    ///     let cities = MutableNode<Table<String, String>>(["Ada": "Paris", "Ole": "Oslo"])
    ///     let weather = MutableNode<Table<String, Int>>(["Oslo": -3])
    ///     let lines = cities.leftJoined(with: weather, on: { $0 }) { "\($0) \($1 ?? 20)" }
    ///     print(lines.current)         // 2 rows: [Ada: Paris 20, Ole: Oslo -3]
    ///
    /// - Parameters:
    ///   - other: The other table.
    ///   - reference: Called once for each row that came or changed.
    ///   - combine: Called once for each row that came or changed, and once for each row whose partner came, went or
    ///     changed.
    /// - Returns: A new node with the results, under the keys of the rows.
    /// - Complexity: O((d + r) · log n) for d changed rows, and r rows that refer to changed rows of the other table.
    @inlinable public func leftJoined<Key, Row, OtherKey, OtherRow, Output>(
        with other: Node<Table<OtherKey, OtherRow>>, on reference: @escaping @Sendable (Row) -> OtherKey,
        _ combine: @escaping @Sendable (Row, OtherRow?) -> Output
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        leftJoined(with: other, on: { reference($1) }, { combine($1, $2) })
    }
    /// "Join" with `nil` for a missing partner, by closures that take the key as well. See `leftJoined(with:on:_:)` of
    /// rows for the rest.
    @inlinable public func leftJoined<Key, Row, OtherKey, OtherRow, Output>(
        with other: Node<Table<OtherKey, OtherRow>>, on reference: @escaping @Sendable (Key, Row) -> OtherKey,
        _ combine: @escaping @Sendable (Key, Row, OtherRow?) -> Output
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        Node<Table<Key, Output>>.remembering(
            "Join", self, other, JoinedRows(Parts(reference)) { .some(combine($0, $1, $2)) })
    }
}

/// The rows of a table, each combined with its partner in another table.
@usableFromInline
struct JoinedRows<
    Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable,
    OtherKey: Hashable & Comparable & Sendable, OtherRow: Equatable & Sendable, Output: Equatable & Sendable
>: Incremental {
    /// Returns `nil` if it does not call the user's closure, because the partner is missing.
    @usableFromInline let combine: @Sendable (Key, Row, OtherRow?) -> Output?
    @usableFromInline var references: Parts<Key, Row, OtherKey>
    @usableFromInline var partners = Table<OtherKey, OtherRow>()
    /// The keys of the rows that refer to a partner, also if the partner is missing.
    @usableFromInline var referring = Table<OtherKey, Table<Key, Present>>()
    @usableFromInline var output = Table<Key, Output>()

    @inlinable init(
        _ references: Parts<Key, Row, OtherKey>, _ combine: @escaping @Sendable (Key, Row, OtherRow?) -> Output?
    ) {
        (self.references, self.combine) = (references, combine)
    }

    @inlinable mutating func update(
        to input: Paired<Table<Key, Row>, Table<OtherKey, OtherRow>>, _ calls: inout Int
    ) -> Bool {
        let changed = input.second.differences(from: partners)
        partners = input.second
        var hasChanged = false
        // Rows that have changed themselves are combined here, and not once more with their partners below.
        var made: Set<Key> = []
        for (key, old, new) in references.update(to: input.first, &calls) {
            if !changed.isEmpty { made.insert(key) }
            if old?.part != new?.part {
                if let old { referring.updateInner(old.part) { $0[key] = nil } }
                if let new { referring.updateInner(new.part) { $0[key] = Present() } }
            }
            if put(new?.row, of: key, with: new.flatMap { partners[$0.part] }, &calls) { hasChanged = true }
        }
        for (other, _, partner, _) in changed {
            for key in (referring[other] ?? Table()).keys where !made.contains(key) {
                if put(input.first[key], of: key, with: partner, &calls) { hasChanged = true }
            }
        }
        return hasChanged
    }
    /// Combines a row, or removes it. Returns true if that has changed the output.
    @inlinable mutating func put(_ row: Row?, of key: Key, with partner: OtherRow?, _ calls: inout Int) -> Bool {
        let combined = row.flatMap { combine(key, $0, partner) }
        if combined != nil { calls += 1 }
        return output.put(combined, of: key)
    }
}
