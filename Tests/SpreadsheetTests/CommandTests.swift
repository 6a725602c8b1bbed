import Foundation
import TestSupport
import Testing

@testable import spreadsheet

/// What a run of the command left behind.
struct Outcome {
    var status: Int32 = 0
    var output = ""
    var error = ""

    /// Runs the command in this process, with `lines` as its standard input.
    init(_ arguments: [String], lines: [[UInt8]]) {
        var waiting = lines[...]
        var (output, error) = ("", "")
        let console = Command.Console(
            readLine: { waiting.popFirst() },
            write: { output += $0 },
            writeError: { error += $0 }
        )
        status = Command(console: console).run(arguments)
        (self.output, self.error) = (output, error)
    }

    init(_ arguments: String..., watching lines: String...) {
        self.init(arguments, lines: lines.map { Array($0.utf8) })
    }
}

@Suite("The command")
struct CommandTests {
    private let sheet = "1,=A1*2,=B1+1\n5,=A2*2,\n"

    @Test("a file alone is printed as a table")
    func table() throws {
        try withFile(sheet) { path in
            let outcome = Outcome(path)
            #expect(outcome.output == "   A  B   C\n1  1   2  3\n2  5  10\n")
            #expect(outcome.error == "")
            #expect(outcome.status == 0)
        }
    }

