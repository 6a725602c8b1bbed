/// The parts of one row by which it is sorted: one part, and the next ones, which decide if that one is equal.
///
/// Rows are sorted by these objects, so each part is computed once for each row that changes.
///
/// Unchecked, because the class has a subclass. All fields of both are constant and `Sendable`.
@usableFromInline class RowParts: Equatable, @unchecked Sendable {
    @usableFromInline final let comparison: PartComparison
    @usableFromInline final let next: RowParts?

    @inlinable init(_ comparison: PartComparison, _ next: RowParts?) {
        self.comparison = comparison
        self.next = next
    }
    /// Returns true if these parts sort before `other`, false if they sort after `other`, and `nil` if neither is the
    /// case. Both must be of one order.
    @inlinable final func precedes(_ other: RowParts) -> Bool? {
        if self === other { return nil }
        if let answer = comparison.precedes(self, other) { return answer }
        guard let next, let otherNext = other.next else { return nil }
        return next.precedes(otherNext)
    }
    /// Returns true if both were made by one order. Only then may they be compared.
    @inlinable final func isOfOneOrder(with other: RowParts) -> Bool {
        guard comparison === other.comparison else { return false }
        switch (next, other.next) {
        case (nil, nil): return true
        case (let next?, let otherNext?): return next.isOfOneOrder(with: otherNext)
        default: return false
        }
    }
    @inlinable static func == (a: RowParts, b: RowParts) -> Bool { a === b }
}
