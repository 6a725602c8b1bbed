import ReactCore

extension Sheet {
    final class Cell: Hashable {
        let address: CellAddress
        /// The node of the cell. It is empty while the cell does not follow its content. If the cell is only loaded, it
        /// holds the cell's value.
        lazy var node = isLoaded ? MutableNode(reported) : MutableNode<CellValue>()
        var content = Content.constant("")
        /// The segments of the formula's large ranges, range by range.
        var segments: [[Segment]] = []
        /// The value that was last reported. While the cell is only loaded, its value.
        var reported = CellValue.empty
        /// True while neither the cell nor any of its direct or indirect inputs has been edited since the sheet was
        /// read. The cell's node, if there is one, then follows nothing.
        var isLoaded: Bool
        /// The cell's number in `Dependents`; -1 for none.
        var number: Int32 = -1

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
