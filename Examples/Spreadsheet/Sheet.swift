import ReactCore
import ReactGraph
import ReactOperators

/// A sheet: every cell is a node, and every formula an edge that leads to its cell from the combination of the cells
/// that it refers to. The graph recalculates; the sheet only says what is linked to what.
///
/// - A cell's node stays the same for good. A new formula re-points the edges that lead to it; those that lead on from
///   it, to the cells that depend on it, are never touched.
/// - The graph holds no rings. A cell whose formula leads back to it is not linked; its node holds `#CYCLE!`, which
///   travels on from there, until an edit breaks the ring.
/// - Even a single reference goes through a combination: that is what a `batch` holds back, so that each formula is
///   evaluated once, when all that it depends on is up to date.
/// - A cell that a formula names twice is one input of it; a range is as many inputs as it has cells.
/// - Edited cells are emptied before they are linked anew: what is linked to an empty cell has nothing to take over,
///   and waits for its value.
final class Sheet {
    /// What is typed into a cell.
    enum Content {
        case constant(String)
        case formula(Formula)

        /// Text that starts with `=` is a formula.
        init(_ text: String) throws(FormulaError) {
            self = text.utf8.first == UInt8(ascii: "=") ? .formula(try Formula(text)) : .constant(text)
        }
    }

    struct Edit {
        let address: CellAddress
        let content: Content
    }

    struct Change: Equatable {
        let address: CellAddress
        let old: CellValue
        let new: CellValue
    }

    /// What came of some edits.
    struct Recalculation {
        /// The cells whose value is another now, row by row.
        let changes: [Change]
        /// The formulas that were evaluated, in order, each as often as it was.
        let evaluated: [CellAddress]
        /// How many formulas the sheet has.
        let formulaCount: Int
    }

    private final class Cell {
        /// Holds a value, `.empty` for one, unless the cell was edited and is not settled yet.
        let node: MutableNode<CellValue>
        var content = Content.constant("")
        /// The value that was last reported.
        var reported = CellValue.empty

        init(at address: CellAddress) {
            node = MutableNode(.empty).named(address.description)
        }
    }

    private var cells: [CellAddress: Cell] = [:]
    private var ring: Set<CellAddress> = []
    private let evaluations = EvaluationLog()

    private(set) var rowCount = 0
    private(set) var columnCount = 0
    private(set) var formulaCount = 0

    /// The value of a cell now.
    subscript(address: CellAddress) -> CellValue { cells[address]?.node.value ?? .empty }

    /// The node of a cell; `nil` where nothing has been written and no formula refers to. It is named by the cell's
    /// address, and is the same for as long as the sheet lives.
    func node(at address: CellAddress) -> Node<CellValue>? { cells[address]?.node }

    /// A constant as it was typed; `nil` for formulas and empty cells.
    func constant(at address: CellAddress) -> String? {
        guard case .constant(let text) = cells[address]?.content, !text.isEmpty else { return nil }
        return text
    }

    /// For each row the cells in it that are not empty, from left to right.
    var filledRows: [[CellAddress]] {
        var rows = Array(repeating: [CellAddress](), count: rowCount)
        for address in cells.filter({ $0.value.reported != .empty }).keys.sorted() {
            rows[address.row - 1].append(address)
        }
        return rows
    }

    /// The formulas' cells, what they refer to, and what leads where.
    var graph: GraphSnapshot {
        let formulas = cells.filter { if case .formula = $0.value.content { true } else { false } }
        return GraphSnapshot(of: formulas.keys.sorted().map { cells[$0]!.node })
    }

    /// Makes the sheet at least so large, whether or not there is anything in it.
    func extend(to corner: CellAddress) {
        rowCount = max(rowCount, corner.row)
        columnCount = max(columnCount, corner.column)
    }

    /// Makes all of `edits` at once: what depends on them is evaluated once. Of two edits of one cell the later counts.
    ///
    /// Takes time for what depends on the edited cells, and, where formulas are edited, for what they depend on.
    @discardableResult
    func apply(_ edits: [Edit]) -> Recalculation {
        let isNew = cells.isEmpty
        for edit in edits { write(edit) }
        let edited = Set(edits.map(\.address))
        let ringBefore = ring
        if isNew {
            // Nothing is linked that a batch could hold back: each formula is evaluated once, as soon as it is linked.
            rewire(edited)
        } else {
            batch { rewire(edited) }
        }
        let evaluated = evaluations.drain()
        let touched = edited.union(ring).union(ringBefore).union(evaluated)
        return Recalculation(
            changes: touched.sorted().compactMap(change),
            evaluated: evaluated,
            formulaCount: formulaCount
        )
    }

    /// Links the cells as their contents say, as far as that can have changed.
    private func rewire(_ edited: Set<CellAddress>) {
        // Any new ring goes through an edited cell, and the old ones are looked at again.
        let groups = stronglyConnectedComponents(from: edited.union(ring).sorted(), references: references)
        let ringBefore = ring
        ring = Set(groups.filter(isRing).joined())
        // First cut, then link, and what is depended on before what depends on it: so no link ever closes a ring.
        for address in edited.union(ring.symmetricDifference(ringBefore)).sorted() { cut(address) }
        for address in groups.joined() { settle(address) }
    }

    private func write(_ edit: Edit) {
        let cell = cell(at: edit.address)
        if case .formula = cell.content { formulaCount -= 1 }
        cell.content = edit.content
        switch edit.content {
        case .constant(let text):
            if !text.isEmpty { extend(to: edit.address) }
        case .formula(let formula):
            extend(to: edit.address)
            formulaCount += 1
            for reference in formula.references { _ = self.cell(at: reference) }
        }
    }

    private func cell(at address: CellAddress) -> Cell {
        if let cell = cells[address] { return cell }
        let cell = Cell(at: address)
        cells[address] = cell
        return cell
    }

    private func references(of address: CellAddress) -> [CellAddress] {
        guard case .formula(let formula) = cells[address]!.content else { return [] }
        return formula.references
    }

    private func isRing(_ group: [CellAddress]) -> Bool {
        group.count > 1 || references(of: group[0]).contains(group[0])
    }

    /// Unlinks a cell and empties its node, of which the cells that depend on it do not hear.
    private func cut(_ address: CellAddress) {
        let cell = cells[address]!
        cell.node.removeUpstreamNodes()
        cell.node.clean()
    }

    /// Makes a cell whose node is empty follow its content.
    private func settle(_ address: CellAddress) {
        let cell = cells[address]!
        guard cell.node.isEmpty else { return }
        if ring.contains(address) { return cell.node.setValue(.error(.cycle)) }
        switch cell.content {
        case .constant(let text):
            cell.node.setValue(CellValue(constant: text))
        case .formula(let formula) where formula.references.isEmpty:
            evaluations.append(address)
            cell.node.setValue(formula.value(for: []))
        case .formula(let formula):
            let inputs: [Node<CellValue>] = formula.references.map { cells[$0]!.node }
            let edge = FormulaEdge(formula, at: address, loggingTo: evaluations)
            cell.node.link(to: Node.combine(inputs), transform: edge)
        }
    }

    private func change(at address: CellAddress) -> Change? {
        let cell = cells[address]!
        let (old, new) = (cell.reported, self[address])
        cell.reported = new
        return old == new ? nil : Change(address: address, old: old, new: new)
    }
}
