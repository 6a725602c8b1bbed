import ReactCore

extension Sheet {
    final class Cell: Hashable {
        let address: CellAddress
        /// Empty while the cell does not follow its content yet, or any more; of a cell that is only loaded, its value.
        lazy var node = isLoaded ? MutableNode(reported) : MutableNode<CellValue>()
        var content = Content.constant("")
        /// The segments of the formula's large ranges, range by range.
        var segments: [[Segment]] = []
        /// The value that was last reported; while the cell is only loaded, the value.
        var reported = CellValue.empty
        /// True while nothing that the cell holds or depends on was edited since the sheet was read. Its node, if there
        /// is one, then follows nothing.
        var isLoaded: Bool

        init(at address: CellAddress, isLoaded: Bool) {
            self.address = address
            self.isLoaded = isLoaded
        }

        var formula: Formula? { if case .formula(let formula) = content { formula } else { nil } }

        static func == (lhs: Cell, rhs: Cell) -> Bool { lhs === rhs }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    /// The direct and indirect inputs of a formula, which may themselves have inputs.
    enum Item: Hashable {
        case cell(Cell)
        case segment(Segment)
    }
}
