import ReactCore
import TestSupport
import Testing

@testable import spreadsheet

@Suite("A sheet recalculates")
struct SheetTests {
    @Test("cells hold constants of every kind and the values of formulas, wherever they refer to")
    func loading() throws {
        let sheet = try Sheet("=A2*2,text,TRUE,#REF!\n=C2+1,,5,1.50\n\"=B1&\"\", \"\"&A1\"")
        #expect(sheet["A1"] == .number(12))
        #expect(sheet["A2"] == .number(6))
        #expect(sheet["A3"] == .text("text, 12"))
        #expect(sheet["B1"] == .text("text"))
        #expect(sheet["B2"] == .empty)
        #expect(sheet["C1"] == .bool(true))
        #expect(sheet["D1"] == .error(.reference))
        #expect(sheet["Z99"] == .empty)
        #expect(sheet.formulaCount == 3)
        #expect((sheet.rowCount, sheet.columnCount) == (3, 4))
    }

    @Test(
        "a number between spaces is a number, and other text between spaces is text",
        arguments: [
            (" 20 ", .number(20)), ("\u{A0}20", .number(20)), ("-1.5\t", .number(-1.5)), (" a ", .text(" a ")),
            ("2 0", .text("2 0")), ("  ", .text("  ")),
        ] as [(String, CellValue)]
    )
    func spaces(text: String, value: CellValue) { #expect(CellValue(constant: text) == value) }

    @Test("filling a new sheet evaluates each formula once, in any order of the cells")
    func filling() throws {
        let recalculation = try Sheet().edit("C1==A1+B1+Z9", "B1==A1*2", "A1=3", "D1==D1", "E1==D1+C1", "F1==2+2")
        #expect(recalculation.evaluatedNames == ["B1", "C1", "E1", "F1"])
        #expect(
            recalculation.changeTexts == [
                "A1: (empty) -> 3", "B1: (empty) -> 6", "C1: (empty) -> 9", "D1: (empty) -> #CYCLE!",
                "E1: (empty) -> #CYCLE!", "F1: (empty) -> 4",
            ]
        )
    }

