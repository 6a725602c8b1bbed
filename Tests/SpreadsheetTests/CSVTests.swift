import TestSupport
import Testing

@testable import spreadsheet

@Suite("Comma-separated values")
struct CSVTests {
    private func texts(_ csv: String) throws -> [[String]] {
        try CSV.parse(Array(csv.utf8)).map { $0.map(\.text) }
    }

    @Test(
        "records and fields are told apart as RFC 4180 says",
        arguments: [
            ("", []),
            ("a", [["a"]]),
            ("a\r\n", [["a"]]),
            ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
            ("a,b\nc", [["a", "b"], ["c"]]),
            ("a\rb", [["a"], ["b"]]),
            ("a,,b,\n", [["a", "", "b", ""]]),
            ("\n\na", [[""], [""], ["a"]]),
            (" a , b ", [[" a ", " b "]]),
            ("\"a,b\",c", [["a,b", "c"]]),
            ("\"a\r\nb\"\r\nc", [["a\r\nb"], ["c"]]),
            ("\"a\nb\n\",\"\"", [["a\nb\n", ""]]),
            ("\"say \"\"yes\"\"\"", [["say \"yes\""]]),
            ("\"\"\"\"", [["\""]]),
            ("\u{FEFF}a,b", [["a", "b"]]),
            ("\u{FEFF}\"a\"", [["a"]]),
            ("naïve,日本,👩‍👧", [["naïve", "日本", "👩‍👧"]]),
        ] as [(String, [[String]])]
    )
    func reading(csv: String, records: [[String]]) throws {
        #expect(try texts(csv) == records)
    }

    @Test("a field knows the line on which it starts, after fields of several lines too")
    func lines() throws {
        let csv = "a,\"b\r\nb\nb\",c\r\nd\re"
        let lines = try CSV.parse(Array(csv.utf8)).map { $0.map(\.line) }
        #expect(lines == [[1, 1, 3], [4], [5]])
    }

    @Test(
        "malformed input is reported with its place",
        arguments: [
            ("a,b\nc,\"d", 2, 3, "a quote that is never closed"),
            ("\"a\"b", 1, 4, "text after a closing quote; double the quotes inside the field"),
            (
                "é,a\"b", 1, 4,
                "a quote inside a field that does not start with one; quote the whole field, and double the quotes in it"
            ),
            ("\"x\ny\"z", 2, 3, "text after a closing quote; double the quotes inside the field"),
        ]
    )
    func malformed(csv: String, line: Int, column: Int, problem: String) {
        #expect(throws: CSV.Malformed(line: line, column: column, problem: problem)) { try texts(csv) }
    }

    @Test(
        "bytes that are not UTF-8 are reported with their field",
        arguments: [
            ([0x61, 0x2C, 0xFF], 3),
            ([0x61, 0x2C, 0x62, 0x2C, 0x22, 0xC3, 0x22], 5),
            ([0xFF, 0xFE, 0x61, 0x00], 1),
            (Array("1,2,\"abc\n".utf8) + [0xFF, 0x22], 5),
        ] as [([UInt8], Int)]
    )
    func notUTF8(bytes: [UInt8], column: Int) {
        #expect(throws: CSV.Malformed(line: 1, column: column, problem: "not UTF-8")) { try CSV.parse(bytes) }
    }

    @Test(
        "a file with another character than the comma between its fields is refused, with the remedy",
        arguments: [
            ("Client;Days;Price\nAB;30;1,5\nTotal;;=SUM(B2:B2)\n", "semicolons"), ("a;b", "semicolons"),
            ("a\tb\n1\t2\n", "tabs"), ("\u{FEFF}a;\"b;c\"\r\n1;2\r\n", "semicolons"),
            ("a;b\n1;2\n\n3;4\nand one more\n", "semicolons"), ("1,5;2\n3;4", "semicolons"),
            ("Budget\nClient;Days;Price\nAB;30;1.5\nTotal;;=SUM(C2:C2)\n", "semicolons"),
            ("Client;Days\n1,5;2,5\n1,5;2;3\n", "semicolons"), ("Sheet 1\r\n\r\n1\t2\r\n3\t4\r\n", "tabs"),
            ("Budget, 2024\na;b\n\"x, y\";1,5\n", "semicolons"),
        ])
    func otherSeparators(csv: String, name: String) {
        let problem =
            "\(name) stand between the fields; write commas there, and a point in numbers, or quote a field that is a text with \(name)"
        #expect(throws: CSV.Malformed(line: 1, column: 1, problem: problem)) { try texts(csv) }
    }

    @Test(
        "semicolons and tabs in texts are texts",
        arguments: [
            ("\"a;b\"\n\"c;d\"", [["a;b"], ["c;d"]]), ("a;b,c\n1;2,3", [["a;b", "c"], ["1;2", "3"]]),
            ("note\na;b\n1;2,x", [["note"], ["a;b"], ["1;2", "x"]]),
            ("a; b\nno\nother", [["a; b"], ["no"], ["other"]]),
            ("\"a\tb\"", [["a\tb"]]),
        ] as [(String, [[String]])])
    func separatorsInTexts(csv: String, records: [[String]]) throws {
        #expect(try texts(csv) == records)
        #expect(try texts(records.map { CSV.record($0) }.joined()) == records)
    }

    @Test("very many quoted fields on one line are taken apart")
    func manyQuotedFields() throws {
        let count = Scale.gate.isSmall ? 50_000 : 300_000
        let line = Array(repeating: "\"a\"", count: count).joined(separator: ",")
        let records = try texts(line + "\n\"b\"")
        #expect(records.map(\.count) == [count, 1])
        #expect(records[0].allSatisfy { $0 == "a" })
    }

    @Test("a record is written with CRLF, and only the fields that need it are quoted")
    func writing() {
        #expect(
            CSV.record(["plain", "", "a,b", "\"", "two\nlines", "two\rlines", " spaced "])
                == "plain,,\"a,b\",\"\"\"\",\"two\nlines\",\"two\rlines\", spaced \r\n"
        )
    }

    @Test("fields of any content are read back as they were written", arguments: 1...200)
    func roundTrip(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let pieces = ["a", "é", "👍🏽", ",", "\"", "\u{301}", "\n", "\r", "\r\n", " ", "=", ""]
        let width = Int.random(in: 1...4, using: &random)
        let records = (0..<Int.random(in: 1...5, using: &random)).map { _ in
            (0..<width).map { _ in
                (0..<Int.random(in: 0...4, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
            }
        }
        let csv = records.map { CSV.record($0) }.joined()
        #expect(try texts(csv) == records, "seed \(seed)")
    }
}
