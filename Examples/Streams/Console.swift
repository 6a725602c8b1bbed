import Foundation

/// Standard input, output and error of a command, by the command's name.
package struct Console: Sendable {
    private let name: String
    private let isInputOpen: Bool

    /// Makes a console. If standard output is closed, ends the program with exit status 2.
    ///
    /// Call this before any file is opened: see `FileHandle.isOpen`.
    package init(_ name: String) {
        self.name = name
        isInputOpen = FileHandle.standardInput.isOpen
        // A closed output pipe is reported like any other output error.
        signal(SIGPIPE, SIG_IGN)
        guard FileHandle.standardOutput.isOpen else { Console.fail(name, toWrite: String(cString: strerror(EBADF))) }
    }

    /// Writes a text to standard output. If that fails, ends the program with exit status 2.
    package func write(_ text: String) {
        if let reason = FileHandle.standardOutput.writeAll(text) { Console.fail(name, toWrite: reason) }
    }
    /// Writes one line to standard output, with pictures of its control characters.
    package func writeLine(_ line: String) { write(line.withControlPictures + "\n") }
    /// Writes one line to standard error, with pictures of its control characters.
    package func complain(_ message: String) {
        Console.complain(name, message)
    }

    /// The lines of standard input, read on a thread of their own. A line that is not UTF-8 is `nil`.
    ///
    /// The loop throws `CannotRead` if the lines could not be read to their end.
    package func lines() -> AsyncThrowingStream<String?, any Error> {
        AsyncThrowingStream { continuation in
            guard isInputOpen else {
                return continuation.finish(throwing: CannotRead(reason: String(cString: strerror(EBADF))))
            }
            Thread {
                let reason = FileHandle.standardInput.forEachLine { continuation.yield($0) }
                continuation.finish(throwing: reason.map(CannotRead.init))
            }.start()
        }
    }

    // These take the name, because the optimiser (Swift 6.3) leaves out the store of a property before a call that does
    // not return.
    private static func fail(_ name: String, toWrite reason: String) -> Never {
        complain(name, "the output cannot be written: \(reason)")
        exit(2)
    }
    private static func complain(_ name: String, _ message: String) {
        FileHandle.standardError.writeAll("\(name): \(message.withControlPictures)\n")
    }
}

/// Standard input cannot be read.
package struct CannotRead: Error, CustomStringConvertible {
    let reason: String
    package var description: String { "cannot read standard input: \(reason)" }
}
