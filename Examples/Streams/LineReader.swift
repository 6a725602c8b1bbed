import Foundation

/// Cuts its input into lines that end in LF or CRLF, or at the end of the input. Leaves out a byte order mark at the
/// beginning.
package final class LineReader {
    private let file: FileHandle
    /// The bytes that were read. Those from `start` on are not returned yet. Those up to `searched` contain no line
    /// end.
    private var buffer: [UInt8] = []
    private var start = 0
    private var searched = 0
    private var isAtEnd = false
    private var isFirstLine = true
    /// The reason, if the input could not be read to its end.
    package private(set) var failure: String?

    package init(_ file: FileHandle) { self.file = file }

    /// Returns the next line without its end. Returns `nil` after the last line, and if the input cannot be read. Waits
    /// until a whole line has come.
    package func next() -> [UInt8]? {
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
