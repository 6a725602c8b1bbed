import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The hook of flight recorders: whether anything records, and what it has recorded.
///
/// While nothing does, threads find their propagation by the quick way, and a set looks at that alone. As soon as something does,
/// the quick way is shut (`Propagation.quickKey`): a set goes the long way round then, and takes the recording loop (see
/// `RecordedDelivery`).
package final class RecordingSession: Sendable {
    package let capacity: Int
    package let keepsValues: Bool
    /// What tells where a node or an edge is made, if that is wanted.
    package let site: (@Sendable () -> (any Sendable)?)?
    /// What the thread is called that asks.
    private let threadName: @Sendable () -> String
    package let began: UInt64
    /// The one thread that is recorded, if it is only one.
    package let onlyThread: UInt64?
    private let rings = Lock<[UInt64: RecordRing]>([:])

    package init(
        capacity: Int, keepsValues: Bool, onThisThreadOnly: Bool = false, site: (@Sendable () -> (any Sendable)?)?,
        threadName: @escaping @Sendable () -> String
    ) {
        self.threadName = threadName
        onlyThread = onThisThreadOnly ? Propagation.current.thread : nil
        self.capacity = capacity
        self.keepsValues = keepsValues
        self.site = site
        began = Recording.now
        Recording.begin(self)
    }
    /// Nothing is recorded any more; what is on record stays.
    package func stop() { Recording.stop(self) }
    /// Lets go of what is on record.
    package func end() {
        stop()
        let rings = rings.withLock { rings in
            defer { rings = [:] }
            return rings
        }
        for ring in rings.values { ring.end() }
    }

    /// The ring of a thread, made if needed.
    func ring(of thread: UInt64) -> RecordRing? {
        guard onlyThread == nil || onlyThread == thread else { return nil }
        return rings.withLock { rings in
            if let ring = rings[thread] { return ring }
            Recording.noteThread(thread)
            let ring = RecordRing(
                capacity: capacity, keepsValues: keepsValues, thread: thread, threadName: threadName())
            rings[thread] = ring
            return ring
        }
    }
    /// Records a mark, and says where.
    package func mark(_ number: Int) -> (time: UInt64, thread: UInt64, position: UInt64) {
        let propagation = Propagation.current
        propagation.begin()
        defer { propagation.end() }
        let thread = propagation.thread
        let ring = ring(of: thread)
        let time = Recording.now
        guard let ring, let tape = propagation.tape, tape.records(to: ring) else { return (time, thread, .max) }
        ring.append(Record(.mark, target: UInt(number), aux: UInt(time)))
        return (time, thread, ring.position - 1)
    }
    /// What is on record, thread by thread, in the order of their numbers.
    package var reading: [RecordedThread] {
        let rings = rings.withLock { Array($0.values) }
        return rings.map(\.reading).sorted { $0.number < $1.number }
    }
}

package enum Recording {
    private static let sessions = Lock<[RecordingSession]>([])
    /// Whether anything records.
    private static let count = Atomic<Int>(0)
    /// Grows whenever something begins or stops to record.
    private static let changes = Atomic<UInt64>(0)
    /// 1 to 255: tells what was entered for the present recorders.
    private static let generationCount = Atomic<UInt8>(1)

    package static var isOn: Bool { count.load(ordering: .acquiring) != 0 }
    /// Whether more than one thread has recorded so far.
    static var isShared: Bool { hasSecondThread.load(ordering: .relaxed) }
    private static let firstThread = Atomic<UInt64>(0), hasSecondThread = Atomic<Bool>(false)
    fileprivate static func noteThread(_ thread: UInt64) {
        let first = firstThread.compareExchange(expected: 0, desired: thread, ordering: .relaxed).original
        if first != 0, first != thread { hasSecondThread.store(true, ordering: .relaxed) }
    }
    static var epoch: UInt64 { changes.load(ordering: .acquiring) }
    static var generation: UInt8 { generationCount.load(ordering: .relaxed) }
    static var active: [RecordingSession] { sessions.withLock { $0 } }

    fileprivate static func begin(_ session: RecordingSession) {
        sessions.withLock { sessions in
            sessions.append(session)
            let generation = generationCount.load(ordering: .relaxed)
            generationCount.store(generation == .max ? 1 : generation + 1, ordering: .relaxed)
            count.store(sessions.count, ordering: .releasing)
            changes.wrappingAdd(1, ordering: .releasing)
            Propagation.shutQuickWay()
        }
    }
    fileprivate static func stop(_ session: RecordingSession) {
        let isLast = sessions.withLock { sessions in
            let before = sessions.count
            sessions.removeAll { $0 === session }
            guard sessions.count < before else { return false }
            count.store(sessions.count, ordering: .releasing)
            changes.wrappingAdd(1, ordering: .releasing)
            if sessions.isEmpty { Propagation.openQuickWay() }
            return sessions.isEmpty
        }
        if isLast { RecordedObjects.forgetGone() }
    }
    /// Opens the quick way for those threads that are known already, unless something records.
    static func openQuickWayIfOff() {
        sessions.withLock { if $0.isEmpty { Propagation.openQuickWay() } }
    }
    /// Where the node or the edge is made that is being made, if anyone wants to know.
    static func site() -> (any Sendable)? { active.lazy.compactMap { $0.site?() }.first }

    /// Nanoseconds of a clock that never goes back.
    package static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    // What is recorded outside of a delivery: of a change of the graph, of a batch, a mark, a scheduler.

    /// Records what an edge does by itself, if anything records. No lock is held.
    static func note(_ kind: Record.Kind, _ edge: AnyEdge, detail: UInt8 = 0, target: UInt) {
        guard isOn else { return }
        let propagation = Propagation.current
        propagation.begin()
        RecordedObjects.enter(edge)
        if let tape = propagation.tape {
            let isCalled = tape.calling == edge.recordAddress
            // What it holds, it has not refused.
            if isCalled, kind == .scheduled { tape.outcome = .noted }
            let source = isCalled ? tape.source : edge.source?.vertex.address ?? 0
            tape.write(
                Record(kind, detail: detail, first: source, target: target, edge: edge.recordAddress, aux: UInt(now)))
        }
        propagation.end()
    }
}

