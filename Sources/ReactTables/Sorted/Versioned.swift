/// A table whose versions can be compared.
@usableFromInline protocol Versioned: RandomAccessCollection, Equatable, Sendable {
    associatedtype Key: Hashable & Comparable & Sendable
    associatedtype Row: Equatable & Sendable
    associatedtype Changes: RowChanges where Changes.Key == Key, Changes.Row == Row
    init()
    func changes(from old: Self) -> Changes
    /// The rows by their places; `nil` if these are the keys.
    var byPlace: Table<RowPlace<Key>, Row>? { get }
}
@usableFromInline protocol RowChanges: Sendable {
    associatedtype Key
    associatedtype Row
    var removed: [(rank: Int, key: Key, row: Row)] { get }
    var inserted: [(rank: Int, key: Key, row: Row)] { get }
    var moved: [(from: Int, to: Int, key: Key, old: Row, new: Row)] { get }
    var updated: [(rank: Int, key: Key, old: Row, new: Row)] { get }
}
extension SortedTableChanges: RowChanges {}
extension TableChanges: RowChanges {
    @inlinable var moved: [(from: Int, to: Int, key: Key, old: Row, new: Row)] { [] }
}
extension SortedTable: Versioned {
    @inlinable var byPlace: Table<RowPlace<Key>, Row>? { order }
}
extension Table: Versioned {
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
