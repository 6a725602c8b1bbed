import Foundation

/// What is left of a schedule when the process crashes: the line that replays it, on standard error.
///
/// Everything that the signal's handler reads lies in memory that was made beforehand.
enum Blackbox {
    private static let capacity = 1 << 16
    nonisolated(unsafe) private static let line = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    nonisolated(unsafe) private static var length = 0
    nonisolated(unsafe) private static var prefixLength = 0
    nonisolated(unsafe) private static var before: [(signal: Int32, action: sigaction)] = []
    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGSEGV, SIGFPE]

    /// The next run of the scenario `name` begins.
    static func begin(_ name: String, schedule: Int) {
        _ = installed
        length = 0
        append("the process ends in schedule \(schedule) of “\(name)”; replay: EASYREACT_REPLAY='\(name): ")
        prefixLength = length
    }
    /// A run with so many threads.
    static func beginThreads(_ count: Int) {
        length = prefixLength
        append(count)
        append(">0")
    }
    static func note(thread: Int, step: Int, next: Int) {
        append(UInt8(ascii: " "))
        append(thread)
        if step > 0 {
            append(UInt8(ascii: "."))
            append(step)
        }
        append(UInt8(ascii: ">"))
        append(next)
    }
    static func end() { length = 0 }

    private static func append(_ byte: UInt8) {
        guard length < capacity - 8 else { return }
        line[length] = byte
        length += 1
    }
    private static func append(_ text: String) { for byte in text.utf8 { append(byte) } }
    private static func append(_ number: Int) {
        var divisor = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }

    private static let installed: Void = {
        for signal in signals {
            var action = sigaction()
            var old = sigaction()
            // What was there is called when the same instruction fails again.
            let handler: @convention(c) (Int32) -> Void = { signal in
                if Blackbox.length > 0 {
                    Blackbox.line[Blackbox.length] = UInt8(ascii: "'")
                    Blackbox.line[Blackbox.length + 1] = UInt8(ascii: "\n")
                    write(STDERR_FILENO, Blackbox.line, Blackbox.length + 2)
                    Blackbox.length = 0
                }
                for index in 0..<Blackbox.before.count where Blackbox.before[index].signal == signal {
                    sigaction(signal, &Blackbox.before[index].action, nil)
                }
                // A trap comes again by itself; what was sent does not.
                if signal == SIGABRT { raise(signal) }
            }
            #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = handler
            #else
            action.__sigaction_handler.sa_handler = handler
            #endif
            sigaction(signal, &action, &old)
            before.append((signal, old))
        }
    }()
}
