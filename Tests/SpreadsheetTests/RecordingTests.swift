import Foundation
import Testing

@testable import spreadsheet

/// In processes of their own: what the command records is what all threads do, and so what other tests would hold is held.
@Suite("Recordings of the command")
struct RecordingTests {
    @Test("a page has the names of the cells, whichever question it answers")
    func cellNames() async {
        await #expect(processExitsWith: .success) {
            try #expect(names(of: "1,=A1*2\n").isSuperset(of: ["A1", "B1"]))
            try #expect(names(of: "1,=A1*2\n", "--set", "A1=2").isSuperset(of: ["A1", "B1"]))
            try #expect(names(of: "1,=A1*2\n", "--why", "B1").isSuperset(of: ["A1", "B1"]))
        }
    }
    @Test("a page shows the edits made under --watch")
    func watched() async {
        await #expect(processExitsWith: .success) {
            let sheet = "1,=A1*2\n5,=A2*2\n"
            try #expect(names(of: sheet, "--watch", watching: "A2=6").isSuperset(of: ["A2", "B2"]))
            try #expect(names(of: "1,2\n", "--watch", watching: "B1=3").isSuperset(of: ["B1"]))
        }
    }
    @Test("an empty cell in a large range is said to be in that")
    func emptyInRange() async {
        await #expect(processExitsWith: .success) {
            try withFile("1,=SUM(A1:A1000)\n2,=SUM(A2:A600)\n") { path in
                func answer(_ option: String, _ cell: String) -> String { Outcome(path, "--csv", option, cell).error }
                for option in ["--why", "--why-not"] {
                    #expect(
                        answer(option, "A500") == "\nA500 is empty, and was never set; it is in a range of B1, B2\n")
                    #expect(answer(option, "A700") == "\nA700 is empty, and was never set; it is in a range of B1\n")
                    #expect(answer(option, "C1") == "\nC1 is empty, and no formula refers to it\n")
                }
            }
        }
    }
}

/// The names of the nodes on the page that the command writes.
private func names(of csv: String, _ arguments: String..., watching lines: String...) throws -> Set<String> {
    struct Page: Decodable {
        struct Nodes: Decodable { let name: [Int] }
        let texts: [String], nodes: Nodes
    }
    let page = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID().uuidString).html")
    defer { try? FileManager.default.removeItem(at: page) }
    let outcome = try withFile(csv) { path in
        Outcome([path, "--record", page.path] + arguments, lines: lines.map { Array($0.utf8) })
    }
    #expect(outcome.error == "" && outcome.status == 0)
    let text = try String(contentsOf: page, encoding: .utf8)
    let data = try #require(text.firstMatch(of: #/ id="data">(.*?)<\/script>/#)).1
    let content = try JSONDecoder().decode(Page.self, from: Data(data.utf8))
    return Set(content.nodes.name.filter { $0 >= 0 }.map { content.texts[$0] })
}
