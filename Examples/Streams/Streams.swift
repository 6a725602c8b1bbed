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
        let reader = LineReader(self)
        while let line = reader.next() { body(String(validating: line, as: UTF8.self)) }
        return reader.failure
    }
}
