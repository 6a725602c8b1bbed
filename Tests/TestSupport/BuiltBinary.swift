#if os(macOS) || os(Linux)
import Foundation

/// The executables of the package, run as processes of their own.
public enum BuiltBinary {
    /// Returns the place of an executable. SwiftPM puts the executables beside the tests.
    public static func url(_ name: String) -> URL {
        #if os(macOS)
        let tests = Bundle(for: Anchor.self).bundleURL
        #else
        let tests = URL(fileURLWithPath: CommandLine.arguments[0])
        #endif
        return tests.deletingLastPathComponent().appendingPathComponent(name)
    }
    /// Runs a command of the shell, in which `$0` is an executable and `$1` a file. Leaves out of the error what debug builds of
    /// the library say of late sets, because these depend on how busy the machine is.
    public static func shell(
        _ command: String, _ name: String, _ file: String
    ) throws -> (output: String, error: String, status: Int32) {
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command, url(name).path, file]
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let texts = [output, errors].map {
            String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        process.waitUntilExit()
        let error = texts[1].split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("EasyReact: a set ") }.joined(separator: "\n")
        return (texts[0], error, process.terminationStatus)
    }
}

#if os(macOS)
/// A class of the bundle that holds the tests.
private final class Anchor {}
#endif
#endif
