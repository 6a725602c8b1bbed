import ReactCore

/// A collection of the contents of a table, in which each element has a rank.
public protocol RankedCollection: RandomAccessCollection where Index == RowIndex {
    /// The number of keys that have come and gone. It tells if an index is still valid.
    var _age: Int { get }
}

extension RankedCollection {
    /// The element at a rank, 0 for the first.
    ///
    /// Traps if `rank` is not in `0 ..< count`, with the caller's `file` and `line`.
    ///
    /// - Complexity: O(log n).
    @inlinable
    public subscript(
        rank rank: Int, file file: StaticString = #fileID, line line: UInt = #line
    ) -> Element {
        require(
            rank >= 0 && rank < count,
            "a table of \(count) \(count == 1 ? "row" : "rows") has no rank \(rank). Ask for one in 0 ..< count.",
            file: file, line: line)
        return self[RowIndex(rank: rank, age: _age)]
    }
    /// The element at a rank, for key paths, which know no line. See `subscript(rank:file:line:)`.
    @_disfavoredOverload @inlinable public subscript(rank rank: Int) -> Element {
        self[rank: rank, file: #fileID, line: #line]
    }
    /// The position of the first element.
    @inlinable public var startIndex: RowIndex { RowIndex(rank: 0, age: _age) }
    /// The position after the last element.
    @inlinable public var endIndex: RowIndex { RowIndex(rank: count, age: _age) }
    /// Returns the next position. O(1).
    @inlinable public func index(after i: RowIndex) -> RowIndex { index(i, offsetBy: 1) }
    /// Returns the previous position. O(1).
    @inlinable public func index(before i: RowIndex) -> RowIndex { index(i, offsetBy: -1) }
    /// Returns the position `distance` further. O(1).
    @inlinable public func index(_ i: RowIndex, offsetBy distance: Int) -> RowIndex {
        requireValid(i)
        let (rank, isTooFar) = i.rank.addingReportingOverflow(distance)
        require(
            rank >= 0 && rank <= count && !isTooFar,
            "there is no index \(isTooFar ? distance : rank) in a table of \(count) \(count == 1 ? "row" : "rows"). Stay in startIndex ... endIndex."
        )
        return RowIndex(rank: rank, age: _age)
    }
    /// Returns the number of positions between two. O(1).
    @inlinable public func distance(from start: RowIndex, to end: RowIndex) -> Int {
        requireValid(start)
        requireValid(end)
        return end.rank - start.rank
    }
    @inlinable func requireValid(_ index: RowIndex) {
        require(
            index.age == _age && index.rank <= count,
            "an index of a table was used after a key had come or gone. Ask the table for a new one, as by firstIndex(where:), and use it with that table."
        )
    }
}
