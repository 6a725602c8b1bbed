import ReactCore

/// A piece of a column, as one node. Formulas with large ranges depend on segments instead of on each cell.
///
/// The segment's node follows the existing cells in the segment, or the smaller segments with cells. One segment serves
/// all formulas that have it in their ranges.
final class Segment {
    let column: Int
    /// The rows, counted from 0.
    let rows: Range<Int>
    /// 1 for up to 16 rows within a block of 16. Each further level is 16 times as long.
    let level: Int
    /// The smaller segments that the segment follows. Held here, so that the index still knows them when a cell is
    /// added to one.
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

    /// Names the node by the cells, as in `B1:B16`, and so the smaller segments that it follows.
    func giveName() {
        guard node.name == nil else { return }
        let first = CellAddress(column: column, row: rows.lowerBound + 1)
        node.name = "\(first):\(CellAddress(column: column, row: rows.upperBound))"
        node.upstreamNodes.first?.name = node.name
        for part in parts { part.giveName() }
    }
}

extension Segment: Hashable {
    static func == (lhs: Segment, rhs: Segment) -> Bool { lhs === rhs }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The positions of cells, and the segments of the large ranges.
///
/// A column is cut into blocks of 16 rows, these into blocks of 256, and so on up to the whole column. A range consists
/// of the largest blocks that fit in, and of a piece of a block of 16 at either end. A range of n rows therefore has
/// O(log n) segments, two ranges have most segments in common, and a missing cell costs nothing.
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

    /// A bit for each sixteenth of a block that has cells.
    private var occupied: [Place: UInt16] = [:]
    /// The segments that are still held, by the block that they are, or are a piece of.
    private var segments: [Place: [Weak]] = [:]
    /// The segments whose cells have changed.
    private(set) var stale: [Segment] = []

    /// Notes a new cell.
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

    /// The held segments that contain, or would contain, a cell at `address`.
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

    /// The segments of a range, column by column. They exist as long as the caller holds them.
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
