import Foundation
import Streams

/// Cuts its input into lines that end in LF or CRLF, or at the end of the input. Leaves out a byte order mark at the
/// beginning.
final class LineReader {
    private let file: FileHandle
    /// The bytes that were read. Those from `start` on are not returned yet. Those up to `searched` contain no line
    /// end.
    private var buffer: [UInt8] = []
    private var start = 0
    private var searched = 0
    private var isAtEnd = false
    private var isFirstLine = true
    /// The reason, if the input could not be read to its end.
    private(set) var failure: String?

    init(_ file: FileHandle) {
        self.file = file
    }

    /// Returns the next line without its end. Returns `nil` after the last line, and if the input cannot be read. Waits
    /// until a whole line has come.
    func next() -> [UInt8]? {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer {
                    start = end + 1
                    searched = start
                }
                return line(buffer[start..<end])
            }
            searched = buffer.count
            guard !isAtEnd else {
                defer { start = buffer.count }
                return start == buffer.count ? nil : line(buffer[start...])
            }
            // Moves the rest before reading on, not after each line, so each byte moves at most once for each read.
            buffer.removeFirst(start)
            searched -= start
            start = 0
            readMore()
        }
    }

    private func readMore() {
        var count = 0
        let size = 1 << 16
        withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { chunk in
            repeat { count = read(file.fileDescriptor, chunk.baseAddress, size) } while count < 0 && errno == EINTR
            if count > 0 { buffer.append(contentsOf: chunk.prefix(count)) }
        }
        if count < 0 { failure = String(cString: strerror(errno)) }
        isAtEnd = count <= 0
    }

    private func line(_ content: ArraySlice<UInt8>) -> [UInt8] {
        let hasMark = isFirstLine && content.starts(with: [0xEF, 0xBB, 0xBF])
        isFirstLine = false
        let content = content.dropFirst(hasMark ? 3 : 0)
        return Array(content.last == UInt8(ascii: "\r") ? content.dropLast() : content)
    }
}

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
