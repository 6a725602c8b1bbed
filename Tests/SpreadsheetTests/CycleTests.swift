import TestSupport
import Testing

@testable import spreadsheet

@Suite("Reference rings")
struct CycleTests {
    private let cycle = CellValue.error(.cycle)

    @Test("a cell that refers to itself, alone or in a range, is on a ring")
    func ringOfOne() throws {
        let sheet = try Sheet("=A1,=SUM(A2:C2)\n1,=SUM(A2:C2)+1,2")
        #expect(sheet["A1"] == cycle)
        #expect(sheet["B2"] == cycle)
        #expect(sheet["B1"] == cycle)
        #expect(sheet["C2"] == .number(2))
    }

    @Test("rings of two and three, and cells that depend on them, hold #CYCLE!; cells that they depend on do not")
    func rings() throws {
        let sheet = try Sheet("=B1,=A1,=A1+1,4\n=B2+D1,=C2,=A2,=D1*2")
        for name in ["A1", "B1", "C1", "A2", "B2", "C2"] { #expect(sheet[name] == cycle, "\(name)") }
        #expect(sheet["D2"] == .number(8))
    }

    @Test("an edit closes a ring, and the cells that depend on it hear of it once")
    func closing() throws {
        let sheet = try Sheet("1,=A1+1,=B1+1,=C1+A1")
        let recalculation = try sheet.edit("A1==C1")
        #expect(
            recalculation.changeTexts == [
                "A1: 1 -> #CYCLE!", "B1: 2 -> #CYCLE!", "C1: 3 -> #CYCLE!", "D1: 4 -> #CYCLE!",
            ]
        )
        #expect(recalculation.evaluatedNames == ["D1"])
    }

    @Test("a constant in the ring heals it, each cell with one evaluation", arguments: ["A1=1", "B1=2", "C1=3", "A1="])
    func healing(edit: String) throws {
        let sheet = try Sheet("=C1+1,=A1+1,=B1+1,=C1+A1")
        let recalculation = try sheet.edit(edit)
        let formulas = ["A1", "B1", "C1", "D1"].filter { !edit.hasPrefix($0) }
        #expect(recalculation.evaluatedNames == formulas)
        #expect(recalculation.changes.count == 4)
        for name in ["A1", "B1", "C1", "D1"] { #expect(sheet[name] != cycle, "\(name)") }
    }

    @Test("a formula that leads elsewhere heals the ring, and the cells live on")
    func healingByFormula() throws {
        let sheet = try Sheet("=B1+1,=A1+1,5")
        try sheet.edit("A1==C1*2")
        #expect(sheet["B1"] == .number(11))
        #expect(try sheet.edit("C1=6").changeTexts == ["A1: 10 -> 12", "B1: 11 -> 13", "C1: 5 -> 6"])
    }

    @Test("of two rings through one cell, breaking one leaves the other")
    func twoRings() throws {
        let sheet = try Sheet("=B1+C1,=A1,=A1")
        try sheet.edit("B1=1")
        #expect(sheet["A1"] == cycle)
        #expect(sheet["B1"] == .number(1))
        #expect(sheet["C1"] == cycle)
        try sheet.edit("C1=2")
        #expect(sheet["A1"] == .number(3))
    }

    @Test("breaking a ring elsewhere leaves those that depend on a second ring as they are")
    func chainOfRings() throws {
        let sheet = try Sheet("=B1,=A1+C1,=D1,=C1,=B1+1")
        try sheet.edit("B1==C1")
        #expect(sheet["E1"] == cycle)
        #expect(sheet["A1"] == cycle)
        try sheet.edit("D1=7")
        #expect(["A1", "B1", "C1", "E1"].map { sheet[$0] } == [.number(7), .number(7), .number(7), .number(8)])
    }

    @Test("an edit inside a ring that leaves it a ring changes nothing")
    func stillARing() throws {
        let sheet = try Sheet("=B1,=A1,=B1")
        let recalculation = try sheet.edit("A1==B1+1")
        #expect(recalculation.changes.isEmpty)
        #expect(recalculation.evaluated.isEmpty)
    }

    @Test("one set of edits may break one ring and close another")
    func exchange() throws {
        let sheet = try Sheet("=B1,=A1,1,=C1+1")
        try sheet.edit("A1=5", "C1==D1")
        #expect(["A1", "B1", "C1", "D1"].map { sheet[$0] } == [.number(5), .number(5), cycle, cycle])
    }
}

/// Random sheets and random edits, against values worked out by a naive evaluation from scratch.
@Suite("A sheet and its model")
struct SheetModelTests {
    private static let cells = ["A1", "B1", "C1", "A2", "B2", "C2", "A3", "B3", "C3"]

