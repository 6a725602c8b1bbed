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

/// The comparison of one part. Its identity tells parts of different orders apart.
@usableFromInline final class PartComparison: Sendable {
    /// Compares the first parts of two rows, as `precedes(_:_:isDescending:)` does.
    @usableFromInline let precedes: @Sendable (RowParts, RowParts) -> Bool?

    /// The closure is compiled for the type of the part in the client. So a comparison calls no generic code.
    @inlinable init<Part: Comparable & Sendable>(of part: Part.Type, descending: Bool) {
        precedes = { a, b in
            // `isOfOneOrder` is asked before parts are compared, so both have this type. Checked in debug builds.
            ReactTables.precedes(
                unsafeDowncast(a, to: PartOfRow<Part>.self).part, unsafeDowncast(b, to: PartOfRow<Part>.self).part,
                isDescending: descending)
        }
    }
    /// A comparison by a function, whose part is the row.
    @inlinable init<Row: Sendable>(_ isBefore: @escaping @Sendable (Row, Row) -> Bool) {
        precedes = { a, b in
            let a = unsafeDowncast(a, to: PartOfRow<Row>.self).part, b = unsafeDowncast(b, to: PartOfRow<Row>.self).part
            return isBefore(a, b) ? true : isBefore(b, a) ? false : nil
        }
    }
}

/// Returns true if `a` sorts before `b`, false if it sorts after `b`, and `nil` if neither is the case.
///
/// A part that does not equal itself, as NaN, is neither smaller nor greater than another part. It sorts behind all
/// parts that equal themselves, in either direction, so there is one order of all parts.
@inlinable func precedes<Part: Comparable>(_ a: Part, _ b: Part, isDescending: Bool) -> Bool? {
    #if DEBUG
    if a < b, b < a { reportNoOrder(a, b, "is smaller than the other") }
    #endif
    if a < b { return !isDescending }
    if b < a { return isDescending }
    if a == b { return nil }
    switch (a == a, b == b) {
    case (true, false): return true
    case (false, true): return false
    default: return nil
    }
}