extension Unmanaged {
    @inline(__always) var address: UInt { UInt(bitPattern: toOpaque()) }
}

/// Where one thread records: a ring for each recorder. Open while its outermost set, or what else sets things off, is served.
///
/// It is the thread's alone.
final class Tape {
    /// What the called edge came to.
    enum Outcome { case nothing, noted, stored, cameRound }

    private let thread: UInt64
    /// One for each recorder, as many as `count`; held, and open while the tape is.
    private var rings = UnsafeMutablePointer<Unmanaged<RecordRing>>.allocate(capacity: 1)
    @exclusivity(unchecked) private var count = 0
    private var isOpen = false
    /// Whether other threads record as well.
    private var isShared = false
    private var epoch: UInt64 = .max
    /// How deep the propagation was when the tape was opened.
    var depth = 0
    @exclusivity(unchecked) var outcome = Outcome.nothing
    /// Where the next value comes from that `Propagation.store` stores: an edge and its source; none for a set.
    @exclusivity(unchecked) var origin: (edge: UInt, source: UInt) = (0, 0)
    /// The edge that is being called, or the vertex of the join that fires, and where the edge leaves from.
    @exclusivity(unchecked) var calling: UInt = 0
    @exclusivity(unchecked) var source: UInt = 0
    /// The edge whose listener is being called by itself, later than the value came.
    var caller: UInt = 0
    /// How many calls are still timed one by one; then one in 16 is.
    @exclusivity(unchecked) private var untilTimed = 512

    private let propagation: Unmanaged<Propagation>?

    init(thread: UInt64, underLockOf propagation: Propagation? = nil) {
        self.thread = thread
        self.propagation = propagation.map { .passUnretained($0) }
    }
    deinit {
        propagation?._withUnsafeGuaranteedRef { $0.tapeUnderLock = nil }
        close()
        letGo()
        rings.deallocate()
    }
    private func letGo() {
        for place in 0..<count { rings[place].release() }
        count = 0
    }

    func open() {
        let now = Recording.epoch
        if now != epoch {
            epoch = now
            letGo()
            let known = Recording.active.compactMap { $0.ring(of: thread) }
            rings.deallocate()
            rings = .allocate(capacity: max(known.count, 1))
            for ring in known {
                (rings + count).initialize(to: .passRetained(ring))
                count += 1
            }
        }
        var place = 0
        while place < count {
            if rings[place]._withUnsafeGuaranteedRef({ $0.open() }) {
                place += 1
            } else {
                // The recorder has just ended.
                rings[place].release()
                count -= 1
                rings[place] = rings[count]
            }
        }
        isOpen = true
        isShared = Recording.isShared
        (origin, calling, source, outcome) = ((0, 0), caller, 0, .nothing)
    }
    func close() {
        guard isOpen else { return }
        isOpen = false
        for place in 0..<count { rings[place]._withUnsafeGuaranteedRef { $0.close() } }
    }
    /// Records for those recorders that are there now.
    func follow() {
        guard Recording.epoch != epoch else { return }
        close()
        open()
    }
    func records(to ring: RecordRing) -> Bool {
        (0..<count).contains { rings[$0].toOpaque() == Unmanaged.passUnretained(ring).toOpaque() }
    }

    @inline(__always) private func each(_ body: (RecordRing) -> Void) {
        var ring = rings
        let end = ring + count
        while ring < end {
            ring.pointee._withUnsafeGuaranteedRef(body)
            ring += 1
        }
    }
    /// Brackets what a join makes: what that sets, the join has set.
    func calling<R>(_ vertex: UInt, _ body: () -> R) -> R {
        let outer = calling
        defer { calling = outer }
        calling = vertex
        return body()
    }
    @inline(__always) func write(_ record: Record) { each { $0.append(record) } }
    /// Records before what is staged.
    func insert(_ record: Record) { each { $0.insert(record) } }
    @inline(__always) func stage(_ record: Record, holdingValueOf vertex: Vertex) {
        // What another thread has done here before must not be told as done later.
        if vertex.visited >> Propagation.clockBits != thread, vertex.visited != 0 { noteTime() }
        each { $0.stage(record, holdingValueOf: vertex) }
    }
    /// Says what time it is, where threads meet: what follows on this thread happened then or later.
    @inline(never) func noteTime() { write(Record(.time, aux: UInt(Recording.now))) }
    /// The same where other threads record as well.
    @inline(__always) func noteTimeIfShared() { if isShared { noteTime() } }
    @inline(__always) func commit() { each { $0.commit() } }
    func cancelStaged() { each { $0.cancelStaged() } }
    /// Lets go of what is off the record, where there is some: user code runs then.
    @inline(__always) func tidy() { each { if $0.isDirty { $0.tidy() } } }
    /// Whether the next call is to be timed.
    @inline(__always) func isToTime() -> Bool {
        untilTimed &-= 1
        guard untilTimed < 0 else { return true }
        guard untilTimed < -15 else { return false }
        untilTimed = 0
        return true
    }
}