    @Test("edits print the table, each changed cell with its old and new value, and the number of recomputed cells")
    func edits() throws {
        try withFile(sheet) { path in
            let outcome = Outcome(path, "--set", "A1=10", "--set", "C2=x, y")
            #expect(
                outcome.output == """
                       A   B   C
                    1  10  20  21
                    2   5  10  x, y

                    A1: 1 -> 10
                    B1: 2 -> 20
                    C1: 3 -> 21
                    C2: (empty) -> "x, y"
                    2 of 3 formula cells recomputed

                    """
            )
            #expect(outcome.status == 0)
        }
    }

    @Test("--csv keeps standard output to the computed values")
    func csv() throws {
        try withFile(sheet) { path in
            let outcome = Outcome("--csv", "--set", "A1=10", path)
            #expect(outcome.output == "10,20,21\r\n5,10,\r\n")
            #expect(outcome.error == "A1: 1 -> 10\nB1: 2 -> 20\nC1: 3 -> 21\n2 of 3 formula cells recomputed\n")
        }
    }

    @Test(
        "--watch takes edits line by line; it reports unusable ones, goes on with the sheet unchanged, and ends with status 2"
    )
    func watch() throws {
        try withFile(sheet) { path in
            let outcome = Outcome(
                path,
                "--watch",
                watching: "A1=4",
                "",
                "  ",
                "nonsense",
                "C1=SUM(",
                "C1==SUM(",
                " c1 = =A2+A1 ",
                "A2=6"
            )
            #expect(
                outcome.output == """
                       A  B   C
                    1  1   2  3
                    2  5  10
                    A1: 1 -> 4
                    B1: 2 -> 8
                    C1: 3 -> 9
                    2 of 3 formula cells recomputed
                    C1: 9 -> "SUM("
                    0 of 2 formula cells recomputed
                    C1: "SUM(" -> 9
                    1 of 3 formula cells recomputed
                    C1: 9 -> 10
                    A2: 5 -> 6
                    B2: 10 -> 12
                    2 of 3 formula cells recomputed

                    """
            )
            let expected = "column 6: expected a value, a cell, a function or '(', found the end of the formula"
            #expect(
                outcome.error == """
                    spreadsheet: standard input:4: "nonsense" is no edit: expected CELL=VALUE, with a cell from A1 to XFD1048576
                    spreadsheet: standard input:6: "C1==SUM(" is no edit: C1, \(expected)

                    """
            )
            #expect(outcome.status == 2)
        }
    }

    @Test("a line that is not UTF-8 is reported, and the next one is read")
    func badBytes() throws {
        try withFile(sheet) { path in
            let outcome = Outcome([path, "--watch"], lines: [[0x41, 0x31, 0x3D, 0xFF], Array("A1=2".utf8)])
            #expect(outcome.error == "spreadsheet: standard input:1: the line is not UTF-8\n")
            #expect(outcome.status == 2)
            #expect(outcome.output.hasSuffix("A1: 1 -> 2\nB1: 2 -> 4\nC1: 3 -> 5\n2 of 3 formula cells recomputed\n"))
        }
    }

    @Test("--watch --csv prints the sheet when its input ends")
    func watchCSV() throws {
        try withFile(sheet) { path in
            let outcome = Outcome(path, "--watch", "--csv", watching: "A1=2")
            #expect(outcome.output == "2,4,5\r\n5,10,\r\n")
            #expect(outcome.error == "A1: 1 -> 2\nB1: 2 -> 4\nC1: 3 -> 5\n2 of 3 formula cells recomputed\n")
        }
    }

    @Test("rings are shown, and healed by an edit")
    func rings() throws {
        try withFile("=B1,=A1,=A1+1\n") { path in
            let outcome = Outcome(path, "--set", "B1=3")
            #expect(
                outcome.output.hasSuffix(
                    "A1: #CYCLE! -> 3\nB1: #CYCLE! -> 3\nC1: #CYCLE! -> 4\n2 of 2 formula cells recomputed\n"
                )
            )
        }
    }

    @Test("a change too small for the table is told with all digits")
    func smallChange() throws {
        try withFile("1\n") { path in
            let outcome = Outcome(path, "--set", "A1=1.00000000000001")
            #expect(outcome.output.contains("A1: 1 -> 1.00000000000001\n"))
        }
    }

    @Test("help names every option, on standard output")
    func help() {
        let outcome = Outcome("--help")
        for option in ["--set", "--watch", "--csv", "--dot", "--mermaid", "--help"] {
            #expect(outcome.output.contains(option))
        }
        #expect(outcome.status == 0)
        #expect(outcome.error == "")
    }

    @Test("unusable input gives one line on standard error, status 2, and nothing on standard output")
    func badInput() throws {
        try withFile(sheet) { path in
            let column6 = "column 5: expected a value, a cell, a function or '(', found the end of the formula"
            let cases: [([String], String)] = [
                ([], "which file? --help says how to ask"),
                (["--frob", path], "\"--frob\": there is no such option; --help lists them"),
                ([path, "--set", "A1"], "\"A1\" is no edit: expected CELL=VALUE, with a cell from A1 to XFD1048576"),
                (
                    [path, "--set", "A0=1"],
                    "\"A0=1\" is no edit: expected CELL=VALUE, with a cell from A1 to XFD1048576"
                ),
                ([path, "--set", "=1"], "\"=1\" is no edit: expected CELL=VALUE, with a cell from A1 to XFD1048576"),
                ([path, "--set", "A1=1", "--set", "B1==A1+"], "\"B1==A1+\" is no edit: B1, \(column6)"),
            ]
            for (arguments, message) in cases {
                let outcome = Outcome(arguments, lines: [])
                #expect(outcome.error == "spreadsheet: \(message)\n")
                #expect(outcome.output == "")
                #expect(outcome.status == 2)
            }
        }
    }

    @Test("a long load says how far it is, and takes that back")
    func progress() throws {
        // As many cells as there are told of at least once, both while they are read and while they are computed.
        let formulas = Scale.gate.isSmall ? 33_000 : 40_000
        let lines = (1...formulas).map { Scale.gate.isSmall ? "=1\n" : "\($0),=A\($0)+1\n" }
        let read = Scale.gate.isSmall ? [32_768] : [32_768, 65_536]
        try withFile(lines.joined()) { path in
            var shown: [String?] = []
            var console = Command.Console(readLine: { nil }, write: { _ in }, writeError: { _ in })
            console.showProgress = { shown.append($0) }
            #expect(Command(console: console).run(["--csv", path]) == 0)
            #expect(
                shown == read.map { "reading \(path): \($0) cells" } + [
                    "computing \(path): 32768 of \(formulas) formulas", nil,
                ])
        }
    }

    @Test("an input that cannot be read is told of, and ends the command with status 2")
    func unreadableInput() throws {
        try withFile(sheet) { path in
            var error = ""
            var console = Command.Console(readLine: { nil }, write: { _ in }, writeError: { error += $0 })
            console.inputFailure = { "Is a directory" }
            #expect(Command(console: console).run([path, "--watch"]) == 2)
            #expect(error == "spreadsheet: cannot read standard input: Is a directory\n")
        }
    }

    @Test("control characters in a cell are shown by their pictures")
    func controlCharacters() throws {
        try withFile("\"a\u{1B}[31mb\u{7F}\u{9B}c\u{202E}\"\n") { path in
            #expect(Outcome(path).output == "   A\n1  a␛[31mb␡�c�\n")
        }
    }

    @Test(
        "a line of more fields than a sheet has columns is refused, however many they are",
        arguments: [16_384, 16_385] + (Scale.gate.isSmall ? [] : [300_000]))
    func wideLine(fields: Int) throws {
        try withFile(Array(repeating: "\"1\"", count: fields).joined(separator: ",") + "\n") { path in
            let outcome = Outcome(path, "--csv")
            let isRead = fields <= 16_384
            #expect(outcome.status == (isRead ? 0 : 2))
            #expect(outcome.output.split(separator: ",").count == (isRead ? fields : 0))
            #expect(outcome.error == (isRead ? "" : "spreadsheet: \(path): more than 1048576 rows or 16384 columns\n"))
        }
    }

    @Test("a file that cannot be read is named, with the reason, on one line")
    func badFiles() throws {
        let directory = FileManager.default.temporaryDirectory.path
        for (path, reason) in [("/no/such/file.csv", "No such file or directory"), (directory, "Is a directory")] {
            let outcome = Outcome(path)
            #expect(outcome.status == 2)
            #expect(outcome.error == "spreadsheet: cannot read \"\(path)\": \(reason)\n")
            #expect(outcome.output == "")
        }
        try withFile([0x61, 0x0A, 0x62, 0x2C, 0xC3, 0x28]) { path in
            let outcome = Outcome(path)
            #expect(outcome.error == "spreadsheet: \(path):2: column 3: not UTF-8\n")
            #expect(outcome.status == 2)
        }
        try withFile("a\n=1+\n") { path in
            let outcome = Outcome(path)
            #expect(outcome.error.hasPrefix("spreadsheet: \(path):2: A2, column 4: expected a value"))
            #expect(outcome.status == 2)
        }
    }

    @Test("a text that begins with = is written as a formula, and read back as the text")
    func equalsSign() throws {
        let texts = ["=1+1", "=", "=\"a\"\"b\"", "=,\n", "plain"]
        let fields = texts.map { "=\"" + $0.replacingOccurrences(of: "\"", with: "\"\"") + "\"" }
        try withFile(CSV.record(fields)) { path in
            let written = Outcome(path, "--csv")
            #expect(written.status == 0)
            try withFile(written.output) { copy in
                #expect(Outcome(copy, "--csv").output == written.output)
                let sheet = try Sheet(contentsOfFile: copy)
                #expect(["A1", "B1", "C1", "D1", "E1"].map { sheet[$0] } == texts.map { .text($0) })
            }
        }
    }
}
