import Foundation

/// How much work a test does. Sanitizers make everything ten times as slow and as large, and the schedule's faults are slow
/// as well, so sizes shrink with them: pass `-Xswiftc -DTHREAD_SANITIZER` or `-Xswiftc -DADDRESS_SANITIZER` beside `--sanitize`.
public enum Scale {
    #if THREAD_SANITIZER || ADDRESS_SANITIZER
    public static let isSanitized = true
    #else
    public static let isSanitized = false
    #endif

    /// Whether threads pause, or hand on, at the points of a schedule.
    #if SCHEDULE_FAULTS
    public static let hasFaults = true
    #else
    public static let hasFaults = false
    #endif

    /// `full`, or a tenth of it under a sanitizer or with the schedule's faults.
    public static func scaled(_ full: Int) -> Int { isSlowed ? full / 10 : full }

    /// For sizes that take minutes in a debug build: `full` in a release build, or where the environment has
    /// `EASYREACT_FULL_SIZES=1`; else a tenth of it, and a hundredth under a sanitizer or with the schedule's faults.
    public static func heavy(_ full: Int) -> Int {
        if isFull { return full }
        return isSlowed ? full / 100 : isDebug ? full / 10 : full
    }

    private static let isFull = ProcessInfo.processInfo.environment["EASYREACT_FULL_SIZES"] == "1"
    #if THREAD_SANITIZER || ADDRESS_SANITIZER || SCHEDULE_FAULTS
    private static let isSlowed = true
    #else
    private static let isSlowed = false
    #endif
    #if DEBUG
    private static let isDebug = true
    #else
    private static let isDebug = false
    #endif
}
