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
    let equalsItself = a == a
    return equalsItself == (b == b) ? nil : equalsItself
}
