import Foundation

/// Turns a hang into a failure: the process ends, with the backtraces of all its threads.
///
/// For use in an exit test, whose process can end without taking the other tests along.
public enum Watchdog {
    /// Runs `body`, and ends the process if that has not returned after `seconds` seconds: half an hour is a deadlock,
    /// however busy the machine is.
    public static func watch<R>(_ what: String, limit seconds: Int = 1800, _ body: () throws -> R) rethrows -> R {
        let isOver = DispatchSemaphore(value: 0)
        Worker {
            guard isOver.wait(timeout: .now() + .seconds(seconds)) == .timedOut else { return }
            fatalError("\(what) has not come back for \(seconds) s: a deadlock, or a loop without end")
        }
        defer { isOver.signal() }
        return try body()
    }

    /// Has processes that this one starts from now on print the backtraces of all threads when they crash. (They read
    /// their settings as they start. A sanitizer takes crashes for itself.)
    public static func showAllThreads() { _ = settings }
    private static let settings: Void = {
        if !Scale.isSanitized { setenv("SWIFT_BACKTRACE", "enable=yes,preset=full,color=no,interactive=no", 1) }
    }()
}
