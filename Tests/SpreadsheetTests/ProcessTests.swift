import Foundation
import Testing

@testable import spreadsheet

/// The built binary, run as a child process.
private final class Child {
    let process = Process()
    private let input = Pipe()
    private let error = Pipe()
    private let lines: LineReader

    init(_ arguments: String...) throws {
        let output = Pipe()
        lines = LineReader(output.fileHandleForReading)
        process.executableURL = Child.binary
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = error
        try process.run()
    }

    /// SwiftPM puts the executables beside the tests.
    private static var binary: URL {
        #if os(macOS)
        let tests = Bundle(for: Child.self).bundleURL
        #else
        let tests = URL(fileURLWithPath: CommandLine.arguments[0])
        #endif
        return tests.deletingLastPathComponent().appendingPathComponent("spreadsheet")
    }

    func send(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// The next line that the child prints, once it has; `nil` after the last.
    func line() -> String? {
        lines.next().map { String(decoding: $0, as: UTF8.self) }
    }

    /// Ends the child's input, waits for its end, and returns the rest of its output, its errors and its status.
    func finish() throws -> (output: [String], error: String, status: Int32) {
        try input.fileHandleForWriting.close()
        var rest: [String] = []
        while let line = line() { rest.append(line) }
        let errors = error.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (rest, String(decoding: errors, as: UTF8.self), process.terminationStatus)
    }
}

@Suite("The built binary")
struct ProcessTests {
    @Test("prints the mortgage, and exits with 0")
    func mortgage() throws {
        let (output, error, status) = try Child(Sample.mortgage).finish()
        #expect(output.count == 370)
        #expect(output[1] == "  1  Principal               300000")
        #expect(output[5] == "  5  Monthly payment        1896.20")
        #expect(output[10] == " 10                    1    1896.20   1625.00     271.20  299728.80")
        #expect(output.last?.hasSuffix(" 0.00") == true)
        #expect(error == "")
        #expect(status == 0)
    }

    @Test("reports what an edit changed last")
    func edit() throws {
        let (output, _, status) = try Child(Sample.mortgage, "--set", "B2=0.05").finish()
        #expect(output[371...].prefix(2) == ["B2: 0.065 -> 0.05", "B5: 1896.20 -> 1610.46"])
        #expect(output.last == "1442 of 1803 formula cells recomputed")
        #expect(status == 0)
    }

    @Test("answers each line of --watch before the next one is sent")
    func watch() throws {
        try withFile("1,=A1+1\n") { path in
            let child = try Child(path, "--watch")
            #expect(child.line() == "   A  B")
            #expect(child.line() == "1  1  2")
            try child.send("A1=5\n")
            #expect(child.line() == "A1: 1 -> 5")
            #expect(child.line() == "B1: 2 -> 6")
            #expect(child.line() == "1 of 1 formula cells recomputed")
            try child.send("B1=")
            try child.send("=A1*A1\r\nA1=x=y")
            #expect(child.line() == "B1: 6 -> 25")
            #expect(child.line() == "1 of 1 formula cells recomputed")
            let (output, error, status) = try child.finish()
            #expect(output == ["A1: 5 -> \"x=y\"", "B1: 25 -> #VALUE!", "1 of 1 formula cells recomputed"])
            #expect(error == "")
            #expect(status == 0)
        }
    }

    @Test("says in one line what it cannot use, and exits with 2")
    func badInput() throws {
        for arguments in [["--frob"], ["/no/such/file.csv"], [Sample.budget, "--set", "B3"]] {
            let child = try arguments.count == 3 ? Child(arguments[0], arguments[1], arguments[2]) : Child(arguments[0])
            let (output, error, status) = try child.finish()
            #expect(output == [])
            #expect(error.hasPrefix("spreadsheet: "))
            #expect(error.count(where: \.isNewline) == 1)
            #expect(status == 2)
        }
    }
}

@Suite("A large sheet")
struct LargeSheetTests {
    @Test("20,000 formulas that each add two cells are loaded, and an edit at the top evaluates those below it once")
    func grid() throws {
        let (rows, columns) = (200, 100)
        let script = Process()
        let output = Pipe()
        script.executableURL = URL(fileURLWithPath: "/bin/sh")
        script.arguments = [Sample.gridScript, "\(rows)", "\(columns)"]
        script.standardOutput = output
        try script.run()
        let csv = output.fileHandleForReading.readDataToEndOfFile()
        script.waitUntilExit()

        let sheet = try Sheet(csv: Array(csv), file: "grid.csv")
        #expect(sheet.formulaCount == rows * columns)
        for row in [1, 2, 57, rows + 1] {
            for column in 1...columns {
                #expect(sheet[CellAddress(column: column, row: row)] == .number(pow(2, Double(row - 1))))
            }
        }
        let recalculation = try sheet.edit("A1=2")
        // Row k below the top has k + 1 cells that depend on the first, until it has no more.
        #expect(recalculation.evaluated.count == (1...rows).reduce(0) { $0 + min($1 + 1, columns) })
        #expect(Set(recalculation.evaluated).count == recalculation.evaluated.count)
        // The one more in A1 counts in row k as often as there are ways down to the cell: 1, 3, 3, 1.
        #expect(["A4", "CT4", "CU4", "CV4", "B4"].map { sheet[$0] } == [9, 9, 11, 11, 8].map { .number($0) })
    }
}
