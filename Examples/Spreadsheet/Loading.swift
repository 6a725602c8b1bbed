// A sheet that is read from a file is computed cell by cell, and has no graph at first. A formula takes several times
// the memory in the graph, and most of a sheet is only looked at. Each edit links the formulas that depend on it. The
// first question for a node links the rest. A cell that is only loaded holds its computed value, because none of its
// inputs has been edited.
//
// Invariant: everything that depends on a linked cell or segment is linked.

extension Sheet {
    /// The part of the sheet that is linked.
    enum Extent { case nothing, aPart, all }

    /// Begins a new sheet: `write` it cell by cell, and then `compute` it.
    func beginLoading() { linked = .nothing }

    /// Evaluates a sheet that was loaded. Calls `progress` from time to time with the number of evaluated formulas.
    func compute(progress: (_ done: Int, _ total: Int) -> Void) {
        let groups = groups(of: written)
        for cell in written {
            if case .constant(let text) = cell.content { cell.reported = CellValue(constant: text) }
        }
        loaded = groups.items
        for (index, item) in loaded.enumerated() {
            if index & 0x7FFF == 0x7FFF { progress(index + 1, groups.count) }
            switch item {
            case .cell(let cell): cell.reported = value(of: cell)
            case .segment(let segment): segment.loaded = contents(of: segment)
            }
        }
        written = []
        // Each segment was computed from all of its cells.
        _ = segments?.takeStale()
    }

    /// The value of a formula's cell in a loaded sheet.
    private func value(of cell: Cell) -> CellValue {
        guard let formula = cell.formula, ring.isEmpty || !ring.contains(cell.address) else { return .error(.cycle) }
        return formula.value(
            for: formula.references.map { cells[$0]!.reported },
            ranges: cell.segments.map { RangeContents(parts: $0.compactMap(\.loaded)) }
        )
    }

    private func contents(of segment: Segment) -> RangeContents {
        switch segments!.contents(of: segment) {
        case .cells(let addresses): return RangeContents(cells: addresses.map { cells[$0]!.reported })
        case .parts(let parts):
            segment.parts = parts
            return RangeContents(parts: parts.compactMap(\.loaded))
        }
    }

    // MARK: Linking

    /// Makes the graph of all loaded cells.
    func link() {
        guard linked != .all else { return }
        linked = .all
        link(loaded.lazy.filter(\.isLoaded))
        loaded = []
        dependents = nil
    }
    /// Makes the graph of all formulas that depend on the cells to be edited. The first edit takes time for all
    /// formulas, to find the dependents of each cell. Later ones take time for the formulas that they link.
    func link(whatDependsOn edits: [Edit]) {
        guard linked != .all else { return }
        // A sheet with rings is linked as a whole.
        guard ring.isEmpty else { return link() }
        linked = .aPart
        let dependents = dependents ?? Dependents(of: loaded, inputs: inputs)
        self.dependents = dependents
        var roots: [Item] = []
        for edit in edits {
            if let cell = cells[edit.address] {
                roots.append(.cell(cell))
                enter(cell)
            }
            // From now on, the sheet contains the cells that the formula names.
            for address in [edit.address] + edit.references.filter({ cells[$0] == nil }) {
                roots += (segments?.segments(with: address) ?? []).map(Item.segment)
            }
        }
        link(dependents.all(on: roots) { !$0.isLoaded })
    }
    /// The cells and segments that an item reads, constants and empty cells included.
    private func inputs(of item: Item) -> [Item] {
        switch item {
        case .cell(let cell):
            (cell.formula?.references ?? []).map { .cell(cells[$0]!) } + cell.segments.joined().map(Item.segment)
        case .segment(let segment):
            switch segments!.contents(of: segment) {
            case .cells(let addresses): addresses.map { .cell(cells[$0]!) }
            case .parts(let parts): parts.map(Item.segment)
            }
        }
    }
    /// Links loaded items. Inputs come first.
    private func link(_ items: some Sequence<Item>) {
        for (index, item) in items.enumerated() {
            if index & 0x7FFF == 0x7FFF { showLinking(index + 1) }
            switch item {
            case .cell(let cell):
                cell.isLoaded = false
                cut(cell.node)
                settle(cell)
            case .segment(let segment):
                segment.loaded = nil
                cut(segment.node)
                settle(segment)
            }
        }
        showLinking(nil)
        _ = evaluations.drain()
    }
    /// Gives a cell's node the cell's value before its content changes.
    func enter(_ cell: Cell) {
        guard cell.isLoaded else { return }
        _ = cell.node
        cell.isLoaded = false
    }
}

extension Sheet.Item {
    /// True for a cell that was loaded and is not linked yet.
    fileprivate var isLoaded: Bool {
        switch self {
        case .cell(let cell): cell.isLoaded
        case .segment(let segment): segment.loaded != nil
        }
    }
}

extension Sheet.Edit {
    fileprivate var references: [CellAddress] {
        if case .formula(let formula) = content { formula.references } else { [] }
    }
}
