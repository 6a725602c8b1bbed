import ReactCore

extension Node {
    /// "Join": each row with the row of the other table that it refers to.
    @inlinable public func joined<Key, Row, OtherKey, OtherRow, Output>(
        with other: Node<Table<OtherKey, OtherRow>>, on reference: @escaping @Sendable (Row) -> OtherKey,
        _ combine: @escaping @Sendable (Row, OtherRow) -> Output
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        Node<Table<Key, Output>>.remembering(
            "Join", self, other, JoinedRows(Parts(reference)) { row, other in other.map { combine(row, $0) } })
    }
    /// "Join": each row with the row of the other table that it refers to, or with `nil`.
    @inlinable public func leftJoined<Key, Row, OtherKey, OtherRow, Output>(
        with other: Node<Table<OtherKey, OtherRow>>, on reference: @escaping @Sendable (Row) -> OtherKey,
        _ combine: @escaping @Sendable (Row, OtherRow?) -> Output
    ) -> Node<Table<Key, Output>> where Value == Table<Key, Row> {
        Node<Table<Key, Output>>.remembering(
            "Join", self, other, JoinedRows(Parts(reference)) { .some(combine($0, $1)) })
    }
}

/// The rows of a table, each made into one with its partner in another table.
@usableFromInline
struct JoinedRows<
    Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable,
    OtherKey: Hashable & Comparable & Sendable, OtherRow: Equatable & Sendable, Output: Equatable & Sendable
>: Incremental {
    @usableFromInline let combine: @Sendable (Row, OtherRow?) -> Output?
    @usableFromInline var references: Parts<Key, Row, OtherKey>
    @usableFromInline var partners = Table<OtherKey, OtherRow>()
    @usableFromInline var joined = Joined()

    @usableFromInline struct Joined: Sendable {
        /// The keys of the rows that refer to a partner, whether that is there or not.
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
        _ references: Parts<Key, Row, OtherKey>, _ combine: @escaping @Sendable (Row, OtherRow?) -> Output?
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
        // Rows that have changed themselves are made anew here, and so not once more with their partners.
        var made: Set<Key> = []
        _ = references.update(to: rows, changing: &joined) { joined, key, old, new in
            if !changed.isEmpty { made.insert(key) }
            if old?.part != new?.part {
                if let old { joined.referring.setRow(nil, of: key, in: old.part) }
                if let new { joined.referring.setRow(Present(), of: key, in: new.part) }
            }
            joined.set(new.flatMap { combine($0.row, partners[$0.part]) }, for: key)
        }
        for (other, partner) in changed {
            guard let keys = joined.referring[other]?.keys else { continue }
            for key in keys where !made.contains(key) {
                joined.set(rows[key].flatMap { combine($0, partner) }, for: key)
            }
        }
        return joined.hasChanged
    }
}
