import ReactCore
import ReactGraph
import TestSupport
import Testing

@testable import spreadsheet

@Suite("Large ranges")
struct LargeRangeTests {
    @Test("the sum of a whole column makes no node of a cell that is not there")
    func wholeColumn() throws {
        let lastColumn = Scale.gate.isSmall ? "IV" : "XFD"
        let sheet = try Sheet("1,2,=SUM(A1:A1048576)\n3,=COUNT(D1:\(lastColumn)64),\n")
        #expect(sheet["C1"] == .number(4))
        #expect(sheet["B2"] == .number(0))
        try sheet.edit("B2=")
        for name in ["A3", "A500", "A1048576"] { #expect(sheet.node(at: CellAddress(name)!) == nil, "\(name)") }
        var count = Count()
        sheet.node(at: CellAddress("C1")!)?.traverse(&count)
        #expect(count.nodes < 40)
    }

    private struct Count: NodeVisitor {
        var nodes = 0
        var edges = 0
        mutating func visit(_ node: AnyNode, depth: Int) -> VisitResult {
            nodes += 1
            return .continue
        }
        mutating func visit(_ transform: AnyTransform) -> VisitResult {
            edges += 1
            return .continue
        }
    }

    @Test("a cell that comes to a range is in it from then on, and the formula is evaluated once")
    func newCells() throws {
        let sheet = try Sheet("=SUM(B1:B1048576),1\n=A1*2,\n")
        var recalculation = try sheet.edit("B70000=10", "B3=100", "B500000==B3*10")
        #expect(recalculation.evaluatedNames == ["A1", "A2", "B500000"])
        #expect(
            recalculation.changeTexts == [
                "A1: 1 -> 1111", "A2: 2 -> 2222", "B3: (empty) -> 100", "B70000: (empty) -> 10",
                "B500000: (empty) -> 1000",
            ])
        recalculation = try sheet.edit("B3=200")
        #expect(recalculation.evaluatedNames == ["A1", "A2", "B500000"])
        #expect(sheet["A1"] == .number(2_211))
        #expect(try sheet.edit("C3=5").evaluatedNames == [])
        #expect(try sheet.edit("A1==SUM(B1:B100)").evaluatedNames == ["A1", "A2"])
        #expect(try sheet.edit("B70001=1").evaluatedNames == [])
    }

