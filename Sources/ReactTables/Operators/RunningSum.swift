import ReactCore

extension Node {
    /// "RunningSum": adds up a part of each row and of all rows before it, in the order of the rows.
    ///
    /// The sums stand in the order of the rows, under their keys. If no sum changes, nothing is passed on, unless it is
    /// the first.
    ///
    ///     let days = MutableNode<Table<Int, Int>>([3: 10, 1: 200, 2: -50])
    ///     let balance = days.sorted(by: { day, _ in day }).runningSum { $0 }
    ///     print(balance.current)       // 3 rows: [1: 200, 2: 150, 3: 160]
    ///     days.update { $0[2] = -60 }
    ///     print(balance.current[3]!)   // 150
    ///
    /// **Memory.** Remembers its last input and output until the edge is cut or re-pointed.
    ///
    /// - Parameter part: Called once for each row from the first one that differs on, in the order of the rows, on the
    ///   thread that sets the table, with no lock held.
    /// - Returns: A new node with the sums.
    /// - Complexity: O((r + 1) · log n) for r rows from the first one that differs on, because their sums change.
    @_disfavoredOverload @inlinable
    public func runningSum<Key, Row, Number: AdditiveArithmetic & Sendable>(
        of part: @escaping @Sendable (Row) -> Number
    ) -> Node<SortedTable<Key, Number>> where Value == SortedTable<Key, Row> {
        runningSum { part($1) }
    }
    /// "RunningSum" by a closure that takes the key as well. See `runningSum(of:)` of rows for the rest.
    @_disfavoredOverload @inlinable
    public func runningSum<Key, Row, Number: AdditiveArithmetic & Sendable>(
        of part: @escaping @Sendable (Key, Row) -> Number
    ) -> Node<SortedTable<Key, Number>> where Value == SortedTable<Key, Row> {
        remembering("RunningSum", RunningSums(part, PlainSteps<Number>()))
    }
    /// "RunningSum" of integers, which ends the process with a message if it overflows, with the caller's `file` and
    /// `line`. See `runningSum(of:)` of any numbers.
    @inlinable public func runningSum<Key, Row, Number: FixedWidthInteger & Sendable>(
        of part: @escaping @Sendable (Row) -> Number, file: StaticString = #fileID, line: UInt = #line
    ) -> Node<SortedTable<Key, Number>> where Value == SortedTable<Key, Row> {
        runningSum(of: { part($1) }, file: file, line: line)
    }
    /// "RunningSum" of integers by a closure that takes the key as well. See `runningSum(of:)` of any numbers.
    @inlinable public func runningSum<Key, Row, Number: FixedWidthInteger & Sendable>(
        of part: @escaping @Sendable (Key, Row) -> Number, file: StaticString = #fileID, line: UInt = #line
    ) -> Node<SortedTable<Key, Number>> where Value == SortedTable<Key, Row> {
        remembering("RunningSum", RunningSums(part, CheckedSteps<Number>(of: "runningSum(of:)", file, line)))
    }
}

/// The sums of each row of a sorted table and all rows before it.
@usableFromInline
struct RunningSums<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Steps: SumSteps>: Incremental {
    @usableFromInline typealias Number = Steps.Number
    @usableFromInline let part: @Sendable (Key, Row) -> Number
    @usableFromInline let steps: Steps
    @usableFromInline var input = SortedTable<Key, Row>()
    @usableFromInline var output = SortedTable<Key, Number>()

    @inlinable init(_ part: @escaping @Sendable (Key, Row) -> Number, _ steps: Steps) {
        (self.part, self.steps) = (part, steps)
    }

    @inlinable mutating func update(to new: SortedTable<Key, Row>, _ calls: inout Int) -> Bool {
        // If `<` is no order, a sum may be missing.
        let old = input, before = output, isAlike = new.isSortedAlike(old) && before.count == old.count
        input = new
        let changes = isAlike ? new.order.differences(from: old.order) : []
        // The number of rows at the beginning that are in both, and stand in one order.
        let same = isAlike ? changes.first?.ranks.new ?? new.count : 0
        var sum = same == 0 ? .zero : before.order[rank: same - 1].row
        calls += new.count - same
        let sums = new.order.suffix(new.count - same).map { place, row in
            steps.add(part(place.key, row), to: &sum)
            return Entries<RowPlace<Key>, Number>.Entry(key: place, row: sum)
        }
        if same > sums.count {
            for (place, _, row, _) in changes where row == nil { output.order.remove(place) }
            for entry in sums { output.order.set(entry.row, of: entry.key) }
        } else {
            output.order = Table(rising: before.order.entries(at: 0..<same) + sums)
        }
        output.parts = new.parts
        return output != before
    }
}