    private enum Content {
        case nothing
        case number(Int)
        case sum([Int])
        /// A condition, and what is shown where it holds and where not.
        case choice([Int])

        var cells: [Int] {
            switch self {
            case .nothing, .number: []
            case .sum(let cells), .choice(let cells): cells
            }
        }
    }

    @Test(
        "after every set of edits each cell holds the value of a fresh start, and was evaluated no more than once",
        arguments: 1...(Scale.gate.isSmall ? 20 : 60)
    )
    func randomEdits(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var contents = Self.cells.map { _ in Content.nothing }
        var sheet = try Sheet("")
        for step in 1...25 {
            // What is edited first, and what after that, of a sheet that was read from a file.
            if step.isMultiple(of: 4) {
                let rows = stride(from: 0, to: contents.count, by: 3).map { contents[$0..<$0 + 3].map(text) }
                sheet = try Sheet(rows.map(CSV.record).joined())
            }
            var edits: [String] = []
            var edited: Set<Int> = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let cell = Self.cells.indices.randomElement(using: &random)!
                edited.insert(cell)
                func cells(_ count: Int) -> [Int] {
                    (0..<count).map { _ in Self.cells.indices.randomElement(using: &random)! }
                }
                switch Int.random(in: 0..<6, using: &random) {
                case 0...2: contents[cell] = .number(max(0, Int.random(in: -50...50, using: &random)))
                case 3...4: contents[cell] = .sum(cells(Int.random(in: 1...3, using: &random)))
                default: contents[cell] = .choice(cells(3))
                }
                edits.append("\(Self.cells[cell])=\(text(contents[cell]))")
            }
            let before = Self.cells.map { sheet[$0] }
            let recalculation = sheet.apply(try edits.map { try Sheet.Edit($0) })
            let label: Comment = "seed \(seed), step \(step): \(edits)"

            for (index, name) in Self.cells.enumerated() {
                #expect(sheet[name] == model(contents, index), "\(name), \(label)")
            }
            #expect(Set(recalculation.evaluated).count == recalculation.evaluated.count, label)
            let changed = Self.cells.indices.filter { before[$0] != sheet[Self.cells[$0]] }.map { Self.cells[$0] }
            #expect(Set(recalculation.changes.map(\.address.description)) == Set(changed), label)
            // While there are rings, an IF reads both branches.
            let ringsCameOrWent = before.contains(cycle) != Self.cells.contains { sheet[$0] == cycle }
            for name in recalculation.evaluatedNames {
                let cell = Self.cells.firstIndex(of: name)!
                let isChoice = if case .choice = contents[cell] { true } else { false }
                #expect(
                    !reach(contents, cell).isDisjoint(with: edited) || before[cell] == cycle
                        || isChoice && ringsCameOrWent,
                    "\(name), \(label)"
                )
            }
        }
    }

    private let cycle = CellValue.error(.cycle)

    private func text(_ content: Content) -> String {
        let names = content.cells.map { Self.cells[$0] }
        return switch content {
        case .nothing: ""
        case .number(let number): String(number)
        case .sum: "=" + names.joined(separator: "+")
        case .choice: "=IF(\(names.joined(separator: ",")))"
        }
    }

    /// The cell and all that it depends on.
    private func reach(_ contents: [Content], _ cell: Int) -> Set<Int> {
        var reached: Set<Int> = [cell]
        var waiting = [cell]
        while let next = waiting.popLast() {
            for cell in contents[next].cells where reached.insert(cell).inserted { waiting.append(cell) }
        }
        return reached
    }

    private func model(_ contents: [Content], _ cell: Int, through: [Int] = []) -> CellValue {
        guard !through.contains(cell) else { return .error(.cycle) }
        var inputs: [Double] = []
        for input in contents[cell].cells {
            switch model(contents, input, through: through + [cell]) {
            case .number(let number): inputs.append(number)
            case .empty: inputs.append(0)
            default: return cycle
            }
        }
        return switch contents[cell] {
        case .nothing: .empty
        case .number(let number): .number(Double(number))
        case .sum: .number(inputs.reduce(0, +))
        case .choice: .number(inputs[0] != 0 ? inputs[1] : inputs[2])
        }
    }
}
