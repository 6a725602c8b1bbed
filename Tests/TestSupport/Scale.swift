import Foundation

/// How much work a test does.
///
/// The default sizes are small, so that `swift test` stays quick. `EASYREACT_FULL_SIZES=1` in the environment asks for the full
/// sizes. A release build has them without it. Under a sanitizer, and with schedule faults, `scaled` stays small: pass
/// `-Xswiftc -DTHREAD_SANITIZER` or `-Xswiftc -DADDRESS_SANITIZER` beside `--sanitize`, so that the tests know.
public enum Scale {
    #if THREAD_SANITIZER || ADDRESS_SANITIZER
    public static let isSanitized = true
    #else
    public static let isSanitized = false
    #endif

    /// Whether tests run that are to end a process with a trap. A sanitizer finds nothing in such a process, and makes it slow.
    public static let runsTraps = !isSanitized

    /// Whether threads pause, or hand on, at the points of a schedule.
    #if SCHEDULE_FAULTS
    public static let hasFaults = true
    #else
    public static let hasFaults = false
    #endif

    /// Whether full sizes are not asked for, or too slow here.
    public static let isSmall = isSlowed || !isFull

    /// Returns `full` where full sizes are asked for, and a tenth of it elsewhere.
    public static func scaled(_ full: Int) -> Int { isSmall ? full / 10 : full }

    /// Returns `full` where full sizes are asked for, and a hundredth of it elsewhere: for sizes that take minutes in a debug build.
    public static func heavy(_ full: Int) -> Int { isFull ? full : full / 100 }

    #if DEBUG
    private static let isFull = ProcessInfo.processInfo.environment["EASYREACT_FULL_SIZES"] == "1"
    #else
    private static let isFull = true
    #endif
    #if THREAD_SANITIZER || ADDRESS_SANITIZER || SCHEDULE_FAULTS
    private static let isSlowed = true
    #else
    private static let isSlowed = false
    #endif
}
