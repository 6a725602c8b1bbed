import Foundation
import Streams

/// Writes to a file in large pieces.
final class Output {
    private let file: FileHandle
    private var buffer = ""

    init(_ file: FileHandle) {
        self.file = file
    }

    func write(_ text: String) {
        buffer += text
        if buffer.utf8.count > 1 << 16 { flush() }
    }

    /// Writes the buffer. If that fails, ends the process with status 2, so that a reader does not take the output for
    /// complete.
    func flush() {
        guard !buffer.isEmpty else { return }
        let text = buffer
        buffer = ""
        if let reason = file.writeAll(text) { Output.fail(reason) }
    }

    static func fail(_ reason: String) -> Never {
        FileHandle.standardError.writeAll("spreadsheet: cannot write the output: \(reason)\n")
        exit(2)
    }
}

/// A line on a terminal that shows progress. Each line replaces the one before, and the last one is removed at the end.
final class ProgressLine {
    private let file: FileHandle
    private var isShown = false

    init(_ file: FileHandle) {
        self.file = file
    }

    var isOnTerminal: Bool { isatty(file.fileDescriptor) == 1 }

    func show(_ text: String) {
        guard isOnTerminal else { return }
        file.writeAll("\r\u{1B}[K" + text.withControlPictures)
        isShown = true
    }

    func clear() {
        if isShown { file.writeAll("\r\u{1B}[K") }
        isShown = false
    }
}
