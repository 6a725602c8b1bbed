import Foundation
import TestSupport
import Testing

@testable import spreadsheet

@Suite("mortgage.csv")
struct MortgageTests {
    private static let firstRow = 10
    private static let months = 360

    @Test(
        "unrounded, every figure of the 360 rows is that of the closed form",
        arguments: Scale.gate.isSmall ? [0.031] : [0.065, 0.031, 0.12])
    func closedForm(yearlyRate: Double) throws {
        let sheet = try Sheet(contentsOfFile: Sample.mortgage)
        try sheet.edit("B2=\(yearlyRate)", "B4=14")
        let (loan, rate) = (300_000.0, yearlyRate / 12)
        let payment = loan * rate / (1 - pow(1 + rate, -Double(Self.months)))
        #expect(abs(try sheet.number("B5") - payment) < 1e-8)

        func balance(after month: Int) -> Double {
            let growth = pow(1 + rate, Double(month))
            return loan * growth - payment * (growth - 1) / rate
        }
        for month in 1...Self.months {
            let row = Self.firstRow + month - 1
            let interest = balance(after: month - 1) * rate
            #expect(sheet["A\(row)"] == .number(Double(month)))
            #expect(abs(try sheet.number("B\(row)") - payment) < 1e-5)
            #expect(abs(try sheet.number("C\(row)") - interest) < 1e-5)
            #expect(abs(try sheet.number("D\(row)") - (payment - interest)) < 1e-5)
            #expect(abs(try sheet.number("E\(row)") - balance(after: month)) < 1e-5)
        }
        #expect(abs(try sheet.number("B6") - (payment * Double(Self.months) - loan)) < 1e-4)
    }

    @Test(
        "a schedule rounded to cents equals one computed in whole cents, and stays within rounding of the closed form")
    func cents() throws {
        let sheet = try Sheet(contentsOfFile: Sample.mortgage)
        let payment = 189_620
        #expect(sheet["B5"] == .number(1896.20))
        var balance = 30_000_000
        var interestInAll = 0
        for month in 1...Self.months {
            let row = Self.firstRow + month - 1
            let interest = (balance * 65 * 2 + 12_000) / (2 * 12_000)  // 0.065 / 12, to the nearest
            let paid = month == Self.months ? balance + interest : payment
            balance += interest - paid
            interestInAll += interest
            #expect(abs(try sheet.number("B\(row)") - Double(paid) / 100) < 1e-9)
            #expect(abs(try sheet.number("C\(row)") - Double(interest) / 100) < 1e-9)
            #expect(abs(try sheet.number("D\(row)") - Double(paid - interest) / 100) < 1e-9)
            #expect(abs(try sheet.number("E\(row)") - Double(balance) / 100) < 1e-9)

            let rate = 0.065 / 12
            let growth = pow(1 + rate, Double(month))
            let drift = (growth - 1) / rate
            if month < Self.months {
                #expect(abs(Double(balance) / 100 - (300_000 * growth - 1896.20 * drift)) <= 0.005 * drift + 1e-6)
            }
        }
        #expect(balance == 0)
        #expect(abs(try sheet.number("B6") - Double(interestInAll) / 100) < 1e-6)
    }

    @Test("a new rate evaluates each cell that depends on it exactly once")
    func rate() throws {
        let sheet = try Sheet(contentsOfFile: Sample.mortgage)
        let recalculation = try sheet.edit("B2=0.05")
        var dependents = ["B5", "B6"]
        for row in Self.firstRow..<Self.firstRow + Self.months {
            dependents += ["B", "C", "D", "E"].map { "\($0)\(row)" }
        }
        #expect(recalculation.evaluatedNames.sorted() == dependents.sorted())
        #expect(recalculation.formulaCount == 5 * Self.months + 3)
    }

    @Test("a shorter term ends with a balance of nothing, and nothing more is paid")
    func shorterTerm() throws {
        let sheet = try Sheet(contentsOfFile: Sample.mortgage)
        try sheet.edit("B3=15")
        #expect(try sheet.number("E188") > 0)
        for row in [189, 190, 369] { #expect(abs(try sheet.number("E\(row)")) < 1e-9) }
        for row in [190, 369] { #expect(sheet["B\(row)"] == .number(0)) }
    }
}

@Suite("budget.csv")
struct BudgetTests {
    @Test("the sums are those of the figures in the file, counted in cents")
    func sums() throws {
        let records = try CSV.parse(Array(Data(contentsOf: URL(fileURLWithPath: Sample.budget))))
        func cents(_ row: Int, _ column: Int) -> Int {
            Int((Double(records[row - 1][column - 1].text) ?? 0) * 100 + 0.5)
        }
        let sheet = try Sheet(contentsOfFile: Sample.budget)
        var balance = cents(2, 2)
        var savedInAll = 0
        for row in 6...17 {
            let spent = (4...9).map { cents(row, $0) }.reduce(0, +)
            let saved = cents(row, 2) + cents(row, 3) - spent
            balance += saved
            savedInAll += saved
            #expect(abs(try sheet.number("J\(row)") - Double(spent) / 100) < 1e-9)
            #expect(abs(try sheet.number("K\(row)") - Double(saved) / 100) < 1e-9)
            #expect(abs(try sheet.number("L\(row)") - Double(balance) / 100) < 1e-9)
        }
        for column in 2...9 {
            let total = (6...17).map { cents($0, column) }.reduce(0, +)
            #expect(
                abs(try sheet.number(CellAddress(column: column, row: 18).description) - Double(total) / 100) < 1e-9
            )
        }
        #expect(abs(try sheet.number("B23") - Double(balance) / 100) < 1e-9)
        #expect(savedInAll >= cents(3, 2))
        #expect(sheet["B25"] == .text("reached"))
    }

    @Test("a higher goal is missed, and the summary says by how much")
    func goal() throws {
        let sheet = try Sheet(contentsOfFile: Sample.budget)
        let saved = try sheet.number("K18")
        let recalculation = try sheet.edit("B3=\(saved.rounded() + 100)")
        #expect(recalculation.evaluatedNames == ["B25"])
        guard case .text(let text) = sheet["B25"] else { return #expect(Bool(false), "no text") }
        #expect(text.hasPrefix("short by "))
        let missing = Double(text.dropFirst("short by ".count))
        #expect(missing.map { abs($0 - (saved.rounded() + 100 - saved)) < 0.006 } == true)
    }
}
