/// The parts of one row by which it is sorted.
///
/// Rows are sorted by them, so each part is computed once for each row that changes. A first part that is a number is
/// kept as it is, so that copies of rows touch no object.
@usableFromInline struct RowParts: Equatable, Sendable {
    /// The number of the order that has made the parts. Only parts of one order may be compared.
    @usableFromInline let order: Int
    /// A number that sorts as the first part does; 0 if the first part has none.
    @usableFromInline let number: UInt64
    /// The parts that decide if the numbers are equal.
    @usableFromInline let others: PartObject?

    @inlinable init(order: Int, number: UInt64, others: PartObject?) {
        self.order = order
        self.number = number
        self.others = others
    }
    /// Returns true if these parts sort before `other`, false if they sort after `other`, and `nil` if neither is the
    /// case. Both must be of one order.
    @inlinable func precedes(_ other: RowParts) -> Bool? {
        if number != other.number { return number < other.number }
        guard let others, let otherOthers = other.others else { return nil }
        return others.precedes(otherOthers)
    }
    /// Returns true if both are the same parts of one order.
    @inlinable static func == (a: RowParts, b: RowParts) -> Bool {
        a.order == b.order && a.number == b.number && a.others === b.others
    }
}

/// A part of a row as an object: one part, and the next ones, which decide if that one is equal.
///
/// Unchecked, because the class has a subclass. All fields of both are constant and `Sendable`.
@usableFromInline class PartObject: @unchecked Sendable {
    @usableFromInline final let comparison: PartComparison
    @usableFromInline final let next: PartObject?

    @inlinable init(_ comparison: PartComparison, _ next: PartObject?) {
        self.comparison = comparison
        self.next = next
    }
    /// As `precedes(_:)` of all parts of a row.
    @inlinable final func precedes(_ other: PartObject) -> Bool? {
        if self === other { return nil }
        if let answer = comparison.precedes(self, other) { return answer }
        guard let next, let otherNext = other.next else { return nil }
        return next.precedes(otherNext)
    }
}

/// The first of the parts of an object, with its type.
@usableFromInline final class PartOfRow<Part: Comparable & Sendable>: PartObject, @unchecked Sendable {
    @usableFromInline let part: Part

    @inlinable init(_ part: Part, _ comparison: PartComparison, _ next: PartObject?) {
        self.part = part
        super.init(comparison, next)
    }
}

/// The comparison of one part.
@usableFromInline final class PartComparison: Sendable {
    /// Compares the first parts of two objects, as `precedes(_:_:isDescending:)` does.
    @usableFromInline let precedes: @Sendable (PartObject, PartObject) -> Bool?

    /// The closure is compiled for the type of the part in the client. So a comparison calls no generic code.
    @inlinable init<Part: Comparable & Sendable>(of part: Part.Type, descending: Bool) {
        precedes = { a, b in
            // Only parts of one order are compared, so both have this type. Checked in debug builds.
            ReactTables.precedes(
                unsafeDowncast(a, to: PartOfRow<Part>.self).part, unsafeDowncast(b, to: PartOfRow<Part>.self).part,
                isDescending: descending)
        }
    }
}

/// Returns true if `a` sorts before `b`, false if it sorts after `b`, and `nil` if neither is the case.
///
/// A part that does not equal itself, as NaN, is neither smaller nor greater than another part. It sorts behind all
/// parts that equal themselves, in either direction, so there is one order of all parts.
@inlinable func precedes<Part: Comparable>(_ a: Part, _ b: Part, isDescending: Bool) -> Bool? {
    if a < b { return !isDescending }
    if b < a { return isDescending }
    if a == b { return nil }
    switch (a == a, b == b) {
    case (true, false): return true
    case (false, true): return false
    default: return nil
    }
}

/// Returns a number that sorts as `part` does, in the same direction as `precedes(_:_:isDescending:)`. Returns `nil` if
/// parts of this type have no such numbers.
@inlinable func sortingNumber<Part>(of part: Part, isDescending: Bool) -> UInt64? {
    if Part.self == Int.self, let part = part as? Int {
        let number = UInt64(bitPattern: Int64(part)) ^ 1 << 63
        return isDescending ? ~number : number
    }
    guard Part.self == Double.self, let part = part as? Double else { return nil }
    if part.isNaN { return .max }
    // The bits of positive numbers rise with them, and those of negative ones fall. The sum turns -0 into 0.
    let bits = (part + 0).bitPattern
    let number = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    return isDescending ? ~number : number
}
