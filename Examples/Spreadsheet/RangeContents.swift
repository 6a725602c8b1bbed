/// What is in a large range, as a formula sees it: the cells that hold something, in parts that other ranges may have as
/// well. Nothing is copied to put parts together.
struct RangeContents: Sendable {
    private let cells: [CellValue]
    private let parts: [RangeContents]
    /// Whether one of the cells is on a ring of references, or depends on one.
    let hasCycle: Bool
    /// How many of the cells hold a number.
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

    /// The cells, part by part. Recurses as deep as `Segment`s are nested, which is five.
    func forEach<Failure>(_ body: (CellValue) throws(Failure) -> Void) throws(Failure) {
        for cell in cells { try body(cell) }
        for part in parts { try part.forEach(body) }
    }
}
