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
public struct RowOrder<Row: Sendable>: Sendable {
    /// One part of each row, and how it is compared.
    @usableFromInline struct Level: Sendable {
        @usableFromInline let comparison: PartComparison
        @usableFromInline let part: @Sendable (Row, _ next: RowParts?) -> RowParts

        @inlinable init<Part: Comparable & Sendable>(
            _ part: @escaping @Sendable (Row) -> Part, _ descending: Bool
        ) {
            let comparison = PartComparison(of: Part.self, descending: descending)
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
        levels = [Level(part, descending)]
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
        order.levels.append(Level(part, descending))
        return order
    }

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
