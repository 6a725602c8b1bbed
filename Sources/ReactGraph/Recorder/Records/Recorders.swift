import ReactCore
import Synchronization

/// The recorders of the process, and the counts by which each thread knows of them without a lock.
enum Recorders {
    private static let sessions = Lock<[RecordingSession]>([])
    /// The number of recorders that exist, stopped or not.
    private static let keptCount = Atomic<Int>(0)
    /// Grows when a recorder begins or stops.
    private static let changes = Atomic<UInt64>(0)
    /// A number from 1 to 127 that changes when a recorder begins. An edge whose `knownTo` has this number is in the
    /// registry of the present recorders.
    private static let eraCount = Atomic<UInt8>(1)

    /// True if a recorder exists, stopped or not. Then the name and the secrecy of objects that go are kept.
    static var isKept: Bool { keptCount.load(ordering: .acquiring) != 0 }
    /// True if more than one thread has recorded so far.
    static var isShared: Bool { hasSecondThread.load(ordering: .relaxed) }
    private static let firstThread = Atomic<UInt64>(0), hasSecondThread = Atomic<Bool>(false)
    static func noteThread(_ thread: UInt64) {
        let first = firstThread.compareExchange(expected: 0, desired: thread, ordering: .relaxed).original
        if first != 0, first != thread { hasSecondThread.store(true, ordering: .relaxed) }
    }
    static var epoch: UInt64 { changes.load(ordering: .acquiring) }
    static var era: UInt8 { eraCount.load(ordering: .relaxed) }
    /// Copied under the lock, as in `RecordBuffer.reading`.
    static var active: [RecordingSession] { sessions.withLock { $0.map(\.self) } }

    static func begin(_ session: RecordingSession) {
        sessions.withLock { sessions in
            sessions.append(session)
            let era = eraCount.load(ordering: .relaxed)
            eraCount.store(era == 127 ? 1 : era + 1, ordering: .relaxed)
            keptCount.wrappingAdd(1, ordering: .releasing)
            changes.wrappingAdd(1, ordering: .releasing)
            Observers.begin(RecordingObserver())
        }
    }
    static func stop(_ session: RecordingSession) {
        sessions.withLock { sessions in
            let before = sessions.count
            sessions.removeAll { $0 === session }
            guard sessions.count < before else { return }
            changes.wrappingAdd(1, ordering: .releasing)
            if sessions.isEmpty { Observers.end() }
        }
    }
    /// Removes a recorder that goes with its records.
    static func end() {
        sessions.withLock { _ in
            guard keptCount.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
            Observers.forget()
            // Still under the lock, so that a recorder that begins right after this loses none of its own objects.
            ObjectRegistry.forgetGone()
        }
    }
    /// Returns the place in the program that makes the present node or edge; `nil` if no recorder wants it.
    static func site() -> CallSite? {
        sessions.withLock { $0.contains { $0.showsSites } } ? CallSite.current() : nil
    }

    /// The time now, as in records.
    static var now: UInt64 { Platform.clock }
}
