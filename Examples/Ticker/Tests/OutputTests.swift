import Foundation
import TestSupport
import Testing

/// Runs a command of the shell, in which `$0` is the binary and `$1` the sample, or another file.
func shell(_ command: String, file: String? = nil) throws -> (error: String, status: Int32) {
    let sample = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Data/prices.csv")
    let (_, error, status) = try BuiltBinary.shell(command, "ticker", file ?? sample.path)
    return (error, status)
}

@Suite("The output")
struct OutputTests {
    @Test(
        "that is closed is one line on standard error, and status 2", arguments: ["--fast", "--speed 1000", "--help"])
    func closed(arguments: String) throws {
        let (error, status) = try shell("\"$0\" \"$1\" \(arguments) >&-")
        #expect(error == "ticker: the output cannot be written. Bad file descriptor\n")
        #expect(status == 2)
    }

    @Test(
        "that is full is one line on standard error, and status 2",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")), arguments: ["--fast", "--speed 1000"]
    )
    func full(arguments: String) throws {
        let (error, status) = try shell("\"$0\" \"$1\" \(arguments) >/dev/full")
        #expect(error == "ticker: the output cannot be written. No space left on device\n")
        #expect(status == 2)
    }
}

@Suite("The input")
struct InputTests {
    @Test("may be a pipe", arguments: ["cat \"$1\" | \"$0\" /dev/stdin --fast", "\"$0\" /dev/stdin --fast < \"$1\""])
    func pipe(command: String) throws {
        let (error, status) = try shell(command)
        #expect(error == "")
        #expect(status == 0)
    }

    @Test("that is a folder is told with its reason")
    func folder() throws {
        let (error, status) = try shell("\"$0\" / --fast")
        #expect(error == "ticker: cannot read \"/\": Is a directory\n")
        #expect(status == 2)
    }
}
