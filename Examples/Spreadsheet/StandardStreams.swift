import Foundation

/// Cuts what it reads into lines that end in LF or CRLF, or at the end of the input.
final class LineReader {
    private let file: FileHandle
    private var buffer = Data()
    private var isAtEnd = false

    init(_ file: FileHandle) {
        self.file = file
    }

    /// The next line without its end; `nil` after the last. Waits until a whole line has come.
    func next() -> [UInt8]? {
        var searched = buffer.startIndex
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer = buffer[(end + 1)...] }
                return line(buffer[..<end])
            }
            guard !isAtEnd else {
                defer { buffer = Data() }
                return buffer.isEmpty ? nil : line(buffer)
            }
            let more = file.availableData
            isAtEnd = more.isEmpty
            searched = buffer.count
            buffer = Data(buffer) + more
        }
    }

    private func line(_ content: Data) -> [UInt8] {
        Array(content.last == UInt8(ascii: "\r") ? content.dropLast() : content)
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

    func flush() {
        guard !buffer.isEmpty else { return }
        let data = Data(buffer.utf8)
        buffer = ""
        do {
            try file.write(contentsOf: data)
        } catch {
            // Whoever reads the output must not take it for whole.
            try? FileHandle.standardError.write(contentsOf: Data("spreadsheet: cannot write the output\n".utf8))
            exit(1)
        }
    }
}
