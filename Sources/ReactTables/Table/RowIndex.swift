/// A position in a table, in its keys, in a sorted table, or in the results of `eachRow`.
///
/// An index is no integer, so that tables with integer keys read well. It is valid until a key comes or goes, or a row
/// of a sorted table moves. A row that changes otherwise leaves it valid. To use an index later traps, except
/// in a table that was made anew. Such a table counts its changes from the beginning, so an older index may name
/// another row there. Operators make their tables anew for a new order, another window or many changes.
@frozen public struct RowIndex: Comparable, Hashable, Sendable {
    @usableFromInline let rank: Int
    @usableFromInline let age: Int
    @inlinable init(rank: Int, age: Int) {
        self.rank = rank
        self.age = age
    }
    /// Returns true if `a` is before `b`.
    @inlinable public static func < (a: RowIndex, b: RowIndex) -> Bool { a.rank < b.rank }
    /// Returns true if the two are one position.
    @inlinable public static func == (a: RowIndex, b: RowIndex) -> Bool { a.rank == b.rank }
    /// Hashes the position.
    @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(rank) }
}
