import Foundation
import Testing

@testable import spreadsheet

@Suite("Pictures of a sheet")
struct DrawingTests {
    private let sheet = "3,=A1*2,label\n4,\"=SUM(A1:A2,B1)\",\n"

    @Test("--dot - prints the cells, with their formulas and values, and nothing else")
    func dot() throws {
        try withFile(sheet) { path in
            let outcome = Outcome(path, "--dot", "-", "--set", "A1=5")
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.first == "digraph {" && lines.last == "}")
            #expect(lines.count { $0.contains("[label=") } == 8)
            #expect(lines.contains { $0.contains("[label=\"A1\\n5\"") })
            #expect(lines.contains { $0.contains("[label=\"B1 =A1*2\\n10\"") })
            #expect(lines.contains { $0.contains("[label=\"B2 =SUM(A1:A2,B1)\\n19\"") })
            #expect(lines.count { $0.contains(" -> ") } == 4)
            #expect(outcome.error == "A1: 3 -> 5\nB1: 6 -> 10\nB2: 13 -> 19\n2 of 2 formula cells recomputed\n")
            #expect(outcome.status == 0)
        }
    }

    @Test("--mermaid - prints a flowchart")
    func mermaid() throws {
        try withFile(sheet) { path in
            let output = Outcome(path, "--mermaid", "-").output
            #expect(output.hasPrefix("flowchart LR\n"))
            #expect(output.split(separator: "\n").count { $0.contains(" --> ") } == 4)
        }
    }

    @Test("a picture in a file leaves standard output as it is, and shows the sheet after all edits")
    func file() throws {
        try withFile(sheet) { path in
            try withFile("old") { picture in
                let outcome = Outcome(path, "--watch", "--dot", picture, watching: "A1=7")
                #expect(outcome.output == Outcome(path, "--watch", watching: "A1=7").output)
                #expect(outcome.error == "")
                let text = try String(contentsOfFile: picture, encoding: .utf8)
                #expect(text.contains("[label=\"A1\\n7\""))
            }
        }
    }

    @Test("a picture goes to the file that a link leads to, and the link stays")
    func link() throws {
        try withFile(sheet) { path in
            try withFile("old") { picture in
                let link = picture + ".link"
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: picture)
                defer { try? FileManager.default.removeItem(atPath: link) }
                #expect(Outcome(path, "--dot", link).status == 0)
                #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == picture)
                #expect(try String(contentsOfFile: picture, encoding: .utf8).hasPrefix("digraph"))
            }
        }
    }

    @Test("a file that cannot be written is named, with the reason, on one line")
    func badFile() throws {
        try withFile(sheet) { path in
            let outcome = Outcome(path, "--dot", "/no/such/folder/sheet.dot")
            #expect(outcome.error.hasPrefix("spreadsheet: cannot write \"/no/such/folder/sheet.dot\": "))
            #expect(outcome.error.count(where: \.isNewline) == 1)
            #expect(outcome.status == 2)
        }
    }

    @Test("a sheet without formulas has an empty picture")
    func noFormulas() throws {
        try withFile("1,2\n") { path in
            #expect(!Outcome(path, "--dot", "-").output.contains("n0"))
        }
    }
}
