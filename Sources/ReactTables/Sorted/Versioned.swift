/// A table whose versions can be compared.
@usableFromInline protocol Versioned: RandomAccessCollection, Equatable, Sendable {
    associatedtype Key: Hashable & Comparable & Sendable
    associatedtype Row: Equatable & Sendable
    associatedtype Changes
    init()
    func changes(from old: Self) -> Changes
    /// Returns the changes that turn `old` into this table. No row of a table moves.
    func changesWithMoves(from old: Self) -> SortedTableChanges<Key, Row>
    /// The rows by their places; `nil` if these are the keys.
    var byPlace: Table<RowPlace<Key>, Row>? { get }
}
extension SortedTable: Versioned {
    @inlinable func changesWithMoves(from old: SortedTable) -> SortedTableChanges<Key, Row> { changes(from: old) }
    @inlinable var byPlace: Table<RowPlace<Key>, Row>? { order }
}
extension Table: Versioned {
    @inlinable func changesWithMoves(from old: Table) -> SortedTableChanges<Key, Row> {
        SortedTableChanges(changes(from: old))
    }
    @inlinable var byPlace: Table<RowPlace<Key>, Row>? { nil }
}

extension Table where Row: Versioned {
    /// Changes an inner table. It is made if it is missing, and goes if it is empty then.
    @inlinable mutating func updateInner(_ key: Key, _ change: (inout Row) -> Void) {
        let isEmpty = update(key) {
            change(&$0)
            return $0.isEmpty
        }
        if isEmpty == true { remove(key) }
        guard isEmpty == nil else { return }
        var new = Row()
        change(&new)
        if !new.isEmpty { set(new, of: key) }
    }
}
