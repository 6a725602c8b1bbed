/// An order of rows: by one part, then by others. Equal rows stand in the order of their keys.
///
///     struct Quote: Equatable { var symbol: String, volume: Int }
///     let quotes = MutableNode<Table<Int, Quote>>([
///         1: Quote(symbol: "B", volume: 5), 2: Quote(symbol: "C", volume: 9), 3: Quote(symbol: "A", volume: 5),
///     ])
///     let shown = quotes.sorted(by: RowOrder(\.volume, descending: true).then(\.symbol))
///     print(shown.current.map(\.row.symbol))      // ["C", "A", "B"]
///
/// A part that does not equal itself, as NaN, stands behind all others.
///
/// `<` and `==` of the parts must be an order: of two parts, just one of `a < b`, `a == b` and `b < a` is true, and if
/// `a < b` and `b < c`, then `a < c`. If they are not, rows may stand anywhere, and some may be missing. If two parts
/// are each smaller than the other, debug builds write a line to standard error, which names them.
public struct RowOrder<Row: Sendable>: Sendable, CustomStringConvertible {
    /// One part of each row, and how it is compared.
    @usableFromInline struct Level: Sendable {
        @usableFromInline let comparison: PartComparison
        @usableFromInline let part: @Sendable (Row, _ next: RowParts?) -> RowParts

        @inlinable init<Part: Sendable>(_ comparison: PartComparison, _ part: @escaping @Sendable (Row) -> Part) {
            self.comparison = comparison
            self.part = { PartOfRow(part($0), comparison, $1) }
        }
    }
    @usableFromInline var levels: [Level]

    /// Makes an order by one part of each row.
    ///
    /// - Parameters:
    ///   - part: Returns the part. It must return equal parts for equal rows. An operator calls it once for each row
    ///     that came or changed, on the thread that sets the table, with no lock held.
    ///   - descending: True if greater parts come first.
    @inlinable public init<Part: Comparable & Sendable>(
        _ part: @escaping @Sendable (Row) -> Part, descending: Bool = false
    ) {
        levels = [Level(PartComparison(of: Part.self, descending: descending), part)]
    }
    /// Makes an order by a comparison of one's own, for rows that no part puts in order.
    ///
    ///     let names = MutableNode<Table<Int, String>>([1: "b", 2: "C", 3: "a"])
    ///     let shown = names.sorted(by: RowOrder(comparing: { $0.lowercased() < $1.lowercased() }))
    ///     print(shown.current.map(\.row))      // ["a", "b", "C"]
    ///
    /// A part costs less if it takes time to compute, because it is computed once for each row that changes.
    ///
    /// The part is the row itself: each row is kept as it was when it came to its place, until it leaves that place.
    ///
    /// - Parameter isBefore: Returns true if the first row comes before the second. Called about 2 · log n times for
    ///   each row that changes. Of two rows, at most one comes before the other. If `a` comes before `b`, and `b`
    ///   before `c`, `a` comes before `c`.
    @inlinable public init(comparing isBefore: @escaping @Sendable (Row, Row) -> Bool) {
        levels = [Level(PartComparison(isBefore)) { $0 }]
    }
    /// Returns this order with one more part, which decides where all parts before it are equal.
    ///
    /// - Parameters:
    ///   - part: Returns the part. It is called once for each row that came or changed, even if it decides nothing.
    ///   - descending: True if greater parts come first.
    /// - Returns: The order by all these parts.
    @inlinable public func then<Part: Comparable & Sendable>(
        _ part: @escaping @Sendable (Row) -> Part, descending: Bool = false
    ) -> RowOrder {
        var order = self
        order.levels.append(Level(PartComparison(of: Part.self, descending: descending), part))
        return order
    }

    /// The number of parts: `an order by 2 parts`.
    public var description: String { "an order by \(levels.count) \(levels.count == 1 ? "part" : "parts")" }

    /// Returns the parts of a row.
    @inlinable func parts(of row: Row) -> RowParts {
        var parts = levels[levels.count - 1].part(row, nil)
        for level in levels.dropLast().reversed() { parts = level.part(row, parts) }
        return parts
    }
    /// Returns true if both are one order, so that their parts can be compared.
    @inlinable func isIdentical(to other: RowOrder) -> Bool {
        levels.count == other.levels.count && zip(levels, other.levels).allSatisfy { $0.comparison === $1.comparison }
    }
}
