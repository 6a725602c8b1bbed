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
            "Join", self, other, JoinedRows(Parts(reference)) { key, row, other in other.map { combine(key, row, $0) } }
        )
    }
    /// "Join" on a reference that depends on the key as well. See `joined(with:on:_:)` of rows for the rest.
    @inlinable public func joined<Key, Row, OtherKey, OtherRow, Output>(
        with other: Node<Table<OtherKey, OtherRow>>, on reference: @escaping @Sendable (Key, Row) -> OtherKey,
        _ combine: @escaping @Sendable (Row, OtherRow) -> Output
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        joined(with: other, on: reference, { combine($1, $2) })
    }
    /// "Join" by a function that takes the key as well. See `joined(with:on:_:)` of rows for the rest.
    @inlinable public func joined<Key, Row, OtherKey, OtherRow, Output>(
        with other: Node<Table<OtherKey, OtherRow>>, on reference: @escaping @Sendable (Row) -> OtherKey,
        _ combine: @escaping @Sendable (Key, Row, OtherRow) -> Output
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        joined(with: other, on: { reference($1) }, combine)
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
    /// "Join" with `nil` for a missing partner, on a reference that depends on the key as well. See
    /// `leftJoined(with:on:_:)` of rows for the rest.
    @inlinable public func leftJoined<Key, Row, OtherKey, OtherRow, Output>(
        with other: Node<Table<OtherKey, OtherRow>>, on reference: @escaping @Sendable (Key, Row) -> OtherKey,
        _ combine: @escaping @Sendable (Row, OtherRow?) -> Output
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        leftJoined(with: other, on: reference, { combine($1, $2) })
    }
    /// "Join" with `nil` for a missing partner, by a function that takes the key as well. See
    /// `leftJoined(with:on:_:)` of rows for the rest.
    @inlinable public func leftJoined<Key, Row, OtherKey, OtherRow, Output>(
        with other: Node<Table<OtherKey, OtherRow>>, on reference: @escaping @Sendable (Row) -> OtherKey,
        _ combine: @escaping @Sendable (Key, Row, OtherRow?) -> Output
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        leftJoined(with: other, on: { reference($1) }, combine)
    }
}

/// The rows of a table, each combined with its partner in another table.
@usableFromInline
struct JoinedRows<
    Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable,
    OtherKey: Hashable & Comparable & Sendable, OtherRow: Equatable & Sendable, Output: Equatable & Sendable
>: Incremental {
    @usableFromInline let combine: @Sendable (Key, Row, OtherRow?) -> Output?
    @usableFromInline var references: Parts<Key, Row, OtherKey>
    @usableFromInline var partners = Table<OtherKey, OtherRow>()
    @usableFromInline var joined = Joined()

    @usableFromInline struct Joined: Sendable {
        /// The keys of the rows that refer to a partner, also if the partner is missing.
        @usableFromInline var referring = Table<OtherKey, Table<Key, Present>>()
        @usableFromInline var output = Table<Key, Output>()
        @usableFromInline var hasChanged = false

        @inlinable init() {}
        @inlinable mutating func set(_ made: Output?, for key: Key) {
            guard made != output[key] else { return }
            output[key] = made
            hasChanged = true
        }
    }
    @inlinable init(
        _ references: Parts<Key, Row, OtherKey>, _ combine: @escaping @Sendable (Key, Row, OtherRow?) -> Output?
    ) {
        self.references = references
        self.combine = combine
    }

    @inlinable var output: Table<Key, Output> { joined.output }

    @inlinable mutating func update(to input: Paired<Table<Key, Row>, Table<OtherKey, OtherRow>>) -> Bool {
        let (rows, partners, combine) = (input.first, input.second, combine)
        var changed: [(key: OtherKey, partner: OtherRow?)] = []
        partners.forEachDifference(from: self.partners) { key, _, partner in changed.append((key, partner)) }
        self.partners = partners
        joined.hasChanged = false
        // Rows that have changed themselves are combined here, and not once more with their partners below.
        var made: Set<Key> = []
        _ = references.update(to: rows, changing: &joined) { joined, key, old, new in
            if !changed.isEmpty { made.insert(key) }
            if old?.part != new?.part {
                if let old { joined.referring.setRow(nil, of: key, in: old.part) }
                if let new { joined.referring.setRow(Present(), of: key, in: new.part) }
            }
            joined.set(new.flatMap { combine(key, $0.row, partners[$0.part]) }, for: key)
        }
        for (other, partner) in changed {
            guard let keys = joined.referring[other]?.keys else { continue }
            for key in keys where !made.contains(key) {
                joined.set(rows[key].flatMap { combine(key, $0, partner) }, for: key)
            }
        }
        return joined.hasChanged
    }
}
