import Foundation

/// How much work a test does.
///
/// The default sizes are small, so that `swift test` stays quick. `EASYREACT_FULL_SIZES=1` in the environment asks for the full
/// sizes, and `EASYREACT_GATE=1`, which the gate sets, for those of `Scale.gate`. A release build has them without it. Under a sanitizer, and with schedule faults, `scaled` stays small: pass
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

    /// Sizes that are full where full sizes are asked for.
    public static let usual = Sizes(isFull: isFull, isSmall: isSlowed || !isFull)
    /// Sizes that are full in the gate as well, because even a debug build has them done soon: `Scale.gate.scaled(100_000)`.
    /// So the place that states a size says whether the gate has all of it.
    public static let gate = Sizes(isFull: isFull || isGate && !isSlowed, isSmall: isSlowed || !isFull && !isGate)

    public static var isSmall: Bool { usual.isSmall }
    public static func scaled(_ full: Int) -> Int { usual.scaled(full) }
    public static func heavy(_ full: Int) -> Int { usual.heavy(full) }

    public struct Sizes: Sendable {
        fileprivate let isFull: Bool
        /// Whether full sizes are not asked for, or too slow here.
        public let isSmall: Bool

        /// Returns `full` where full sizes are asked for, and a tenth of it elsewhere.
        public func scaled(_ full: Int) -> Int { isSmall ? full / 10 : full }

        /// Returns `full` where full sizes are asked for, and a hundredth of it elsewhere: for sizes that take minutes in a debug build.
        public func heavy(_ full: Int) -> Int { isFull ? full : full / 100 }
    }

    private static let isGate = ProcessInfo.processInfo.environment["EASYREACT_GATE"] != nil
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
