import Foundation
import Testing

@Suite("signup's input and output")
struct StreamsTests {
    /// Runs a command of the shell, in which `$0` is the binary and `$1` the sample.
    private func shell(_ command: String) throws -> (output: String, error: String, status: Int32) {
        let sample = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Data/signup.txt")
        #if os(macOS)
        let tests = Bundle(for: Anchor.self).bundleURL
        #else
        let tests = URL(fileURLWithPath: CommandLine.arguments[0])
        #endif
        let (process, output, error) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let binary = tests.deletingLastPathComponent().appendingPathComponent("signup").path
        process.arguments = ["-c", command, binary, sample.path]
        process.standardOutput = output
        process.standardError = error
        try process.run()
        let texts = [output, error].map {
            String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        process.waitUntilExit()
        return (texts[0], texts[1], process.terminationStatus)
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
}

#if os(macOS)
/// A class of the bundle that holds the tests.
private final class Anchor {}
#endif
