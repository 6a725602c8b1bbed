import Foundation
import TestSupport
import Testing

@Suite("signup's input and output")
struct StreamsTests {
    /// Runs a command of the shell, in which `$0` is the binary and `$1` the sample.
    private func shell(_ command: String) throws -> (output: String, error: String, status: Int32) {
        let sample = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Data/signup.txt")
        return try BuiltBinary.shell(command, "signup", sample.path)
    }

    @Test(
        "an output that is closed is one line on standard error, and status 2",
        arguments: ["--script \"$1\"", "--help"])
    func closed(arguments: String) throws {
        let (_, error, status) = try shell("\"$0\" \(arguments) >&-")
        #expect(error == "signup: the output cannot be written: Bad file descriptor\n")
        #expect(status == 2)
    }

    @Test(
        "an output that is full is one line on standard error, and status 2",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func full() throws {
        let (_, error, status) = try shell("\"$0\" --script \"$1\" >/dev/full")
        #expect(error == "signup: the output cannot be written: No space left on device\n")
        #expect(status == 2)
    }

    @Test(
        "an input that cannot be read is one line on standard error, and status 2",
        arguments: [("</", "Is a directory"), ("<&-", "Bad file descriptor")])
    func unreadable(redirection: String, reason: String) throws {
        let (_, error, status) = try shell("\"$0\" \(redirection)")
        #expect(error == "signup: cannot read standard input: \(reason)\n")
        #expect(status == 2)
    }

    @Test("a line that is not UTF-8 is told with its number, and the next one is read")
    func notUTF8() throws {
        let (output, error, status) = try shell("printf 'show\\r\\nrepeat a\\377\\nrepeat b' | \"$0\"")
        #expect(output.hasPrefix("  ( Sign up )\n  name "))
        #expect(error == "signup: standard input:2: the line is not UTF-8\n")
        #expect(status == 2)
    }

    @Test("a control character of a script is shown by its picture, so that it cannot steer the terminal")
    func controls() throws {
        let (output, _, status) = try shell(
            "printf 'name a\\033[2Jb\\177\\302\\233c\\n' | \"$0\" --script /dev/stdin")
        #expect(output.contains("> name a␛[2Jb␡\u{FFFD}c\n"))
        #expect(status == 0)
    }

    @Test("a script may be a pipe, and a byte order mark before the first line is left out")
    func pipe() throws {
        let (output, error, status) = try shell(
            "printf '\\357\\273\\277name Lin\\nwait 1s\\n' | \"$0\" --script /dev/stdin")
        #expect(output.hasPrefix("  ( Sign up )\n> name Lin\n> wait 1s\n"), "\(output)")
        #expect(error == "")
        #expect(status == 0)
        let typed = try shell("printf '\\357\\273\\277show\\r\\nrepeat a' | \"$0\"")
        #expect(typed.error == "")
        #expect(typed.status == 0)
    }
}
