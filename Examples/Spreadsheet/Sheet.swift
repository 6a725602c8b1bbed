import ReactCore
import ReactOperators

/// A sheet: every cell is a node, and every formula is an edge that leads to its cell from the cells that it reads. The
/// graph recalculates and tracks dependencies. The sheet only decides which formula a cell follows.
///
/// - A sheet that was only loaded has no graph yet: see `Loading.swift`.
/// - A cell keeps its node. With a new formula, the node follows other cells, and its downstream edges stay as they
///   are.
/// - A formula with an IF reads one branch, and depends only on that branch until it reads the other.
/// - The graph has no rings. If a formula refers to its own cell, directly or indirectly, the cell is not linked, and
///   its node holds `#CYCLE!`. So does every cell whose formula names such a cell, read or not. While there are rings,
///   every formula reads all cells that it names.
/// - A `batch` holds back the formulas. Each one is evaluated once, when all its inputs are up to date.
/// - A large range is read as segments of columns, which formulas share: see `SegmentIndex`.
/// - Edited cells are emptied before they are linked anew. A formula that is linked to an empty cell waits for its
///   value. The same holds for segments with new cells.
final class Sheet {
    /// The content that is typed into a cell.
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

    /// The result of some edits.
    struct Recalculation {
        /// The cells whose value has changed, row by row.
        let changes: [Change]
        /// The formulas that were evaluated, in order, each as often as it was.
        let evaluated: [CellAddress]
        /// The number of formulas in the sheet.
        let formulaCount: Int
    }

    var cells: [CellAddress: Cell] = [:]
    /// The cells that were written since the sheet was last settled.
    var written: [Cell] = []
    /// The cells on rings.
    private(set) var ring: Set<CellAddress> = []
    /// True if there are cells on rings.
    private let hasRings = MutableNode(false).named("rings")
    /// Holds a value when the formulas that are linked may be evaluated. While a batch links formulas, some of their
    /// inputs still have old values.
    private var mayEvaluate = MutableNode(())
    /// The index of segments. `nil` until a formula names a large range.
    var segments: SegmentIndex?
    let evaluations = EvaluationLog()
    var linked = Extent.all
    /// The loaded cells that may not be linked yet, in the order in which they were computed.
    var loaded: [Item] = []
    /// The dependents of the loaded cells; `nil` before the first edit, and when all are linked.
    var dependents: Dependents?
    /// Called from time to time with the number of formulas that have been linked, and with `nil` when all have been.
    var showLinking: (Int?) -> Void = { _ in }
    /// The texts that look like numbers.
    var lookalikes: [CellAddress: Lookalike] = [:]
    /// True if the nodes have names. Names take memory, and few sheets are asked for their nodes.
    private var hasNames = false

    private(set) var rowCount = 0
    private(set) var columnCount = 0
    private(set) var formulaCount = 0

    /// The present value of a cell.
    subscript(address: CellAddress) -> CellValue {
        guard let cell = cells[address] else { return .empty }
        return cell.isLoaded ? cell.reported : cell.node.value ?? .empty
    }

    /// Returns the node of a cell, or `nil` if the cell was never written and no formula refers to it. The node has the
    /// cell's address as its name, and is the same as long as the sheet lives.
    func node(at address: CellAddress) -> Node<CellValue>? {
        link()
        if !hasNames {
            hasNames = true
            for cell in cells.values { giveNames(to: cell) }
        }
        return cells[address]?.node
    }

    /// Names the node of a cell by its address, and the node of its formula, which it follows, by the formula's text.
    private func giveNames(to cell: Cell) {
        cell.node.name = cell.address.description
        if let formula = cell.formula { cell.node.upstreamNodes.first?.name = formula.text }
        for segment in cell.segments.joined() { segment.giveName() }
    }

    /// Returns the formula of a cell, or `nil` if there is none.
    func formula(at address: CellAddress) -> Formula? { cells[address]?.formula }

    /// The cells with formulas, row by row.
    var formulaAddresses: [CellAddress] { cells.values.filter { $0.formula != nil }.map(\.address).sorted() }

    /// The first cell with a formula, row by row.
    var firstFormula: Node<CellValue>? {
        let formulas = cells.filter { if case .formula = $0.value.content { true } else { false } }
        return formulas.keys.min().flatMap { node(at: $0) }
    }

    /// Returns the cells whose formulas have `address` in a large range, row by row. Needs no node for an empty cell.
    func readers(inRange address: CellAddress) -> [CellAddress] {
        formulaAddresses.filter { formula(at: $0)?.ranges.contains { $0.contains(address) } ?? false }
    }

