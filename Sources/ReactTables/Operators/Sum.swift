import ReactCore

extension Node {
    /// "Sum" of a part of each row.
    @inlinable public func sum<Key, Row, Number: AdditiveArithmetic & Sendable>(
        of part: @escaping @Sendable (Row) -> Number
    ) -> Node<Number> where Value == Table<Key, Row> {
        remembering("Sum", SummedRows(Parts(part)))
    }
}

/// The sum of a part of each row of a table.
@usableFromInline
struct SummedRows<
    Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Number: AdditiveArithmetic & Sendable
>: Incremental {
    @usableFromInline var numbers: Parts<Key, Row, Number>
    @usableFromInline var sum = RunningSum<Number>()
    @usableFromInline var output = Number.zero

    @inlinable init(_ numbers: Parts<Key, Row, Number>) { self.numbers = numbers }

    @inlinable mutating func update(to new: Table<Key, Row>) -> Bool {
        _ = numbers.update(to: new, changing: &sum) { sum, _, old, new in
            if let old { sum.subtract(old.part) }
            if let new { sum.add(new.part) }
        }
        if sum.isToBeMadeAnew { sum = RunningSum(numbers.parts.rows) }
        defer { output = sum.value }
        return output != sum.value
    }
}

/// A sum that numbers are added to and subtracted from. That of floating-point numbers is compensated, by Neumaier's method: the
/// rounding error of each step is known exactly, and kept beside the sum.
@usableFromInline struct RunningSum<Number: AdditiveArithmetic & Sendable>: Sendable {
    @usableFromInline var total = Number.zero
    @usableFromInline var errors = Number.zero
    @usableFromInline var changes = 0
    @usableFromInline let isRounded = Number.self is any FloatingPoint.Type

    @inlinable init() {}
    @inlinable init(_ numbers: some Sequence<Number>) {
        for number in numbers { add(number) }
        changes = 0
    }

    /// The sum. That of numbers which have overflowed, or are infinite, has no errors to make good for.
    @inlinable var value: Number { isFinite ? total + errors : total }
    @inlinable var isFinite: Bool { total - total == .zero }
    /// Whether the steps may have left more than rounding errors of rounding errors, or infinity hides the numbers that are left.
    @inlinable var isToBeMadeAnew: Bool { changes >= 1_000_000 || !isFinite }

    @inlinable mutating func add(_ number: Number) {
        let sum = total + number
        if isRounded {
            let added = sum - total
            note((total - (sum - added)) + (number - added))
        }
        total = sum
        changes += 1
    }
    @inlinable mutating func subtract(_ number: Number) {
        let sum = total - number
        if isRounded {
            let added = sum - total
            note((total - (sum - added)) - (number + added))
        }
        total = sum
        changes += 1
    }
    /// That of an infinite sum is none.
    @inlinable mutating func note(_ error: Number) {
        if error == error { errors += error }
    }
}
