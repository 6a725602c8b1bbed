import ReactCore
import Synchronization

/// The hook of flight recorders: whether anything records, and what it has recorded.
///
/// While nothing does, a transaction looks at one flag when it begins (`Observers.isOn`). As soon as something does, the engine tells
/// `RecordingObserver` of nodes and edges, and a `ThreadRecorder` of what each thread does.
package final class RecordingSession: Sendable {
    package let capacity: Int
    package let keepsValues: Bool
    /// What tells where a node or an edge is made, if that is wanted.
    package let site: (@Sendable () -> (any Sendable)?)?
    /// What the thread is called that asks.
    private let threadName: @Sendable () -> String
    /// The one thread that is recorded, if it is only one.
    package let onlyThread: UInt64?
    private struct Rings {
        var byThread: [UInt64: RecordBuffer] = [:]
        var hasStopped = false
    }
    private let rings = Lock(Rings())

    init(
        capacity: Int, keepsValues: Bool, onThisThreadOnly: Bool, site: (@Sendable () -> (any Sendable)?)?,
        threadName: @escaping @Sendable () -> String
    ) {
        self.threadName = threadName
        onlyThread = onThisThreadOnly ? Engine.current.thread : nil
        self.capacity = capacity
        self.keepsValues = keepsValues
        self.site = site
        Recorders.begin(self)
    }
    /// Nothing is recorded any more; what is on record stays.
    ///
    /// Another thread may be in the middle of a set: what it records until that is over is not told.
    package func stop() {
        Recorders.stop(self)
        let known = rings.withLock { rings in
            defer { rings.hasStopped = true }
            return rings.hasStopped ? [] : Array(rings.byThread.values)
        }
        for ring in known { ring.stop() }
    }
    /// Lets go of what is on record.
    package func end() {
        Recorders.stop(self)
        Recorders.end()
        let known = rings.withLock { rings in
            defer { rings = Rings(hasStopped: true) }
            return Array(rings.byThread.values)
        }
        for ring in known { ring.end() }
    }

    /// The ring of the thread that asks, made if needed: it is called `thread`, as `formerThreads` were before it.
    func ring(of thread: UInt64, after formerThreads: Int) -> RecordBuffer? {
        guard onlyThread == nil || onlyThread == thread else { return nil }
        return rings.withLock { rings in
            if let ring = rings.byThread[thread] {
                if ring.formerThreads != formerThreads { ring.begin(after: formerThreads, threadName: threadName()) }
                return ring
            }
            guard !rings.hasStopped else { return nil }
            Recorders.noteThread(thread)
            let ring = RecordBuffer(
                capacity: capacity, keepsValues: keepsValues, thread: thread, after: formerThreads,
                threadName: threadName())
            rings.byThread[thread] = ring
            return ring
        }
    }
    /// Records a mark, and says where.
    package func mark(_ number: Int) -> (time: UInt64, thread: UInt64, position: UInt64) {
        Engine.current.transaction { engine in
            let thread = engine.thread
            let ring = ring(of: thread, after: engine.formerThreads)
            let time = Recorders.now
            let recorder = engine.observer as? ThreadRecorder
            return (time, thread, recorder?.mark(number, in: ring, at: time) ?? .max)
        }
    }
    /// What is on record, thread by thread, in the order of their numbers.
    package var reading: [ThreadReading] {
        let rings = rings.withLock { Array($0.byThread.values) }
        return rings.map(\.reading).sorted { $0.number < $1.number }
    }
}

enum Recorders {
    private struct State {
        var sessions: [RecordingSession] = []
    }
    private static let state = Lock(State())
    /// How many recorders record.
    private static let count = Atomic<Int>(0)
    /// How many recorders have something on record, stopped or not.
    private static let keptCount = Atomic<Int>(0)
    /// Grows whenever something begins or stops to record.
    private static let changes = Atomic<UInt64>(0)
    /// 1 to 127: tells what was entered for the present recorders.
    private static let generationCount = Atomic<UInt8>(1)

    package static var isOn: Bool { count.load(ordering: .acquiring) != 0 }
    /// Whether a recorder is there, stopped or not: of what goes meanwhile, names and secrets are kept.
    static var isKept: Bool { keptCount.load(ordering: .acquiring) != 0 }
    /// Whether more than one thread has recorded so far.
    static var isShared: Bool { hasSecondThread.load(ordering: .relaxed) }
    private static let firstThread = Atomic<UInt64>(0), hasSecondThread = Atomic<Bool>(false)
    fileprivate static func noteThread(_ thread: UInt64) {
        let first = firstThread.compareExchange(expected: 0, desired: thread, ordering: .relaxed).original
        if first != 0, first != thread { hasSecondThread.store(true, ordering: .relaxed) }
    }
    static var epoch: UInt64 { changes.load(ordering: .acquiring) }
    static var generation: UInt8 { generationCount.load(ordering: .relaxed) }
    static var active: [RecordingSession] { state.withLock { $0.sessions } }

    fileprivate static func begin(_ session: RecordingSession) {
        state.withLock { state in
            state.sessions.append(session)
            let generation = generationCount.load(ordering: .relaxed)
            generationCount.store(generation == 127 ? 1 : generation + 1, ordering: .relaxed)
            keptCount.wrappingAdd(1, ordering: .releasing)
            count.store(state.sessions.count, ordering: .releasing)
            changes.wrappingAdd(1, ordering: .releasing)
            Observers.begin(RecordingObserver())
        }
    }
    fileprivate static func stop(_ session: RecordingSession) {
        state.withLock { state in
            let before = state.sessions.count
            state.sessions.removeAll { $0 === session }
            guard state.sessions.count < before else { return }
            count.store(state.sessions.count, ordering: .releasing)
            changes.wrappingAdd(1, ordering: .releasing)
            if state.sessions.isEmpty { Observers.end() }
        }
    }
    /// A recorder goes, with its records.
    fileprivate static func end() {
        state.withLock { _ in
            guard keptCount.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
            Observers.forget()
            // Under the lock: what a recorder that begins right after this finds gone is its own.
            ObjectRegistry.forgetGone()
        }
    }
    /// Where the node or the edge is made that is being made, if anyone wants to know.
    static func site() -> (any Sendable)? { active.lazy.compactMap { $0.site?() }.first }

    /// The time, as records have it.
    package static var now: UInt64 { Waiting.clock }
}
