import ReactCore

extension Node {
    /// "Sum": adds up a part of each row. The sum of no rows is zero.
    ///
    /// Sums of floating-point numbers are compensated by Neumaier's method. They are computed anew, with no closure
    /// called, after as many additions and subtractions as there are rows, and at least a thousand. So rounding errors
    /// do not build up. While a row has an infinite number or NaN, each change computes the sum anew, in O(n), with no
    /// closure called. A sum that stays equal is not passed on, unless it is the first.
    ///
    ///     let prices = MutableNode<Table<String, Double>>(["apple": 0.1, "pear": 0.2])
    ///     let total = prices.sum { $0 }
    ///     prices.update { $0["melon"] = 1e16 }
    ///     prices.update { $0["melon"] = nil }
    ///     print(total.current)     // 0.30000000000000004
    ///
    /// **Memory.** Remembers its last input and the number of each row until the edge is cut or re-pointed.
    ///
    /// - Parameter part: Called once for each row that came or changed, in the order of the keys, on the thread that
    ///   sets the table, with no lock held.
    /// - Returns: A new node with the sum.
    /// - Precondition: Integers do not overflow, as with `+` and `-`. The numbers that went are subtracted before the
    ///   new ones are added.
    /// - Complexity: O(d · log n) for d changed rows.
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
            if let new { sum.new.append(new.part) }
        }
        sum.addNew()
        if sum.isToBeMadeAnew(of: new.count) { sum = RunningSum(numbers.parts.rows) }
        defer { output = sum.value }
        return output != sum.value
    }
}

/// A sum to which numbers are added, and from which they are subtracted. A sum of floating-point numbers is compensated
/// by Neumaier's method: the rounding error of each step is known exactly, and kept beside the sum.
@usableFromInline struct RunningSum<Number: AdditiveArithmetic & Sendable>: Sendable {
    @usableFromInline var total = Number.zero
    @usableFromInline var errors = Number.zero
    @usableFromInline var changes = 0
    /// Numbers that are still to be added.
    @usableFromInline var new: [Number] = []
    @usableFromInline let isRounded = Number.self is any FloatingPoint.Type

    @inlinable init() {}
    @inlinable init(_ numbers: some Sequence<Number>) {
        for number in numbers { add(number) }
        changes = 0
    }

    /// The sum. If the numbers have overflowed or are infinite, no errors are added.
    @inlinable var value: Number { isFinite ? total + errors : total }
    @inlinable var isFinite: Bool { total - total == .zero }
    /// Returns true if the steps since the last sum of all `count` numbers may have left errors, or if infinity hides
    /// the numbers that are left. Then summing up all of them again costs no more than the steps did.
    @inlinable func isToBeMadeAnew(of count: Int) -> Bool {
        isRounded && (changes >= max(1_000, count) || count == 0) || !isFinite
    }

    @inlinable mutating func addNew() {
        for number in new { add(number) }
        new.removeAll(keepingCapacity: true)
    }
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
    /// Keeps the rounding error of a step. A step to or from infinity has none.
    @inlinable mutating func note(_ error: Number) {
        if error == error { errors += error }
    }
}
