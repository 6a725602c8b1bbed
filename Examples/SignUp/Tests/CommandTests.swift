import Foundation
import Testing

@testable import signup

@Suite("signup's command line")
@MainActor struct CommandTests {
    private func play(_ script: String) async throws -> [String] {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("signup-\(UUID()).txt").path
        try script.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        var lines: [String] = []
        try await Command.runScript(try Command.readScript(path)) { lines.append($0) }
        return lines
    }

    @Test("a script prints what changes, as it changes, and what is under way at its end comes to its own")
    func script() async throws {
        let lines = try await play(
            """
            # a comment
            name grace
            wait 300ms
            wait 2s
            name edith
            email edith@example.org
            password correct horse
            repeat correct horse

            wait 1s
            submit
            """)
        #expect(
            lines == [
                "  ( Sign up )",
                "> name grace", "> wait 300ms", "  name: asking whether it is free …",
                "> wait 2s", "  name: is taken",
                "> name edith", "> email edith@example.org", "> password correct horse", "> repeat correct horse",
                "> wait 1s", "  name: asking whether it is free …", "  name: is free", "  [ Sign up ]",
                "> submit", "  sign-up: under way …", "  ( Sign up )", "  sign-up: done, welcome edith",
            ])
    }

    @Test(
        "a name that was not looked up is not said to be free",
        arguments: ["", "name 日本", "name ab\nwait 1s", "name edith\nwait 2s\nname \nwait 1s", "name ada lovelace"])
    func notLookedUp(script: String) async throws {
        let lines = try await play("\(script)\nwait 1s\nshow")
        #expect(lines.last { $0.hasPrefix("  name") } != "  name: is free")
        #expect(lines.suffix(8).filter { $0.contains("free") } == [])
    }

    @Test(
        "show says of a name that meets the rules what is known of it",
        arguments: [
            ("name edith\nwait 2s", ": is free"), ("name grace\nwait 2s", ": is taken"),
            ("name edith", ": not asked yet"), ("name edith\nwait 400ms", ": asking whether it is free …"),
            ("name downtown\nwait 9s", ": nobody knows whether it is free: the directory does not answer"),
            ("name ab\nwait 2s", " is too short"),
        ])
    func shown(script: String, text: String) async throws {
        let lines = try await play("\(script)\nshow")
        let shown = try #require(lines.firstIndex(of: "> show"))
        #expect(lines[shown + 1] == "  name\(text)")
    }

    @Test("the sample script plays to its end, the same every time")
    func sample() async throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Data/signup.txt").path
        let script = try Command.readScript(path)
        var first: [String] = []
        var second: [String] = []
        try await Command.runScript(script) { first.append($0) }
        try await Command.runScript(script) { second.append($0) }
        #expect(first == second)
        #expect(first.last == "  sign-up: done, welcome adalovelace")
    }

    @Test("a line that says nothing that can be done is told with its number, before anything is done")
    func mistakes() async {
        func message(_ line: String) async -> String? {
            do {
                _ = try await play("name ada\n\n\(line)")
                return nil
            } catch {
                return (error as? Mistake)?.message
            }
        }
        #expect(
            await message("nmae ada")?.contains(
                "txt:3: “nmae” is none of name, email, password, repeat, wait, submit, show") == true)
        #expect(await message("wait long")?.contains("txt:3: “long” is no time to wait") == true)
        #expect(await message("wait -1s")?.contains("is no time to wait") == true)
        #expect(await message("wait 1e300s")?.contains("is no time to wait") == true)
        #expect(await message("wait nans")?.contains("is no time to wait") == true)
        #expect(await message("submit now")?.contains("“submit” stands alone") == true)
    }

    @Test("lines end in LF or CRLF")
    func lineEnds() async throws {
        let lines = try await play("# a comment\r\nrepeat a b\nemail ada@example.org\r\n\r\nsubmit")
        #expect(lines.filter { $0.hasPrefix(">") } == ["> repeat a b", "> email ada@example.org", "> submit"])
        await #expect(throws: Mistake.self) { try await play("# a comment\r\nnmae ada\r\n") }
    }

    @Test(
        "lines are read as they are meant",
        arguments: [
            ("name  ada ", Instruction.type(.name, " ada ")), ("repeat", .type(.repeat, "")), ("  submit", .submit),
            ("wait 1.5s", .wait(.milliseconds(1_500))), ("wait 20 ms", .wait(.milliseconds(20))), ("show ", .show),
        ])
    func lines(line: String, instruction: Instruction) throws {
        #expect(try Instruction(line) == instruction)
    }

    @Test("empty lines and comments are nothing", arguments: ["", "   ", "# name ada", "  # x"])
    func nothing(line: String) throws {
        #expect(try Instruction(line) == nil)
    }

    @Test("a file that is not there is told")
    func missing() {
        #expect(throws: Mistake("/nowhere/at all: it cannot be read")) { try Command.readScript("/nowhere/at all") }
    }
}
