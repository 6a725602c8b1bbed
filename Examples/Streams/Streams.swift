import Foundation

extension FileHandle {
    /// True if the file is open. Read this before any file is opened, because the next opened file gets the number of a
    /// closed one.
    package var isOpen: Bool { fcntl(fileDescriptor, F_GETFD) >= 0 }

    /// Writes the whole text. Returns the reason if it cannot. If SIGPIPE is ignored, a closed pipe is a reason like
    /// others.
    @discardableResult package func writeAll(_ text: String) -> String? {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(fileDescriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return String(cString: strerror(errno))
            }
        }
        return nil
    }

    /// Calls `body` with each line as soon as it has arrived, without its LF or CRLF, and without a byte order mark
    /// before the first one. A line that is not UTF-8 is `nil`, whereas `readLine` would replace the wrong bytes.
    /// Returns the reason if the lines could not be read to their end.
    package func forEachLine(_ body: (String?) -> Void) -> String? {
        guard let file = fdopen(fileDescriptor, "r") else { return String(cString: strerror(errno)) }
        var buffer: UnsafeMutablePointer<CChar>?
        var capacity = 0
        var isFirst = true
        defer { free(buffer) }
        while true {
            let count = getline(&buffer, &capacity, file)
            guard count >= 0, let buffer else { return ferror(file) == 0 ? nil : String(cString: strerror(errno)) }
            var line = UnsafeRawBufferPointer(start: buffer, count: count)[...]
            if line.last == UInt8(ascii: "\n") { line.removeLast() }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if isFirst, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
            isFirst = false
            body(String(validating: line, as: UTF8.self))
        }
    }
}