    /// Returns a constant as it was typed, and `nil` for formulas and empty cells.
    func constant(at address: CellAddress) -> String? {
        guard case .constant(let text) = cells[address]?.content, !text.isEmpty else { return nil }
        return text
    }

    /// The cells of each row that are not empty, from left to right.
    var filledRows: [[CellAddress]] {
        var rows = Array(repeating: [CellAddress](), count: rowCount)
        for (address, cell) in cells where cell.reported != .empty { rows[address.row - 1].append(address) }
        for row in rows.indices { rows[row].sort() }
        return rows
    }

    /// Makes the sheet large enough to contain `corner`, which may be empty.
    func extend(to corner: CellAddress) {
        rowCount = max(rowCount, corner.row)
        columnCount = max(columnCount, corner.column)
    }

    /// Applies all `edits` at once, so that each dependent formula is evaluated once. If two edits name one cell, the
    /// later one counts.
    ///
    /// Takes time for the dependents of the edited cells, and, for edited formulas, for their inputs.
    @discardableResult
    func apply(_ edits: [Edit]) -> Recalculation {
        link(whatDependsOn: edits)
        let isNew = cells.isEmpty
        for edit in edits { write(edit) }
        let ringBefore = ring
        if isNew {
            // No batch is needed, because nothing is linked yet: each formula is evaluated once, as soon as it is
            // linked.
            rewire()
        } else {
            mayEvaluate = MutableNode()
            batch {
                rewire()
                mayEvaluate.value = ()
            }
        }
        let evaluated = evaluations.drain()
        let touched = Set(edits.map(\.address)).union(ring).union(ringBefore).union(evaluated)
        return Recalculation(
            changes: touched.sorted().compactMap(change),
            evaluated: evaluated,
            formulaCount: formulaCount
        )
    }

    /// Writes a cell without evaluating anything. Call `compute` afterwards. `place` begins messages about the cell, as
    /// in `budget.csv:2: `.
    func write(_ edit: Edit, from place: @autoclosure () -> String = "") {
        let cell = cell(at: edit.address)
        written.append(cell)
        if linked != .nothing { enter(cell) }
        if cell.formula != nil { formulaCount -= 1 }
        cell.content = edit.content
        cell.segments = []
        noteLookalike(edit, from: place)
        switch edit.content {
        case .constant(let text):
            if !text.isEmpty { extend(to: edit.address) }
        case .formula(let formula):
            extend(to: edit.address)
            formulaCount += 1
            for reference in formula.references where cells[reference] == nil {
                let cell = self.cell(at: reference)
                if !cell.isLoaded { cell.node.setValue(.empty) }
            }
            cell.segments = formula.ranges.map { indexedSegments(of: $0) }
        }
    }

    /// Returns the cells to settle: the formulas among `edited` and on rings, the segments that have changed, and all
    /// their inputs, inputs first. Notes which cells are on rings now.
    func groups(of edited: [Cell], stale: [Segment] = []) -> Components<Item> {
        // A new ring goes through an edited cell. Cells on old rings are examined again.
        let formulas = (edited + ring.sorted().map { cells[$0]! }).filter { $0.formula != nil }
        let roots = formulas.map(Item.cell) + stale.map(Item.segment)
        let groups = stronglyConnectedComponents(from: roots, references: references)
        ring = []
        for case .cell(let cell) in groups.lazy.filter(isRing).joined() { ring.insert(cell.address) }
        if hasRings.value == ring.isEmpty { hasRings.value = !ring.isEmpty }
        return groups
    }

    /// Links the written cells by their new contents, and all others whose links have changed since.
    private func rewire() {
        let edited = written
        written = []
        let stale = segments?.takeStale() ?? []
        let ringBefore = ring
        let groups = groups(of: edited, stale: stale)
        // Cuts first, then links inputs before their dependents, so no link ever closes a ring.
        for cell in edited { cut(cell.node) }
        for address in ring.symmetricDifference(ringBefore).sorted() { cut(cells[address]!.node) }
        for segment in stale { cut(segment.node) }
        for cell in edited where cell.formula == nil { settle(cell) }
        for item in groups.joined() {
            switch item {
            case .cell(let cell): settle(cell)
            case .segment(let segment): settle(segment)
            }
        }
    }

    private func cell(at address: CellAddress) -> Cell {
        if let cell = cells[address] { return cell }
        let cell = Cell(at: address, isLoaded: linked == .nothing)
        if hasNames { cell.node.name = address.description }
        cells[address] = cell
        segments?.insert(address)
        return cell
    }

