import Foundation
import TestSupport
import Testing

@testable import spreadsheet

@Suite("The journal of edits")
struct JournalTests {
    private let sheet = "1,=A1*2,=B1+1\n5,=A2*2,\n"

    /// Calls `body` with the path of the sheet, and one for a journal.
    private func withFiles(_ body: (_ sheet: String, _ journal: String) throws -> Void) throws {
        try withFile(sheet) { path in
            let journal = path + ".journal"
            defer { try? FileManager.default.removeItem(atPath: journal) }
            try body(path, journal)
        }
    }

    @Test("the edits of a watched sheet are written, and a replay makes them again")
    func replay() throws {
        try withFiles { path, journal in
            let first = Outcome(
                path, "--set", "A1=10", "--watch", "--journal", journal, watching: "A2=7", "no edit", "", "C1==B1*B1")
            #expect(first.status == 2 && first.error.contains("standard input:2"))
            let again = Outcome(path, "--replay", journal)
            #expect(again.status == 0 && again.error == "")
            #expect(
                again.output == """
                       A  B   C
                    1  1   2  3
                    2  5  10
                    A1: 1 -> 10
                    B1: 2 -> 20
                    C1: 3 -> 21
                    2 of 3 formula cells recomputed
                    A2: 5 -> 7
                    B2: 10 -> 14
                    1 of 3 formula cells recomputed
                    C1: 21 -> 400
                    1 of 3 formula cells recomputed

                    """)
        }
    }

    @Test("the shortest journal that leaves a cell with a value is printed")
    func shrink() throws {
        try withFiles { path, journal in
            _ = Outcome(
                path, "--watch", "--journal", journal,
                watching: "A2=1", "A1=77", "C1=x", "A1=900", "A2=3", "C1==B1/A2", "B2=9")
            let outcome = Outcome(path, "--replay", journal, "--shrink", "C1=600")
            #expect(outcome.status == 0 && outcome.error == "")
            #expect(
                outcome.output.hasSuffix(
                    """
                    edits = ["A1=900"]
                    edits = ["A2=3"]
                    edits = ["C1==B1/A2"]

                    """))
        }
    }

    @Test("wrong input ends with status 2, and names the file, the step and the reason")
    func errors() throws {
        try withFiles { path, journal in
            func error(_ arguments: String...) -> String {
                let outcome = Outcome([path] + arguments, lines: [])
                #expect(outcome.status == 2 && outcome.output == "")
                return outcome.error
            }
            #expect(error("--replay", journal).contains("cannot read \"\(journal)\": No such file or directory"))
            func write(_ text: String) throws { try text.write(toFile: journal, atomically: true, encoding: .utf8) }
            try write(#"{"initial": {}, "isComplete": true, "steps": [{"set": "edits", "val"#)
            #expect(error("--replay", journal).contains("is no journal, or was cut"))
            func steps(_ steps: String) -> String { #"{"initial": {}, "isComplete": true, "steps": [\#(steps)]}"# }
            let fine = #"{"set": "edits", "value": ["A1=1"]}"#
            try write(steps(fine + #", {"set": "edits", "value": ["A1=1", "oops"]}"#))
            #expect(error("--replay", journal).contains("step 2: \"oops\" is no edit"))
            try write(steps(fine + #", {"set": "edits", "value": 5}"#))
            #expect(error("--replay", journal).contains("step 2: a value of “edits” does not decode"))
            try write(steps(fine + #", {"set": "other", "value": 5}"#))
            #expect(error("--replay", journal).contains("step 2: the journal sets “other”"))
            try write(steps(fine))
            #expect(error("--shrink", "A1=1").contains("--shrink needs --replay JOURNAL"))
            #expect(error("--replay", journal, "--set", "A1=1").contains("and no others"))
            let outcome = Outcome(path, "--replay", journal, "--shrink", "A1=2")
            #expect(outcome.status == 2 && outcome.error.contains("A1 is \"1\""))
        }
    }

    @Test("an existing file is replaced only with --force")
    func force() throws {
        try withFiles { path, journal in
            try "old".write(toFile: journal, atomically: true, encoding: .utf8)
            let refused = Outcome(path, "--set", "A1=2", "--journal", journal)
            #expect(refused.status == 2 && refused.error.contains("exists; --force replaces it"))
            #expect(try String(contentsOfFile: journal, encoding: .utf8) == "old")
            #expect(Outcome(path, "--set", "A1=2", "--journal", journal, "--force").status == 0)
            #expect(Outcome(path, "--replay", journal).output.contains("A1: 1 -> 2"))
            #expect(
                Outcome(path, "--set", "A1=2", "--journal", path, "--force").error.contains("is the sheet that is read")
            )
        }
    }
}
