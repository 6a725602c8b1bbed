import ReactCore
import Testing

@testable import spreadsheet

@Suite("An IF reads one branch")
struct ChoiceTests {
    @Test("an IF depends on its condition and the branch that it takes, until it takes the other")
    func branches() throws {
        let sheet = try Sheet("1,10,20,\"=IF(A1,B1,C1)\",=D1+1")
        #expect(try sheet.edit("C1=21").evaluatedNames == [])
        #expect(try inputs(of: "D1", in: sheet) == ["rings", "A1", "B1"])
        #expect(try sheet.edit("B1=11").changeTexts == ["B1: 10 -> 11", "D1: 10 -> 11", "E1: 11 -> 12"])
        #expect(try sheet.edit("A1=0").changeTexts == ["A1: 1 -> 0", "D1: 11 -> 21", "E1: 12 -> 22"])
        #expect(try inputs(of: "D1", in: sheet) == ["rings", "A1", "C1"])
        #expect(try sheet.edit("B1=12").evaluatedNames == [])
        #expect(try sheet.edit("C1=22").evaluatedNames == ["D1", "E1"])
    }

    @Test("a branch that is taken and edited at once is read as it is then, once")
    func branchesAndEdits() throws {
        let sheet = try Sheet("1,10,20,\"=IF(A1,B1,SUM(C1:C2)*E1)\"\n,,3,,\n")
        let recalculation = try sheet.edit("A1=0", "E1==C2*2", "C2==B1")
        #expect(sheet["D1"] == .number((20 + 10) * 20))
        #expect(recalculation.evaluatedNames == ["D1", "E1", "C2"])
    }

    @Test("an IF chooses between large ranges, and inside another IF")
    func ranges() throws {
        let sheet = try Sheet("1,5,\"=IF(A1,SUM(B1:B1000),IF(A2,COUNT(B1:B2000),\"\"none\"\"))\"\n0,7,\n")
        #expect(sheet["C1"] == .number(12))
        #expect(try sheet.edit("B1500=1").evaluatedNames == [])
        try sheet.edit("A1=0")
        #expect(sheet["C1"] == .text("none"))
        #expect(try sheet.edit("B3=1").evaluatedNames == [])
        try sheet.edit("A2=1")
        #expect(sheet["C1"] == .number(4))
        #expect(try sheet.edit("B4=1").evaluatedNames == ["C1"])
    }

    @Test(
        "a branch that is not taken closes a ring too, and a formula that names a cell of the ring is #CYCLE! as well")
    func rings() throws {
        let sheet = try Sheet("\"=IF(TRUE,1,B1)\",=A1,\"=IF(FALSE,A1,2)\",=C1")
        for name in ["A1", "B1", "C1", "D1"] { #expect(sheet[name] == .error(.cycle), "\(name)") }
        try sheet.edit("E1=1")
        for name in ["A1", "B1", "C1", "D1"] { #expect(sheet[name] == .error(.cycle), "\(name)") }
        #expect(try sheet.edit("B1=5").changes.count == 4)
        #expect(["A1", "B1", "C1", "D1"].map { sheet[$0] } == [1, 5, 2, 2].map { .number($0) })
        #expect(try sheet.edit("B1==E1").evaluatedNames == ["B1"])
        try sheet.edit("B1==A1")
        for name in ["A1", "B1", "C1", "D1"] { #expect(sheet[name] == .error(.cycle), "\(name)") }
    }

    /// The names of what a cell's formula reads, in that order.
    private func inputs(of name: String, in sheet: Sheet) throws -> [String?] {
        let address = try #require(CellAddress(name))
        let cell = try #require(sheet.node(at: address))
        return cell.upstreamNodes.flatMap(\.upstreamNodes).map(\.name)
    }
}
