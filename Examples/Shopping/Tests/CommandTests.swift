import Foundation
import ShoppingModel
import TestSupport
import Testing

@testable import shopping

@Suite("shopping's command line")
struct CommandTests {
    /// Runs lines in virtual time. Returns the printed lines, and the messages about lines that cannot be used.
    private func run(_ script: String) async -> (printed: [String], messages: [String]) {
        var printed: [String] = []
        var messages: [String] = []
        let session = Session(Document(), storage: nil, isVirtual: true) { printed.append($0) }
        for line in script.split(separator: "\n", omittingEmptySubsequences: false) {
            if let message = await session.take(String(line)) { messages.append(message) }
        }
        if let message = await session.end() { messages.append(message) }
        #expect(session.hasMistakes == !messages.isEmpty)
        return (printed, messages)
    }

    @Test("each line prints what changes")
    func script() async {
        let (printed, messages) = await run(
            """
            # a comment
            type mi
            wait 1s
            take 1

            add dairy butter
            move 2 dairy 1
            check 1
            search tt
            search
            undo
            clean
            """)
        #expect(messages == [])
        #expect(
            printed == [
                "  title: Shopping", "  0 to buy",
                "> type mi", "  looking for suggestions …",
                "> wait 1s", "  suggestions: 1 milk (dairy)",
                "> take 1", "  1 to buy", "  dairy 1: #1 milk",
                "> add dairy butter", "  2 to buy", "  dairy 2: #2 butter",
                "> move 2 dairy 1", "  dairy 1: #2 butter, from row 2",
                "> check 1", "  1 to buy", "  dairy 2: #1 milk, bought",
                "> search tt", "  dairy 2: #1 leaves",
                "> search", "  dairy 2: #1 milk, bought",
                "> undo", "  2 to buy", "  dairy 2: #1 milk",
                "> clean",
            ])
    }

    @Test(
        "a line that cannot be used is told with its number and the reason, and changes nothing",
        arguments: [
            ("nonsense", "“nonsense” is no instruction; --help lists them"),
            ("undo now", "“now” is too much behind “undo”"), ("redo", "there is nothing to redo"),
            ("add dairy", "a name is missing"), ("add", "a section is missing"), ("check x", "“x” is no whole number"),
            ("check 7", "there is no item 7"), ("rename 7 x", "there is no item 7"),
            ("take 1", "there is no suggestion 1"),
            ("enter", "nothing was typed"), ("move 1 dairy 2", "there is no row 2, only 1 to 1"),
            ("move 7 dairy 1", "there is no item 7"), ("wait long", "“long” is no time to wait"),
            ("title \u{1B}[2J", "the line has a control character, number 27"),
        ])
    func mistakes(line: String, reason: String) async {
        let (printed, messages) = await run("add dairy milk\n\(line)\nshow")
        #expect(messages.count == 1 && messages[0].hasPrefix("standard input:2: \(reason)"), "\(messages)")
        #expect(printed.suffix(2) == ["> show", "  dairy 1: #1 milk"])
    }

    @Test("the options are read, and others refused")
    func options() throws {
        let options = try Options(["--virtual", "--file", "a.json"])
        #expect(options.isVirtual && options.file == "a.json")
        #expect(throws: Mistake.self) { try Options(["--file"]) }
        #expect(throws: Mistake.self) { try Options(["--file", "a", "--file", "b"]) }
        #expect(throws: Mistake.self) { try Options(["--loud"]) }
    }
}

#if os(macOS) || os(Linux)
/// The program as a process of its own. In the commands, `$0` is the program, and `$1` a file for the list.
@Suite("shopping's files and streams")
struct ProcessTests {
    private let path = FileManager.default.temporaryDirectory.appendingPathComponent("shopping-\(UUID()).json").path

    private func shell(_ command: String) throws -> (output: String, error: String, status: Int32) {
        try BuiltBinary.shell(command, "shopping", path)
    }

    @Test("a list is saved at the end of the input, and read at the next start, in real time too")
    func savedAndRead() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let first = try shell("printf 'add dairy milk\\nnonsense\\ntitle Today' | \"$0\" --file \"$1\"")
        #expect(first.status == 2)
        #expect(first.error == "shopping: standard input:2: “nonsense” is no instruction; --help lists them\n")
        #expect(first.output.hasSuffix("  title: Today\n  saved\n"))
        let second = try shell("echo show | \"$0\" --virtual --file \"$1\"")
        #expect(second.status == 0 && second.error == "")
        #expect(second.output.hasSuffix("> show\n  dairy 1: #1 milk\n"))
    }

    @Test("a list without a file is not said to be saved")
    func withoutFile() throws {
        let (output, error, status) = try shell("echo add dairy milk | \"$0\" --virtual")
        #expect(output.hasSuffix("> add dairy milk\n  1 to buy\n  dairy 1: #1 milk\n") && error == "" && status == 0)
    }

    @Test("control characters of a file are shown by their pictures, in the output and in messages")
    func controlCharacters() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let item = #"[1,{"isDone":false,"name":"a\u001b[31mb\nc","place":"8100","section":"d\u009b"}]"#
        try #"{"items":[\#(item)],"title":"t\u001b]0;x\u0007","version":2}"#.write(
            toFile: path, atomically: true, encoding: .utf8)
        let (output, _, status) = try shell("echo show | \"$0\" --virtual --file \"$1\"")
        #expect(output.contains("  title: t␛]0;x␇\n") && output.contains("  d\u{FFFD} 1: #1 a␛[31mb␊c\n"))
        #expect(!output.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
        #expect(status == 0)
        try #"{"items":[[1,{"isDone":false,"name":"","place":"\u001b[2J","section":""}]],"title":"","version":2}"#
            .write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try shell("\"$0\" --file \"$1\" </dev/null").error.contains("'␛[2J' is no place."))
    }

    @Test("a list that cannot be read is told, and its file left as it is")
    func unreadable() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (_, error, status) = try shell("echo '{' > \"$1\"; echo add a b | \"$0\" --virtual --file \"$1\"")
        #expect(error.hasPrefix("shopping: \(path): ") && status == 2)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "{\n")
    }

    @Test("a list that cannot be saved is told at the end")
    func unwritable() throws {
        let (output, error, status) = try shell("echo add a b | \"$0\" --virtual --file \"$1/none\"")
        #expect(output.hasSuffix("  a 1: #1 b\n"))
        #expect(error == "shopping: \(path)/none: it cannot be written\n" && status == 2)
    }

    @Test(
        "streams that are closed are one line on standard error, and status 2",
        arguments: [
            ("\"$0\" >&-", "the output cannot be written: Bad file descriptor"),
            ("\"$0\" </", "cannot read standard input: Is a directory"),
            ("\"$0\" <&-", "cannot read standard input: Bad file descriptor"),
        ])
    func streams(command: String, reason: String) throws {
        let (_, error, status) = try shell(command)
        #expect(error == "shopping: \(reason)\n" && status == 2)
    }
}
#endif