    @Test("an edit evaluates each cell that depends on it once, and no other")
    func evaluation() throws {
        let sheet = try Sheet("1,=A1+1,=B1+A1,=C1+B1+A1\n2,=A2+1,=B1+B2,")
        let recalculation = try sheet.edit("A1=10")
        #expect(recalculation.evaluatedNames == ["B1", "C1", "D1", "C2"])
        #expect(recalculation.formulaCount == 5)
        #expect(
            recalculation.changeTexts == ["A1: 1 -> 10", "B1: 2 -> 11", "C1: 3 -> 21", "D1: 6 -> 42", "C2: 5 -> 14"]
        )
    }

    @Test("all edits together evaluate a cell once, however many of its inputs they change")
    func together() throws {
        let sheet = try Sheet("1,2,3\n=A1+B1,=B1+C1,=SUM(A1:C1)\n=SUM(A2:C2),,")
        let recalculation = try sheet.edit("A1=10", "B1=20", "C1=30")
        #expect(recalculation.evaluatedNames == ["A2", "B2", "C2", "A3"])
        #expect(sheet["A3"] == .number(30 + 50 + 60))
    }

    @Test("of two edits of one cell the later counts")
    func laterEdit() throws {
        let sheet = try Sheet("1,=A1*2")
        let recalculation = try sheet.edit("A1=5", "A1==B2+3", "A1=7")
        #expect(recalculation.changeTexts == ["A1: 1 -> 7", "B1: 2 -> 14"])
        #expect(recalculation.evaluatedNames == ["B1"])
    }

    @Test("an edit that changes nothing reports no change")
    func sameValue() throws {
        let sheet = try Sheet("1,=A1*2")
        #expect(try sheet.edit("A1=1").changes.isEmpty)
        #expect(try sheet.edit("B1==A1+A1").changes.isEmpty)
    }

    @Test(
        "a new formula re-points the edges: the cell follows the cells that it names now, and its dependents still follow it"
    )
    func repointing() throws {
        let sheet = try Sheet("1,10,=A1,=C1*2")
        var recalculation = try sheet.edit("C1==B1+1")
        #expect(recalculation.evaluatedNames == ["C1", "D1"])
        #expect(recalculation.changeTexts == ["C1: 1 -> 11", "D1: 2 -> 22"])
        recalculation = try sheet.edit("A1=5")
        #expect(recalculation.evaluatedNames == [])
        recalculation = try sheet.edit("B1=20")
        #expect(recalculation.changeTexts == ["B1: 10 -> 20", "C1: 11 -> 21", "D1: 22 -> 42"])
    }

    @Test("a cell's node bears its address, and the edge to it its formula; the node stays when the formula is another")
    func graph() throws {
        let sheet = try Sheet("1,=A1*2,=B1+A1")
        let cell = try #require(CellAddress("B1"))
        let node = try #require(sheet.node(at: cell))
        #expect(node.name == "B1")
        #expect(node.valueDescription == "2")
        #expect(node.upstreamTransforms.map(\.name) == ["=A1*2"])
        #expect(node.upstreamNodes.flatMap(\.upstreamNodes).map(\.name) == ["A1"])

        let downstream = node.downstreamTransforms
        try sheet.edit("B1==C2+D2+C2")
        #expect(sheet.node(at: cell) === node)
        #expect(node.upstreamTransforms.map(\.name) == ["=C2+D2+C2"])
        #expect(node.upstreamNodes.flatMap(\.upstreamNodes).map(\.name) == ["C2", "D2"])
        #expect(node.downstreamTransforms == downstream)
    }

    @Test("a loaded sheet is linked at its first edit, which evaluates only the cells that depend on it")
    func firstEdit() throws {
        let sheet = try Sheet("1,=A1+1,=SUM(A1:A100),=C1,=E1\n7,=B1&C1,5,=C2*2,\n")
        let names = ["A1", "B1", "C1", "D1", "A2"]
        #expect(names.map { sheet[$0] } == [1, 2, 8, 8, 7].map { .number($0) })
        #expect(sheet["E1"] == .error(.cycle))
        #expect(sheet["B2"] == .text("28"))
        let recalculation = try sheet.edit("C2=6")
        #expect(recalculation.evaluatedNames == ["D2"])
        #expect(recalculation.changeTexts == ["C2: 5 -> 6", "D2: 10 -> 12"])
        #expect(names.map { sheet[$0] } == [1, 2, 8, 8, 7].map { .number($0) })
        #expect(try sheet.edit("A1=10", "A2=0").evaluatedNames == ["B1", "C1", "D1", "B2"])
        #expect(names.map { sheet[$0] } == [10, 11, 10, 10, 0].map { .number($0) })
    }

    @Test("the first edit of a loaded sheet links the cells that depend on it, and leaves the rest as it was computed")
    func firstEditOfAPart() throws {
        let sheet = try Sheet("1,=A1+1,=B1+B2,=C1\n2,=A2*2,=B2,\"=IF(TRUE,C2,B1)\"\n")
        #expect(try sheet.edit("A1=5").evaluatedNames == ["B1", "C1", "D1"])
        #expect(["B2", "C2", "D2"].map { sheet.cells[CellAddress($0)!]!.isLoaded } == [true, true, false])
        #expect(["B1", "C1", "D1", "B2", "C2", "D2"].map { sheet[$0] } == [6, 10, 10, 4, 4, 4].map { .number($0) })
        #expect(try sheet.edit("A2=3").evaluatedNames == ["C1", "D1", "B2", "C2", "D2"])
        #expect(["B1", "C1", "D1", "B2", "C2", "D2"].map { sheet[$0] } == [6, 12, 12, 6, 6, 6].map { .number($0) })
    }

    @Test("each edit of a loaded sheet links the cells that depend on it, and no others")
    func laterEdits() throws {
        let sheet = try Sheet("1,=A1+1,=B1\n2,=A2+1,=SUM(A1:A200)\n3,=A3+B2,\n4,=A4,\n")
        let names = ["B1", "C1", "B2", "C2", "B3", "B4"]
        func linked() -> [String] { names.filter { !sheet.cells[CellAddress($0)!]!.isLoaded } }
        #expect(try sheet.edit("A1=5").evaluatedNames == ["B1", "C1", "C2"])
        #expect(linked() == ["B1", "C1", "C2"])
        #expect(try sheet.edit("A3=10").evaluatedNames == ["C2", "B3"])
        #expect(linked() == ["B1", "C1", "C2", "B3"])
        // The formula reads a cell that is only loaded, and one that the sheet did not have.
        #expect(try sheet.edit("D1==B4+A90").changeTexts == ["D1: (empty) -> 4"])
        #expect(linked() == ["B1", "C1", "C2", "B3"])
        #expect(try sheet.edit("A2=7", "A90=1").evaluatedNames == ["D1", "B2", "C2", "B3"])
        #expect(linked() == ["B1", "C1", "B2", "C2", "B3"])
        #expect(try sheet.edit("A4=9").evaluatedNames == ["D1", "C2", "B4"])
        #expect(linked() == names)
        let values: [Double] = [6, 6, 8, 5 + 7 + 10 + 9 + 1, 18, 9]
        #expect(names.map { sheet[$0] } == values.map { .number($0) })
        #expect(sheet["D1"] == .number(10))
    }

    @Test(
        "a loaded sheet has the values after random edits that the edited sheet has when it is read",
        arguments: 0..<20 as Range<UInt64>)
    func randomEdits(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func formula(row: Int) -> String {
            guard row > 1, Bool.random(using: &random) else { return "\(Int.random(in: 0...9, using: &random))" }
            let other = CellAddress(
                column: Int.random(in: 1...3, using: &random), row: Int.random(in: 1..<row, using: &random))
            return Bool.random(using: &random) ? "=\(other)+1" : "=SUM(A1:\(other))"
        }
        var rows = (1...80).map { row in (1...3).map { _ in formula(row: row) } }
        let sheet = try Sheet(rows.map { $0.joined(separator: ",") }.joined(separator: "\n"))
        for _ in 0..<12 {
            let (row, column) = (Int.random(in: 1...80, using: &random), Int.random(in: 1...3, using: &random))
            rows[row - 1][column - 1] = formula(row: row)
            try sheet.edit("\(CellAddress(column: column, row: row))=\(rows[row - 1][column - 1])")
            let anew = try Sheet(rows.map { $0.joined(separator: ",") }.joined(separator: "\n"))
            for cell in anew.cells.keys { #expect(sheet[cell] == anew[cell], "seed \(seed), \(cell)") }
        }
    }

    @Test("the node of a formula has the formula's text as its name, and a segment those of its cells")
    func innerNames() throws {
        let sheet = try Sheet("1,=A1*2,=SUM(A1:A300)\n2,,\n")
        let inner = sheet.node(at: CellAddress("B1")!)?.upstreamNodes.first
        #expect(inner?.name == "=A1*2")
        let sum = sheet.node(at: CellAddress("C1")!)?.upstreamNodes.first
        #expect(sum?.name == "=SUM(A1:A300)")
        let segments = sum?.upstreamNodes.map { $0.name ?? "" }
        #expect(segments == ["A1:A256", "A257:A272", "A273:A288", "A289:A300"])
        try sheet.edit("B1==A2")
        #expect(sheet.node(at: CellAddress("B1")!)?.upstreamNodes.first?.name == "=A2")
    }

    @Test("an edge is let go of with its formula, and all of the graph with the sheet")
    func lifetime() throws {
        var sheet: Sheet? = try Sheet("1,=A1*2,=B1+A1\n=B2,=A2,=B2")
        weak var node: Node<CellValue>?
        weak var edge: AnyTransform?
        node = sheet?.node(at: try #require(CellAddress("B1")))
        edge = node?.upstreamTransforms.first
        #expect(edge != nil)
        try sheet?.edit("B1=3")
        #expect(edge == nil)
        #expect(node != nil)
        sheet = nil
        #expect(node == nil)
    }

    @Test("a formula and a cell that it depends on may be edited together, in either order")
    func dependentEdits() throws {
        for reversed in [false, true] {
            let sheet = try Sheet("1,=A1+1,,=C1")
            let edits = ["A1=5", "B1==A1*10", "C1==B1+A1"]
            let recalculation = sheet.apply(try (reversed ? edits.reversed() : edits).map { try Sheet.Edit($0) })
            #expect(recalculation.evaluatedNames == ["B1", "C1", "D1"])
            #expect(sheet["D1"] == .number(55))
        }
    }

    @Test("two cells may exchange which depends on which, at once")
    func exchange() throws {
        let sheet = try Sheet("1,=A1+1,=A1+B1")
        let recalculation = try sheet.edit("A1==B1*3", "B1=7")
        #expect(recalculation.evaluatedNames == ["A1", "C1"])
        #expect(sheet["C1"] == .number(28))
    }

    @Test("a formula gives way to a constant, a constant to a formula, either to nothing, and nothing to either")
    func contents() throws {
        let sheet = try Sheet("2,=A1*2,=B1+1,=SUM(A1:B2)")
        try sheet.edit("B1=100")
        #expect(sheet["C1"] == .number(101))
        #expect(try sheet.edit("A1=3").evaluatedNames == ["D1"])
        #expect(sheet.formulaCount == 2)
        try sheet.edit("B1==A1")
        #expect(sheet["C1"] == .number(4))
        try sheet.edit("B1=")
        #expect(sheet["B1"] == .empty)
        #expect(sheet["C1"] == .number(1))
        try sheet.edit("B2=text", "A2=0.5")
        #expect(sheet["D1"] == .number(3.5))
        try sheet.edit("B2==1+1")
        #expect(sheet["D1"] == .number(5.5))
        #expect(sheet.formulaCount == 3)
    }

    @Test("a formula that refers to no cell is evaluated when it is written, and not again")
    func noReferences() throws {
        let sheet = try Sheet("=1+1,=A1,5,=C1")
        #expect(try sheet.edit("C1=6").evaluatedNames == ["D1"])
        #expect(try sheet.edit("D1==C1+A1").evaluatedNames == ["D1"])
        #expect(try sheet.edit("A1==2*4").evaluatedNames == ["A1", "B1", "D1"])
        #expect(sheet["D1"] == .number(14))
    }

    @Test("a text has at most 32,767 characters, and a longer one is #VALUE!")
    func longestText() throws {
        let rows = (1...40).map { "=A\($0)&A\($0)\n" }.joined()
        let sheet = try Sheet("x\n" + rows)
        #expect(sheet["A15"] == .text(String(repeating: "x", count: 16_384)))
        for row in 16...41 { #expect(sheet["A\(row)"] == .error(.value), "row \(row)") }
        try sheet.edit("B1=" + String(repeating: "é", count: 32_767), "B2==B1&\"\"", "B3==B1&\"é\"")
        #expect(sheet["B2"] == .text(String(repeating: "é", count: 32_767)))
        #expect(sheet["B3"] == .error(.value))
        let marks = "e" + String(repeating: "\u{301}", count: 32_767)
        try sheet.edit("B1=\(marks)")
        #expect(sheet["B1"] == .error(.value))
        #expect(sheet.constant(at: CellAddress("B1")!) == marks)
    }

    @Test("errors travel from cell to cell, and are gone with their cause")
    func errors() throws {
        let sheet = try Sheet("0,=1/A1,=B1+1,\"=IF(A1=0,\"\"none\"\",C1)\",=nope&B1")
        #expect(sheet["C1"] == .error(.divisionByZero))
        #expect(sheet["D1"] == .text("none"))
        #expect(sheet["E1"] == .error(.name))
        let recalculation = try sheet.edit("A1=4")
        #expect(
            recalculation.changeTexts == [
                "A1: 0 -> 4", "B1: #DIV/0! -> 0.25", "C1: #DIV/0! -> 1.25", "D1: \"none\" -> 1.25",
            ]
        )
    }

    @Test("60 diamonds in a row take 180 evaluations, and not 2 to the 60")
    func diamonds() throws {
        var csv = "1\n"
        for row in 1...60 { csv += "=B\(row + 1)+C\(row + 1),=A\(row),=A\(row)\n" }
        let sheet = try Sheet(csv)
        let recalculation = try sheet.edit("A1=2")
        #expect(recalculation.evaluated.count == 180)
        #expect(Set(recalculation.evaluated).count == 180)
        #expect(sheet["A61"] == .number(0x1p61))
    }

    @Test("a chain of thousands of cells, written last cell first, is no deeper than any other")
    func chain() throws {
        let count = Scale.gate.isSmall ? 3_000 : 20_000
        let csv = (1..<count).map { "=A\($0 + 1)+1\n" }.joined() + "0\n"
        let sheet = try Sheet(csv)
        #expect(sheet["A1"] == .number(Double(count - 1)))
        #expect(try sheet.edit("A\(count)=5").evaluated.count == count - 1)
        #expect(sheet["A1"] == .number(Double(count + 4)))
    }

    @Test(
        "a malformed formula in the file is reported with file, line, cell and column",
        arguments: [
            (
                "1,2\n=A1+,3",
                "test.csv:2: A2, column 5: expected a value, a cell, a function or '(', found the end of the formula"
            ),
            (
                "\"two\nlines\",1\n2,\"=SUM(A1 B2)\"",
                "test.csv:3: B2, column 9: expected ',' or ')', found \"B2\""
            ),
            ("a,\"b", "test.csv:1: column 3: a quote that is never closed"),
        ]
    )
    func malformed(csv: String, message: String) {
        #expect(throws: InputError(message: message)) { try Sheet(csv) }
    }
}
