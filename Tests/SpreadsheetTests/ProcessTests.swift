import Foundation
import Streams
import TestSupport
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
        process.executableURL = BuiltBinary.url("spreadsheet")
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = error
        try process.run()
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

    @Test("prints the cells that an edit changed after the table")
    func edit() throws {
        let (output, _, status) = try Child(Sample.mortgage, "--set", "B2=0.05").finish()
        #expect(output[371...].prefix(2) == ["B2: 0.065 -> 0.05", "B5: 1896.20 -> 1610.46"])
        #expect(output.last == "1442 of 1803 formula cells recomputed")
        #expect(status == 0)
    }

    @Test("prints why a cell holds its value, and why another was not set")
    func questions() throws {
        try withFile("1,=A1+1,=D1*2,\n") { path in
            let child = try Child(path, "--set", "A1=5", "--why", "B1", "--why-not", "C1", "--why", "Z9")
            let (output, error, status) = try child.finish()
            let answers = output.drop { $0 != "'B1' holds 6, because" }
            // An edit empties the cell before it sets it.
            #expect(answers.dropFirst().first?.hasPrefix("  'A1' was set to 5, on ") == true)
            #expect(answers.contains("  → =A1+1 gave 'B1' 6 (was 2)"))
            #expect(answers.contains("'C1' was not set: nothing upstream of it ('D1') was set"))
            #expect(answers.last == "Z9 is empty, and no formula refers to it")
            #expect(error == "")
            #expect(status == 0)
        }
    }

    @Test("records a page of an edit")
    func record() throws {
        let page = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).html")
        defer { try? FileManager.default.removeItem(at: page) }
        let (output, error, status) = try Child(Sample.budget, "--set", "I13=900", "--record", page.path).finish()
        #expect(output.contains { $0.hasPrefix("I13: ") })
        #expect(error == "")
        #expect(status == 0)
        let html = try String(contentsOf: page, encoding: .utf8)
        #expect(html.hasPrefix("<!DOCTYPE html>"))
        #expect(html.contains("I13=900"))
    }

    @Test("says in one line why it cannot record, and exits with 2")
    func cannotRecord() throws {
        try withFile("1,2\n") { path in
            let folder = FileManager.default.temporaryDirectory.path
            for arguments in [("/no/such/page.html", "A1=2"), (folder, "A1=2")] {
                let child = try Child(path, "--record", arguments.0, "--set", arguments.1)
                let (_, error, status) = try child.finish()
                #expect(error.hasPrefix("spreadsheet: ") && error.contains(arguments.0))
                #expect(error.count(where: \.isNewline) == 1)
                #expect(status == 2)
            }
            let (_, error, status) = try Child(path, "--record", "page.html").finish()
            #expect(error.hasSuffix(" has no formula and no edit to show\n"))
            #expect(status == 2)
        }
    }

    @Test("takes an edit with a byte order mark before it, and reads a sheet from a pipe")
    func byteOrderMark() throws {
        try withFile("1,=A1+1\n") { path in
            let child = try Child(path, "--watch")
            try child.send("\u{FEFF}A1=5\r\nA1=6\n")
            let (output, error, status) = try child.finish()
            #expect(output.contains("A1: 1 -> 5") && output.contains("A1: 5 -> 6"))
            #expect(error == "")
            #expect(status == 0)
            let piped = try BuiltBinary.shell("cat \"$1\" | \"$0\" /dev/stdin --csv", "spreadsheet", path)
            #expect(piped.output == "1,2\r\n" && piped.error == "" && piped.status == 0)
        }
    }

    @Test("tells a sum that one cell reaches twice by its own name, and with the new value alone")
    func why() throws {
        let child = try Child(Sample.budget, "--set", "I13=900", "--why", "L17")
        let (output, error, status) = try child.finish()
        let answer = output.drop { !$0.hasPrefix("'L17' holds ") }.joined(separator: "\n")
        #expect(answer.contains("'I13' was set to 900"))
        #expect(!answer.contains("value that 'I13' had brought"), "\(answer)")
        #expect(!answer.contains("Computed of"), "\(answer)")
        #expect(error == "")
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

    @Test("names unusable input in one line, and exits with 2")
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

@Suite("Closed, full and unreadable")
struct BrokenStreamsTests {
    /// Runs a command of the shell, in which `$0` is the binary and `$1` a small sheet.
    private func shell(_ command: String) throws -> (output: String, error: String, status: Int32) {
        try withFile("1,=A1+1\n") { try BuiltBinary.shell(command, "spreadsheet", $0) }
    }

    @Test(
        "an input that is closed or is no file is one line, and status 2",
        arguments: [("<&-", "Bad file descriptor"), ("</", "Is a directory")]
    )
    func input(redirection: String, reason: String) throws {
        let (output, error, status) = try shell("\"$0\" \"$1\" --watch \(redirection)")
        #expect(output == "   A  B\n1  1  2\n")
        #expect(error == "spreadsheet: cannot read standard input: \(reason)\n")
        #expect(status == 2)
    }

    @Test("an output that is closed is one line, and status 2")
    func closedOutput() throws {
        let (_, error, status) = try shell("\"$0\" \"$1\" >&-")
        #expect(error == "spreadsheet: cannot write the output: Bad file descriptor\n")
        #expect(status == 2)
    }

    @Test(
        "an output that is full is one line, and status 2",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func fullOutput() throws {
        let (_, error, status) = try shell("\"$0\" \"$1\" >/dev/full")
        #expect(error == "spreadsheet: cannot write the output: No space left on device\n")
        #expect(status == 2)
    }

    @Test("a pipe that nobody reads any more is one line, and status 2")
    func brokenPipe() throws {
        let (process, output, error) = (Process(), Pipe(), Pipe())
        try withFile("1,=A1+1\n") { path in
            process.executableURL = BuiltBinary.url("spreadsheet")
            process.arguments = [path]
            process.standardOutput = output
            process.standardError = error
            try output.fileHandleForReading.close()
            try process.run()
            process.waitUntilExit()
        }
        let text = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text == "spreadsheet: cannot write the output: Broken pipe\n")
        #expect(process.terminationStatus == 2)
    }

    @Test("a line of many megabytes is an edit like others")
    func longLine() throws {
        let long = "head -c \(Scale.gate.scaled(32_000_000)) /dev/zero | tr '\\0' x"
        let command = "{ printf 'A1='; \(long); printf '\\nA1=4\\n'; } | \"$0\" \"$1\" --watch"
        let (output, error, status) = try shell(command)
        #expect(
            output.split(separator: "\n").dropFirst(2) == [
                "A1: 1 -> #VALUE!", "B1: 2 -> #VALUE!", "1 of 1 formula cells recomputed",
                "A1: #VALUE! -> 4", "B1: #VALUE! -> 5", "1 of 1 formula cells recomputed",
            ])
        #expect(error == "")
        #expect(status == 0)
    }

    @Test("lines are cut the same however they come")
    func lines() throws {
        let pipe = Pipe()
        let reader = LineReader(pipe.fileHandleForReading)
        let long = String(repeating: "x", count: 30_000)
        for text in ["a\r\nb\n\n", "c", "d\r", "\n\(long)\ne"] {
            try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        }
        try pipe.fileHandleForWriting.close()
        var lines: [String] = []
        while let line = reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        #expect(lines == ["a", "b", "", "cd", long, "e"])
        #expect(reader.next() == nil)
        #expect(reader.failure == nil)
    }

    #if os(Linux)
    @Test("a long load shows on a terminal how far it is, and leaves nothing of that")
    func progress() throws {
        // A pair of terminals, for the C library's own way to one is not in Swift's module.
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(terminal) }
        var (unlock, number): (Int32, Int32) = (0, 0)
        try #require(ioctl(terminal, 0x4004_5431, &unlock) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0)
        let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try withFile((1...40_000).map { "\($0)\n" }.joined()) { path in
            let process = Process()
            process.executableURL = BuiltBinary.url("spreadsheet")
            process.arguments = ["--csv", path]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle(fileDescriptor: other)
            try process.run()
            process.waitUntilExit()
            close(other)
            // It comes in as many parts as it likes, and then an error, for nobody writes any more.
            var text = "", bytes = [UInt8](repeating: 0, count: 4_096)
            while case let count = read(terminal, &bytes, bytes.count), count > 0 {
                text += String(decoding: bytes.prefix(count), as: UTF8.self)
            }
            #expect(text == "\r\u{1B}[Kreading \(path): 32768 cells\r\u{1B}[K")
            #expect(process.terminationStatus == 0)
        }
    }
    #endif
}

@Suite("A large sheet")
struct LargeSheetTests {
    @Test(
        "thousands of formulas that each add two cells are loaded, and an edit at the top evaluates those below it once"
    )
    func grid() throws {
        let (rows, columns) = (Scale.gate.isSmall ? 60 : 200, 100)
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
        // From a text to a number, all below it changes; from a number to another, the large ones swallow the difference.
        try sheet.edit("A1=text")
        let recalculation = try sheet.edit("A1=2")
        // Row k below the top has k + 1 cells that depend on the first, until it has no more.
        #expect(recalculation.evaluated.count == (1...rows).reduce(0) { $0 + min($1 + 1, columns) })
        #expect(Set(recalculation.evaluated).count == recalculation.evaluated.count)
        // The one more in A1 counts in row k as often as there are ways down to the cell: 1, 3, 3, 1.
        #expect(["A4", "CT4", "CU4", "CV4", "B4"].map { sheet[$0] } == [9, 9, 11, 11, 8].map { .number($0) })
        #expect(try sheet.edit("A1=3").evaluated.count < recalculation.evaluated.count)
    }
}
