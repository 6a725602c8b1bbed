/// Where the engine may be made to pause.
@usableFromInline enum SchedulePoint: Int, CaseIterable {
    case vertexIsLocked, vertexIsToBeUnlocked, vertexIsUnlocked
    case turnIsTaken, turnIsToEnd, turnHasEnded
    case structureIsLocked, structureIsToBeUnlocked, structureIsUnlocked
    case linkIsRead, linkIsChecked
    case takeOverBegins, mailboxIsToBeRead, mailboxIsToBeFilled
    case handOverIsLocked, inboxIsToBeFilled, inboxIsToBeEmptied
}

#if SCHEDULE_FAULTS
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Makes rare interleavings frequent: yields or sleeps where the engine takes a lock, lets go of it, or acts on what it has
/// read without one. For tests alone: compiled in with `-Xswiftc -DSCHEDULE_FAULTS`.
///
/// All follows from a seed: the environment's `EASYREACT_FAULT_SEED`, or else a new one, which is printed. It gives each point
/// a rate of its own, so that one seed holds up one point, and another seed another; and each thread its sequence
/// of draws, by its number in the order in which threads first come here. Which thread comes first, and what the system
/// makes of a pause, no seed decides: a seed that failed fails again often, not always.
@usableFromInline enum ScheduleFaults {
    /// Yields or sleeps, if this thread's next draw says so.
    @usableFromInline @inline(never) static func pause(at point: SchedulePoint) {
        let draw = nextDraw(pthread_getspecific(key) ?? begin())
        guard draw & (1 << rates[point.rawValue] - 1) == 0 else { return }
        let kind = draw >> 32
        if kind & 7 != 0 { sched_yield() } else { usleep(UInt32(kind >> 3 & 127)) }
    }

    private static let seed: UInt64 = {
        if let given = getenv("EASYREACT_FAULT_SEED").flatMap({ UInt64(String(cString: $0)) }) { return given }
        let seed = UInt64.random(in: 0..<1_000_000)
        // What this process starts has the same seed, and need not say so.
        setenv("EASYREACT_FAULT_SEED", String(seed), 1)
        let announcement = Array("schedule faults: EASYREACT_FAULT_SEED=\(seed)\n".utf8)
        _ = write(STDERR_FILENO, announcement, announcement.count)
        return seed
    }()
    /// A pause at each point comes once in two to the power of this.
    private static let rates: [UInt64] = SchedulePoint.allCases.map { point in
        [4, 6, 8, 10, 12][Int(mix(seed &+ UInt64(point.rawValue) << 32) % 5)]
    }
    private static let threads = Atomic<UInt64>(0)
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { UnsafeMutableRawPointer($0)?.deallocate() }
        precondition(status == 0, "no thread-specific key is left for the schedule's faults")
        return key
    }()

    /// Begins this thread's sequence.
    private static func begin() -> UnsafeMutableRawPointer {
        let number = threads.wrappingAdd(1, ordering: .relaxed).newValue
        let state = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
        state.storeBytes(of: mix(seed ^ mix(number)), as: UInt64.self)
        pthread_setspecific(key, state)
        return state
    }
    // SplitMix64.
    private static func nextDraw(_ state: UnsafeMutableRawPointer) -> UInt64 {
        let next = state.load(as: UInt64.self) &+ 0x9E37_79B9_7F4A_7C15
        state.storeBytes(of: next, as: UInt64.self)
        return mix(next)
    }
    private static func mix(_ word: UInt64) -> UInt64 {
        var mixed = word
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
#else

/// See above: without the flag, there are no faults, and nothing is compiled for them.
@usableFromInline enum ScheduleFaults {
    @inlinable @inline(__always) static func pause(at point: SchedulePoint) {}
}

#endif
