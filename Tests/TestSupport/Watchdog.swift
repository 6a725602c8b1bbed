import Foundation

/// Turns a hang into a failure: the process ends, with the backtraces of all its threads where those are turned on.
///
/// For use in an exit test, whose process can end without taking the other tests along.
public enum Watchdog {
    /// Runs `body`, and ends the process if that has not returned after `seconds` seconds: half an hour is a deadlock,
    /// however busy the machine is.
    public static func watch<R>(_ what: String, limit seconds: Int = 1800, _ body: () throws -> R) rethrows -> R {
        let isOver = DispatchSemaphore(value: 0)
        Worker {
            guard isOver.wait(timeout: .now() + .seconds(seconds)) == .timedOut else { return }
            fatalError("\(what) has not come back for \(seconds) s: a deadlock, or a loop without end.\(remedy)")
        }
        defer { isOver.signal() }
        return try body()
    }

    private static let remedy =
        showsAllThreads ? "" : " SWIFT_BACKTRACE=enable=yes,preset=full in the environment shows what each thread does"

    /// Whether processes that crash print the backtraces of all threads.
    ///
    /// Swift reads the setting as a process starts, and a backtrace takes a second. So the gate turns backtraces on for the tests
    /// that look for deadlocks, and `swift test` does not.
    public static let showsAllThreads =
        ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"]?.contains("enable=yes") ?? false
}
