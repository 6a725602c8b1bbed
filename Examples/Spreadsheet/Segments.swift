import ReactCore

/// A piece of a column, as one node. Formulas with large ranges depend on segments instead of on each cell.
///
/// Its node follows the cells that there are in it, or the smaller segments with cells. One segment serves all formulas
/// that have it in their ranges.
final class Segment {
    let column: Int
    /// Counted from 0.
    let rows: Range<Int>
    /// 1 for up to 16 rows within a block of 16, and one more for each time that it is 16 times as long.
    let level: Int
    /// The smaller segments that it follows. Held here, so that the index knows of them when a cell comes to one.
    var parts: [Segment] = []
    /// The contents when the sheet was loaded, until the segment is linked.
    var loaded: RangeContents?
    /// Empty unless the segment follows its cells. In a sheet that is only loaded, holds the loaded contents.
    lazy var node = loaded.map { MutableNode($0) } ?? MutableNode<RangeContents>()

    fileprivate init(column: Int, rows: Range<Int>, level: Int) {
        self.column = column
        self.rows = rows
        self.level = level
    }
}

extension Segment: Hashable {
    static func == (lhs: Segment, rhs: Segment) -> Bool { lhs === rhs }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The positions of cells, and the segments of the large ranges.
///
/// A column is cut into blocks of 16 rows, these into blocks of 256, and so on up to the whole column. A range is made of
/// the largest blocks that fit in, and of a piece of a block of 16 at either end. So a range of n rows has O(log n)
/// segments, two ranges have most of theirs in common, and a cell that is not there costs nothing.
struct SegmentIndex {
    /// The contents of a segment.
    enum Contents {
        case cells([CellAddress])
        case parts([Segment])
    }

    /// A block of a column.
    private struct Place: Hashable {
        let column: Int
        let level: Int
        let index: Int
    }
    private struct Weak {
        weak var segment: Segment?
    }

    private static let highestLevel = 5

    /// Which sixteenths of each block have cells in them.
    private var occupied: [Place: UInt16] = [:]
    /// The segments that someone holds, by the block that they are, or are a piece of.
    private var segments: [Place: [Weak]] = [:]
    /// The segments that other cells are in than before.
    private(set) var stale: [Segment] = []

    /// Takes note of a new cell.
    mutating func insert(_ address: CellAddress) {
        let row = address.row - 1
        for level in 1...SegmentIndex.highestLevel {
            let place = Place(column: address.column, level: level, index: row >> (4 * level))
            stale += held(at: place, with: row)
            let before = occupied[place, default: 0]
            occupied[place] = before | 1 << (row >> (4 * (level - 1)) & 15)
            if before != 0 { return }
        }
    }

    /// The segments that someone holds, and that a cell at `address` is or would be in.
    func segments(with address: CellAddress) -> [Segment] {
        let row = address.row - 1
        return (1...SegmentIndex.highestLevel).flatMap { level in
            held(at: Place(column: address.column, level: level, index: row >> (4 * level)), with: row)
        }
    }
    private func held(at place: Place, with row: Int) -> [Segment] {
        (segments[place] ?? []).compactMap(\.segment).filter { $0.rows.contains(row) }
    }

    mutating func takeStale() -> [Segment] {
        defer { stale = [] }
        return stale
    }

    /// The segments of a range, column by column. They are kept as long as someone holds them.
    mutating func segments(of range: CellRange) -> [Segment] {
        var found: [Segment] = []
        for column in range.columns {
            var row = range.rows.lowerBound - 1
            let end = range.rows.upperBound
            while row < end {
                var level = 1
                while level < SegmentIndex.highestLevel, row.isMultiple(of: 16 << (4 * level)),
                    row + 16 << (4 * level) <= end
                {
                    level += 1
                }
                let next = min(end, (row >> (4 * level) + 1) << (4 * level))
                found.append(segment(column: column, rows: row..<next, level: level))
                row = next
            }
        }
        return found
    }

    /// The present contents of a segment.
    mutating func contents(of segment: Segment) -> Contents {
        let (column, rows, level) = (segment.column, segment.rows, segment.level)
        let size = 1 << (4 * (level - 1))
        let start = rows.lowerBound & ~(16 * size - 1)
        let mask = occupied[Place(column: column, level: level, index: start >> (4 * level)), default: 0]
        let starts = (0..<16).filter { mask >> $0 & 1 == 1 }.map { start + $0 * size }.filter(rows.contains)
        return level == 1
            ? .cells(starts.map { CellAddress(column: column, row: $0 + 1) })
            : .parts(starts.map { self.segment(column: column, rows: $0..<$0 + size, level: level - 1) })
    }

    private mutating func segment(column: Int, rows: Range<Int>, level: Int) -> Segment {
        let place = Place(column: column, level: level, index: rows.lowerBound >> (4 * level))
        var known = segments[place] ?? []
        if let segment = known.lazy.compactMap(\.segment).first(where: { $0.rows == rows }) { return segment }
        known.removeAll { $0.segment == nil }
        let segment = Segment(column: column, rows: rows, level: level)
        known.append(Weak(segment: segment))
        segments[place] = known
        return segment
    }
}
