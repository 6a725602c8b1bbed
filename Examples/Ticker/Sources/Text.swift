import Foundation

extension String {
    /// The text on one line. A visible sign replaces each control character, line separator, and character that changes
    /// the writing direction.
    var printable: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0..<0x20: text.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value)!)
            case 0x7F: text.unicodeScalars.append("\u{2421}")
            case 0x80...0x9F, 0x2028...0x202E, 0x2066...0x2069: text.unicodeScalars.append("\u{FFFD}")
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension FileHandle {
    /// True if the file is open. Read this before any file is opened, because the next opened file gets the number of a
    /// closed one.
    var isOpen: Bool { fcntl(fileDescriptor, F_GETFD) >= 0 }

    /// Writes the whole text. Returns the reason if it cannot.
    @discardableResult func writeAll(_ text: String) -> String? {
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
}
