import ReactCore

extension Node {
    /// "Sum": adds up a part of each row. The sum of no rows is zero.
    ///
    /// A sum that stays equal is not passed on, unless it is the first.
    ///
    ///     let prices = MutableNode<Table<String, Double>>(["apple": 0.1, "pear": 0.2])
    ///     let total = prices.sum { $0 }
    ///     prices.update { $0["melon"] = 1e16 }
    ///     prices.update { $0["melon"] = nil }
    ///     print(total.current)     // 0.30000000000000004
    ///
    /// **Floating-point numbers.** Sums are compensated by Neumaier's method. They are computed anew after as many
    /// additions and subtractions as there are rows, and at least a thousand. So rounding errors do not build up. A sum
    /// that has overflowed is computed anew at each change. Infinite numbers and NaN are counted apart.
    ///
    /// **Memory.** Remembers its last input until the edge is cut or re-pointed. The input shares its parts with the
    /// table in the node. Nothing is kept for each row.
    ///
    /// - Parameter part: Called once for each row that came or went, and twice for each row that changed: with the old
    ///   row and the new one. It is called in the order of the keys, on the thread that sets the table, with no lock
    ///   held. It must return equal numbers for equal rows, because the number of an old row is not kept. To compute a
    ///   sum anew calls it once for each row.
    /// - Returns: A new node with the sum.
    /// - Precondition: Integers do not overflow, as with `+` and `-`: the message has the two numbers, and begins with
    ///   the line that made the sum. The numbers that went are subtracted before the new ones are added.
    /// - Complexity: O(d · log n) for d changed rows. The first table costs O(n).
    @_disfavoredOverload @inlinable
    public func sum<Key, Row, Number: AdditiveArithmetic & Sendable>(
        of part: @escaping @Sendable (Row) -> Number
    ) -> Node<Number> where Value == Table<Key, Row> {
        sum { part($1) }
    }
    /// "Sum" by a closure that takes the key as well. See `sum(of:)` of rows for the rest.
    @_disfavoredOverload @inlinable
    public func sum<Key, Row, Number: AdditiveArithmetic & Sendable>(
        of part: @escaping @Sendable (Key, Row) -> Number
    ) -> Node<Number> where Value == Table<Key, Row> {
        remembering("Sum", SummedRows(part, PlainSteps<Number>()))
    }
    /// "Sum" of integers, which ends the process with a message if it overflows, with the caller's `file` and `line`.
    /// See `sum(of:)` of any numbers.
    @inlinable public func sum<Key, Row, Number: FixedWidthInteger & Sendable>(
        of part: @escaping @Sendable (Row) -> Number, file: StaticString = #fileID, line: UInt = #line
    ) -> Node<Number> where Value == Table<Key, Row> {
        sum(of: { part($1) }, file: file, line: line)
    }
    /// "Sum" of integers by a closure that takes the key as well. See `sum(of:)` of any numbers.
    @inlinable public func sum<Key, Row, Number: FixedWidthInteger & Sendable>(
        of part: @escaping @Sendable (Key, Row) -> Number, file: StaticString = #fileID, line: UInt = #line
    ) -> Node<Number> where Value == Table<Key, Row> {
        remembering("Sum", SummedRows(part, CheckedSteps<Number>(of: "sum(of:)", file, line)))
    }
}

/// The sum of a part of each row of a table.
@usableFromInline
struct SummedRows<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Steps: SumSteps>: Incremental {
    @usableFromInline typealias Number = Steps.Number
    @usableFromInline let part: @Sendable (Key, Row) -> Number
    @usableFromInline let steps: Steps
    @usableFromInline var input = Table<Key, Row>()
    @usableFromInline var sum = RunningSum<Steps>()
    @usableFromInline var output = Number.zero

    @inlinable init(_ part: @escaping @Sendable (Key, Row) -> Number, _ steps: Steps) {
        (self.part, self.steps) = (part, steps)
    }

    @inlinable static var wanted: StaticString { "only a result that differs from the last one" }
    @inlinable mutating func update(to new: Table<Key, Row>, _ calls: inout Int) -> Bool {
        let old = input
        var added: [Number] = []
        input = new
        for (key, before, now, _) in new.differences(from: old) {
            calls += before != nil && now != nil ? 2 : 1
            if let before { sum.subtract(part(key, before), by: steps) }
            if let now { added.append(part(key, now)) }
        }
        // Added at the end, so that integers do not overflow on the way to a sum that fits.
        for number in added { sum.add(number, by: steps) }
        if sum.isToBeMadeAnew(of: new.count) {
            sum = RunningSum()
            for (key, row) in new { sum.add(part(key, row), by: steps) }
            calls += new.count
            sum.changes = 0
        }
        defer { output = sum.value }
        return output != sum.value
    }
}

/// A sum to which numbers are added, and from which they are subtracted. A sum of floating-point numbers is compensated
/// by Neumaier's method: the rounding error of each step is known exactly, and kept beside the sum.
@usableFromInline struct RunningSum<Steps: SumSteps>: Sendable {
    @usableFromInline typealias Number = Steps.Number
    /// The sum of all finite numbers, without the errors.
    @usableFromInline var total = Number.zero
    @usableFromInline var errors = Number.zero
    @usableFromInline var changes = 0
    /// The infinite numbers and NaN, each kind once.
    @usableFromInline var endless: [(number: Number, count: Int)] = []
    @usableFromInline let isRounded = Number.self is any FloatingPoint.Type

    @inlinable init() {}

    /// The sum. If the finite numbers have overflowed, no errors are added.
    @inlinable var value: Number {
        let finite = Self.isFinite(total) ? total + errors : total
        return endless.reduce(finite) { $0 + $1.number }
    }
    @inlinable static func isFinite(_ number: Number) -> Bool { number - number == .zero }
    /// Returns true if the steps since the last sum of all `count` numbers may have left errors, or if the sum has
    /// overflowed, which hides the numbers. Then summing up all of them again costs no more than the steps did.
    @inlinable func isToBeMadeAnew(of count: Int) -> Bool {
        isRounded && (changes >= max(1_000, count) || count == 0) || !Self.isFinite(total)
    }

    @inlinable mutating func add(_ number: Number, by steps: Steps) {
        guard isRounded else { return steps.add(number, to: &total) }
        guard Self.isFinite(number) else { return count(number, 1) }
        let sum = total + number
        let added = sum - total
        let error = (total - (sum - added)) + (number - added)
        // A step to or from an overflow has no error.
        if error == error { errors += error }
        total = sum
        changes += 1
    }
    @inlinable mutating func subtract(_ number: Number, by steps: Steps) {
        guard isRounded else { return steps.subtract(number, from: &total) }
        guard Self.isFinite(number) else { return count(number, -1) }
        add(.zero - number, by: steps)
    }
    /// Counts an infinite number or NaN. Two NaNs are of one kind, although they are not equal.
    @inlinable mutating func count(_ number: Number, _ change: Int) {
        let place = endless.firstIndex { $0.number == number || $0.number != $0.number && number != number }
        guard let place else { return endless.append((number, change)) }
        endless[place].count += change
        if endless[place].count == 0 { endless.remove(at: place) }
    }
}