    private func indexedSegments(of range: CellRange) -> [Segment] {
        if segments == nil {
            segments = SegmentIndex()
            for address in cells.keys { segments!.insert(address) }
        }
        return segments!.segments(of: range)
    }

    /// Returns the formulas' cells and the segments to which an item refers. Constants are left out, because they refer
    /// to nothing.
    func references(of item: Item) -> [Item] {
        var items: [Item] = []
        func add(_ addresses: [CellAddress]) {
            items.reserveCapacity(addresses.count)
            for address in addresses {
                let cell = cells[address]!
                if cell.formula != nil { items.append(.cell(cell)) }
            }
        }
        switch item {
        case .cell(let cell):
            guard let formula = cell.formula else { return [] }
            add(formula.references)
            for segment in cell.segments.joined() { items.append(.segment(segment)) }
        case .segment(let segment):
            switch segments!.contents(of: segment) {
            case .cells(let addresses): add(addresses)
            case .parts(let parts): items = parts.map(Item.segment)
            }
        }
        return items
    }

    private func isRing(_ group: ArraySlice<Item>) -> Bool {
        guard group.count == 1, case .cell(let cell)? = group.first else { return group.count > 1 }
        return cell.formula?.references.contains(cell.address) ?? false
    }

    /// Unlinks a node and empties it. Dependent cells do not hear of it.
    func cut<Value>(_ node: MutableNode<Value>) {
        guard !node.isEmpty else { return }
        node.removeUpstreamNodes()
        node.clean()
    }

    /// Makes a cell whose node is empty follow its content.
    func settle(_ cell: Cell) {
        guard !cell.isLoaded, cell.node.isEmpty else { return }
        if !ring.isEmpty, ring.contains(cell.address) { return cell.node.setValue(.error(.cycle)) }
        switch cell.content {
        case .constant(let text):
            cell.node.setValue(CellValue(constant: text))
        case .formula(let formula) where formula.isConstant:
            evaluations.append(cell.address)
            cell.node.setValue(formula.value(for: []))
        case .formula(let formula):
            link(cell, by: formula)
        }
    }

    /// Links a cell to the result of its formula: to all cells that it names, or to one branch of an IF.
    private func link(_ cell: Cell, by formula: Formula) {
        let cells: [Node<CellValue>] = formula.references.map { self.cells[$0]!.node }
        let ranges = cell.segments.map { $0.map(\.node) }
        let (address, evaluations, hasRings, mayEvaluate) = (cell.address, evaluations, hasRings, mayEvaluate)
        let isSelective = formula.isSelective
        let value = computed { read in
            if read.untracked(mayEvaluate) == nil { try read(mayEvaluate) }
            let value: CellValue
            if isSelective, try !read(hasRings) {
                value = try formula.value {
                    try read(cells[$0])
                } range: {
                    try read.contents(of: ranges[$0])
                }
            } else {
                value = formula.value(
                    for: try cells.map { try read($0) }, ranges: try ranges.map { try read.contents(of: $0) })
            }
            evaluations.append(address)
            return value
        }
        let edge = LinkTransform<CellValue>()
        edge.name = formula.text
        edge.to = cell.node
        edge.from = value
        if hasNames { giveNames(to: cell) }
    }

    /// Makes an empty segment follow its cells.
    func settle(_ segment: Segment) {
        guard segment.loaded == nil, segment.node.isEmpty else { return }
        switch segments!.contents(of: segment) {
        case .cells(let addresses) where addresses.isEmpty: segment.node.setValue(RangeContents(cells: []))
        case .cells(let addresses):
            let cells: [Node<CellValue>] = addresses.map { self.cells[$0]!.node }
            segment.node.link(to: Node.combine(cells).map { RangeContents(cells: $0) })
        case .parts(let parts):
            segment.parts = parts
            guard !parts.isEmpty else { return segment.node.setValue(RangeContents(cells: [])) }
            segment.node.link(to: Node.combine(parts.map(\.node)).map { RangeContents(parts: $0) })
        }
    }

    private func change(at address: CellAddress) -> Change? {
        let cell = cells[address]!
        let (old, new) = (cell.reported, self[address])
        cell.reported = new
        return old == new ? nil : Change(address: address, old: old, new: new)
    }
}

extension NodeReader {
    /// Returns the contents of a range that consists of `segments`.
    fileprivate func contents(of segments: [Node<RangeContents>]) throws -> RangeContents {
        RangeContents(parts: try segments.map { try self($0) })
    }
}
