/// The contents of a large range, as a formula sees them: the cells that hold a value, in parts that other ranges may
/// share. Joining parts copies nothing.
struct RangeContents: Sendable {
    private let cells: [CellValue]
    private let parts: [RangeContents]
    /// True if one of the cells is on a ring of references, or depends on one.
    let hasCycle: Bool
    /// The number of cells that hold a number.
    let numberCount: Int

    init(cells: [CellValue]) {
        self.cells = cells
        parts = []
        hasCycle = cells.contains(where: \.isCycle)
        numberCount = cells.count(where: \.isNumber)
    }

    init(parts: [RangeContents]) {
        cells = []
        self.parts = parts
        hasCycle = parts.contains(where: \.hasCycle)
        numberCount = parts.reduce(0) { $0 + $1.numberCount }
    }

    /// The cells, part by part. Recurses five levels, the nesting of `Segment`s.
    func forEach<Failure>(_ body: (CellValue) throws(Failure) -> Void) throws(Failure) {
        for cell in cells { try body(cell) }
        for part in parts { try part.forEach(body) }
    }
}
