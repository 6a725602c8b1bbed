/// A point of the engine at which another thread's step could make a difference.
@usableFromInline package enum SchedulePoint: Int, CaseIterable, Sendable {
    case lockIsToBeTaken, lockIsTaken, lockIsToBeLetGo, lockIsLetGo
    case vertexIsToBeLocked, vertexIsLocked, vertexIsToBeUnlocked, vertexIsUnlocked
    case valueIsToBeWritten, valueIsWritten
    case connectionIsRead, connectionIsChecked
    case regionIsToBeTaken, regionIsTaken, regionIsToBeLeft, regionIsLeft, regionsAreToMerge, regionsHaveMerged
}

#if SCHEDULE_FAULTS
import Synchronization

/// Decides when a thread goes on, instead of chance. The tests' explorer of schedules implements it.
package protocol ScheduleControl: AnyObject {
    /// Called when the thread has reached a point. `place` identifies one lock or node; 0 is none.
    func reach(_ point: SchedulePoint, at place: UInt)
    /// Called when the thread cannot go on until `place` is released; or, if that is 0, should let others run first.
    func wait(for place: UInt)
}

/// Makes rare interleavings frequent: yields or sleeps when the engine takes a lock, releases it, or acts on a value
/// that it has read without one. For tests only: compiled in with `-Xswiftc -DSCHEDULE_FAULTS`.
///
/// Everything follows from a seed: `EASYREACT_FAULT_SEED` in the environment, or else a new one, which is printed. The
/// seed gives each point its own rate, so that different seeds hold up different points. It gives each thread its own
/// sequence of draws, by the order in which threads first come here. No seed decides that order, nor the effect of a
/// pause. So a seed that failed fails again often, not always.
///
/// A thread that is controlled draws nothing; its `ScheduleControl` decides.
@usableFromInline package enum ScheduleFuzzing {
    /// Yields or sleeps if this thread's next draw says so.
    @usableFromInline @inline(never) package static func pause(at point: SchedulePoint, of place: UInt = 0) {
        let thread = current
        if let control = thread.control { return control.reach(point, at: place) }
        let draw = thread.nextDraw()
        guard draw & (1 << rates[point.rawValue] - 1) == 0 else { return }
        let kind = draw >> 32
        if kind & 7 != 0 { Platform.letOthersRun() } else { Platform.sleep(microseconds: Int(kind >> 3 & 127)) }
    }
    /// Called when a thread finds a lock held, or pauses for other threads. If it is controlled, others have run when
    /// this returns true. Otherwise returns false, and nothing has happened.
    @usableFromInline @inline(never) static func handsOn(for place: UInt = 0) -> Bool {
        guard let control = current.control else { return false }
        control.wait(for: place)
        return true
    }
    /// True if this thread is controlled, and so does not go by the clock.
    static var isControlled: Bool { current.control != nil }
    /// Puts this thread under control, or ends that.
    package static func control(thisThreadBy control: (any ScheduleControl)?) { current.control = control }

    private static let seed: UInt64 = {
        if let given = Platform.environment("EASYREACT_FAULT_SEED").flatMap({ UInt64($0) }) { return given }
        let seed = UInt64.random(in: 0..<1_000_000)
        // Child processes get the same seed, and do not print it again.
        Platform.setEnvironment("EASYREACT_FAULT_SEED", String(seed))
        Platform.writeError("schedule faults: EASYREACT_FAULT_SEED=\(seed)\n")
        return seed
    }()
    /// The rates as powers of two: a pause at a point comes once in two to the power of its rate.
    private static let rates: [UInt64] = SchedulePoint.allCases.map { point in
        [4, 6, 8, 10, 12][Int(mix(seed &+ UInt64(point.rawValue) << 32) % 5)]
    }

    /// The state of one thread. Used by that thread only.
    private final class ThreadState {
        @exclusivity(unchecked) var control: (any ScheduleControl)?
        private lazy var state = mix(seed ^ mix(threads.wrappingAdd(1, ordering: .relaxed).newValue))

        // SplitMix64.
        func nextDraw() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            return mix(state)
        }
    }
    private static let threads = Atomic<UInt64>(0)
    private static let known = ThreadLocal { ThreadState() }
    private static var current: ThreadState { known.current.takeUnretainedValue() }
    private static func mix(_ word: UInt64) -> UInt64 {
        var mixed = word
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
#else

/// The version without the flag: there are no faults and no control, and nothing is compiled for them.
@usableFromInline package enum ScheduleFuzzing {
    @inlinable @inline(__always)
    package static func pause(at point: SchedulePoint, of place: @autoclosure () -> UInt = 0) {}
    @inlinable @inline(__always) static func handsOn(for place: @autoclosure () -> UInt = 0) -> Bool { false }
    @inlinable @inline(__always) static var isControlled: Bool { false }
}

#endif