    @Test("a cell in a range that it sums up is on a ring, until one or the other is another")
    func ring() throws {
        let sheet = try Sheet("=SUM(A1:A100),1\n=SUM(B1:B100),\n=B90,\n")
        for name in ["A1"] { #expect(sheet[name] == .error(.cycle), "\(name)") }
        #expect(sheet["A2"] == .number(1))
        try sheet.edit("B90==A3+A2")
        for name in ["A2", "A3", "B90"] { #expect(sheet[name] == .error(.cycle), "\(name)") }
        try sheet.edit("A1==SUM(A2:A100)")
        #expect(sheet["A1"] == .error(.cycle))
        try sheet.edit("B90=7")
        #expect(sheet["A2"] == .number(8))
        #expect(sheet["A1"] == .number(15))
    }

    @Test("a range of many cells is a value nowhere, and an error or a ring in it is the result")
    func values() throws {
        let sheet = try Sheet(
            "1,=A1:A100+1,=ABS(A1:A100),=MAX(A1:A100),=AVERAGE(A1:A100),=COUNT(A1:A100)\ntext,,,\n-4,,,,\nTRUE,,,,\n")
        #expect(sheet["B1"] == .error(.value))
        #expect(sheet["C1"] == .error(.value))
        #expect(sheet["D1"] == .number(1))
        #expect(sheet["E1"] == .number(-1.5))
        #expect(sheet["F1"] == .number(2))
        try sheet.edit("A99==1/0")
        #expect(sheet["D1"] == .error(.divisionByZero))
        #expect(sheet["F1"] == .number(2))
        try sheet.edit("A99==A99")
        #expect(sheet["F1"] == .error(.cycle))
    }

    @Test("running totals share the ranges that they sum up")
    func runningTotals() throws {
        let rows = Scale.gate.isSmall ? 300 : 2_000
        let sheet = try Sheet((1...rows).map { "\($0),=SUM(A$1:A\($0))\n" }.joined())
        #expect(sheet["B\(rows)"] == .number(Double(rows * (rows + 1) / 2)))
        #expect(sheet["B277"] == .number(277 * 278 / 2))
        var count = Count()
        sheet.node(at: CellAddress("B1")!)?.traverse(&count)
        #expect(count.edges < 60 * rows)
        #expect(try sheet.edit("A200=0").evaluated.count == rows - 199)
        #expect(sheet["B\(rows)"] == .number(Double(rows * (rows + 1) / 2 - 200)))
    }

    @Test("after any edit, ranges hold the values of their cells", arguments: 1...(Scale.gate.isSmall ? 1 : 20))
    func randomEdits(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var numbers: [Int: Int] = [:]
        var ranges: [ClosedRange<Int>] = []
        let sheet = Sheet()
        for step in 0..<60 {
            var edits: [String] = []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let row = Int.random(in: 1...(step.isMultiple(of: 3) ? 40_000 : 600), using: &random)
                numbers[row] =
                    Int.random(in: 0..<3, using: &random) == 0 ? nil : Int.random(in: -50...50, using: &random)
                edits.append("A\(row)=" + (numbers[row].map(String.init) ?? ""))
            }
            if step < 20 {
                let first = Int.random(in: 1...500, using: &random)
                let range = first...(first + Int.random(in: 64...40_000, using: &random))
                ranges.append(range)
                let (row, cells) = (ranges.count, "A\(range.lowerBound):A\(range.upperBound)")
                edits += ["B\(row)==SUM(\(cells))", "C\(row)==COUNT(\(cells))", "D\(row)==MAX(\(cells))"]
            }
            sheet.apply(try edits.map { try Sheet.Edit($0) })
            for (row, range) in zip(1..., ranges) {
                let inside = numbers.filter { range.contains($0.key) }.values
                let expected = [inside.reduce(0, +), inside.count, inside.max() ?? 0]
                let found = ["B", "C", "D"].map { sheet["\($0)\(row)"] }
                #expect(found == expected.map { .number(Double($0)) }, "seed \(seed), step \(step), \(range)")
            }
        }
    }

    @Test(
        "after any edit of a sheet that was read, ranges hold the values of their cells",
        arguments: 1...(Scale.gate.isSmall ? 4 : 40))
    func randomEditsOfLoaded(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var numbers = Array(repeating: 0, count: 400)
        func randomRange() -> ClosedRange<Int> {
            let first = Int.random(in: 1...330, using: &random)
            return first...Int.random(in: first + 65...400, using: &random)
        }
        func sum(_ range: ClosedRange<Int>) -> String { "=SUM(A\(range.lowerBound):A\(range.upperBound))" }
        for row in 1...300 where Bool.random(using: &random) {
            numbers[row - 1] = Int.random(in: 1...50, using: &random)
        }
        var ranges = (0..<8).map { _ in randomRange() }
        let records = numbers.enumerated().map { row, number in
            CSV.record([number == 0 ? "" : "\(number)", row < ranges.count ? sum(ranges[row]) : ""])
        }
        let sheet = try Sheet(records.joined())
        for step in 0..<4 {
            var edits: [String] = []
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let row = Int.random(in: 1...400, using: &random)
                numbers[row - 1] = Int.random(in: 0...50, using: &random)
                edits.append("A\(row)=\(numbers[row - 1] == 0 ? "" : "\(numbers[row - 1])")")
            }
            if Bool.random(using: &random) {
                let place = Int.random(in: 0...ranges.count, using: &random)
                let range = randomRange()
                if place == ranges.count { ranges.append(range) } else { ranges[place] = range }
                // The formula brings a cell to the column that may not have been there.
                edits.append("B\(place + 1)=\(sum(range))+0*A\(Int.random(in: 1...400, using: &random))")
            }
            sheet.apply(try edits.map { try Sheet.Edit($0) })
            for (row, range) in zip(1..., ranges) {
                let expected = numbers[(range.lowerBound - 1)..<range.upperBound].reduce(0, +)
                #expect(sheet["B\(row)"] == .number(Double(expected)), "seed \(seed), step \(step), \(range)")
            }
        }
    }

    @Test("a picture shows a large range as one box")
    func picture() throws {
        let names = try Sheet("1,=SUM(A1:A1000)+A1\n").dependencies.nodes.map(\.name)
        #expect(names == ["B1 =SUM(A1:A1000)+A1", "A1", "A1 … A1000"])
    }
}
