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
    /// - Complexity: O(log n + r) for r rows from the first one that differs on, because their sums change.
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
        let old = input, before = output
        input = new
        // The number of rows at the beginning that are in both, and stand in one order.
        let same =
            !new.isSortedAlike(old)
            ? 0 : new.order.differences(from: old.order).first?.ranks.new ?? Swift.min(old.count, new.count)
        var sums = ContiguousArray<Entries<RowPlace<Key>, Number>.Entry>()
        sums.reserveCapacity(new.count)
        for (place, sum) in before.order.prefix(same) { sums.append(.init(key: place, row: sum)) }
        var sum = sums.last?.row ?? .zero
        calls += new.count - same
        for (place, row) in new.order.suffix(new.count - same) {
            steps.add(part(place.key, row), to: &sum)
            sums.append(.init(key: place, row: sum))
        }
        output = SortedTable(order: Table(rising: sums), parts: new.parts)
        return output != before
    }
}
