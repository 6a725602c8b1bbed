import Foundation
import Testing

@testable import signup

@Suite("signup's journal")
@MainActor struct JournalTests {
    /// Records a script, and calls `body` with the path of its journal.
    private func record(_ script: String, _ body: (_ journal: String) async throws -> Void) async throws -> [String] {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("signup-\(UUID())").path
        try script.write(toFile: path, atomically: true, encoding: .utf8)
        defer { for file in [path, path + ".json"] { try? FileManager.default.removeItem(atPath: file) } }
        var lines: [String] = []
        try await Command.runScript(try Command.readScript(path), journal: path + ".json") { lines.append($0) }
        try await body(path + ".json")
        return lines.filter { !$0.hasPrefix(">") }
    }
    private let script = """
        name grace
        wait 2s
        name edith
        email edith@example.org
        password hunter2 hunter2
        repeat hunter2 hunter2
        wait 1s
        submit
        wait 3s
        """

    @Test("a script's journal has no password, and replays in virtual time to the same changes")
    func replay() async throws {
        var replayed: [String] = []
        let played = try await record(script) { journal in
            let text = try String(contentsOfFile: journal, encoding: .utf8)
            #expect(text.contains("edith@example.org") && !text.contains("hunter"))
            try await FormJournal.replay(try FormJournal.read(journal)) { replayed.append($0) }
        }
        #expect(Set(played) == Set(replayed))
        #expect(replayed.contains("  sign-up: done, welcome edith"))
    }

    @Test("the shortest journal after which a node has a text is found")
    func shrink() async throws {
        let script = "email a@b\nname edith\nwait 1s\nname grace\nwait 2s\nshow"
        _ = try await record(script) { path in
            let journal = try FormJournal.read(path)
            #expect(try FormJournal.shrink(journal, to: "availability=taken").description == "name = \"grace\"")
            #expect(
                throws: Mistake(
                    "--shrink: after the journal, availability is taken, and not free; give the text that it has")
            ) {
                try FormJournal.shrink(journal, to: "availability=free")
            }
            #expect(throws: Mistake.self) { try FormJournal.shrink(journal, to: "nothing") }
        }
    }

    @Test("wrong input is told with file, step and reason")
    func errors() async throws {
        _ = try await record(script) { path in
            let text = try String(contentsOfFile: path, encoding: .utf8)
            @MainActor func mistake(_ text: String) throws -> String {
                try text.write(toFile: path, atomically: true, encoding: .utf8)
                do throws(Mistake) { _ = try FormJournal.read(path) } catch { return error.message }
                return "none"
            }
            #expect(try mistake(String(text.dropLast(5))) == "\(path): it is no journal, or was cut")
            let other = text.replacing("\"email\"", with: "\"mail\"")
            #expect(try mistake(other).hasPrefix("\(path): step 1: the journal sets “mail”"))
            let number = text.replacing("\"edith@example.org\"", with: "5")
            #expect(try mistake(number).contains(": a value of “email” does not decode"))
            #expect(throws: Mistake("\(path): it exists; --force replaces it")) { try Options(["--journal", path]) }
            #expect(try Options(["--journal", path, "--force"]).journal == path)
        }
        #expect(throws: Mistake("--shrink needs --replay JOURNAL")) { try Options(["--shrink", "a=b"]) }
    }
}
