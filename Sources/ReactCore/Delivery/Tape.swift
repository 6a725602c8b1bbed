/// Where one thread records: a ring for each recorder. Open while its outermost set, or what else sets things off, is served.
///
/// It is the thread's alone.
final class Tape {
    /// What the called edge came to.
    enum Outcome {
        case nothing, noted, cameRound
        /// On record, and staged.
        case stored, staged
    }

    private let thread: UInt64
    /// How many threads had that number before.
    private var formerThreads: Int
    /// One for each recorder; open while the tape is.
    @exclusivity(unchecked) private var rings: [RecordRing] = []
    /// The one that there is, if it is one: as most often.
    @exclusivity(unchecked) private var only: Unmanaged<RecordRing>?
    private var isOpen = false
    /// Those whose recorder has ended, and which have been closed, but not let go of.
    @exclusivity(unchecked) private var ended: [RecordRing] = []
    /// Whether other threads record as well.
    private var isShared = false
    private var epoch: UInt64 = .max
    /// How deep the propagation was when the tape was opened.
    var depth = 0
    @exclusivity(unchecked) var outcome = Outcome.nothing
    /// The edge that is being called, or the vertex of the join that fires, and where the edge leaves from.
    @exclusivity(unchecked) var calling: UInt = 0
    @exclusivity(unchecked) var source: UInt = 0
    /// The edge whose listener is being called by itself, later than the value came.
    var caller: UInt = 0
    /// How many calls are still to come before one that is looked at closely.
    @exclusivity(unchecked) private var untilClose = 0
    /// How many more of the first calls are all timed.
    private var firstTimed = 512
    /// The recorders that know what is recorded: see `AnyEdge.knownTo`.
    @exclusivity(unchecked) private(set) var generation: UInt8 = 0
    /// Whether `tidy` has something to do.
    @exclusivity(unchecked) private(set) var isDirty = false
    /// How much was on the propagation's stack when something was staged.
    @exclusivity(unchecked) var stagedDepth = 0

    init(thread: UInt64, after formerThreads: Int) {
        self.thread = thread
        self.formerThreads = formerThreads
    }
    deinit { close() }

    func open() {
        openRings()
        (calling, source, outcome) = (caller, 0, .nothing)
    }
    private func openRings() {
        generation = Recording.generation
        let now = Recording.epoch
        if now != epoch {
            epoch = now
            rings = Recording.active.compactMap { $0.ring(of: thread, after: formerThreads) }
        }
        // Of those that do not open, the recorder has just ended.
        rings.removeAll { !$0.open() }
        only = rings.count == 1 ? .passUnretained(rings[0]) : nil
        isOpen = true
        isShared = Recording.isShared
    }
    /// The thread ends, and another may have its number: that writes in its own name.
    func passOn() {
        formerThreads += 1
        epoch = .max
    }
    func close() {
        closeRings()
        letGoOfEnded()
    }
    /// The same where a lock is held: what it lets go of is left to `close`.
    func closeRings() {
        guard isOpen else { return }
        isOpen = false
        each { if !$0.close() { ended.append($0) } }
    }
    /// Records for those recorders that are there now. What is under way goes on.
    func follow() {
        guard Recording.epoch != epoch else { return }
        closeRings()
        openRings()
        letGoOfEnded()
    }
    /// User code runs here, and may record: so it comes when none of the rings that have ended is among those that are written to.
    private func letGoOfEnded() {
        while let ring = ended.popLast() { ring.letGo() }
    }
    func records(to ring: RecordRing) -> Bool {
        rings.contains { $0 === ring }
    }

    @inline(__always) private func each(_ body: (RecordRing) -> Void) {
        if let only { return only._withUnsafeGuaranteedRef(body) }
        for ring in rings { body(ring) }
    }
    /// Runs `body`, after which what was being called is so again.
    @inline(__always) func resumingCall<R>(_ body: () -> R) -> R {
        let outer = (calling, source, outcome)
        defer { (calling, source, outcome) = outer }
        return body()
    }
    /// Brackets what a join makes: what that sets, the join has set.
    func calling<R>(_ vertex: UInt, _ body: () -> R) -> R {
        let outer = calling
        defer { calling = outer }
        calling = vertex
        return body()
    }
    @inline(__always) func write(_ record: Record) {
        guard let ring = only, ring._withUnsafeGuaranteedRef({ $0.appendIfRoom(record) }) else {
            return writeClosely(record)
        }
    }
    @inline(never) private func writeClosely(_ record: Record) { each { write(record, to: $0) } }
    func write(_ record: Record, to ring: RecordRing) {
        if ring.isFull { makeRoom(ring) }
        ring.append(record)
    }
    private func makeRoom(_ ring: RecordRing) {
        if ring.isFull { ring.makeRoom() } else { ring.beginChunk() }
        noteDirt(of: ring)
    }
    private func noteDirt(of ring: RecordRing) {
        guard ring.isDirty else { return }
        isDirty = true
        untilClose = 0
    }
    /// Records before what is staged.
    func insert(_ record: Record) {
        each { ring in
            ring.insert(record)
            noteDirt(of: ring)
        }
    }
    /// Records, with the value of `vertex`, whose lock is held.
    @inline(__always) func write(_ record: Record, holdingValueOf vertex: Vertex) {
        noteTimeOfVisit(vertex)
        guard let ring = only, ring._withUnsafeGuaranteedRef({ vertex.write(record, to: $0) }) else {
            return writeClosely(record, holdingValueOf: vertex)
        }
        ring._withUnsafeGuaranteedRef { $0.publish() }
    }
    @inline(never) private func writeClosely(_ record: Record, holdingValueOf vertex: Vertex) {
        prepare(record, holdingValueOf: vertex) { $0.publish() }
    }
    /// Prepares the same: it is on record when `commit` is called, or something else is recorded.
    @inline(never) func stage(_ record: Record, holdingValueOf vertex: Vertex) {
        noteTimeOfVisit(vertex)
        prepare(record, holdingValueOf: vertex) { $0.stage() }
    }
    @inline(__always)
    private func prepare(_ record: Record, holdingValueOf vertex: Vertex, _ finish: (RecordRing) -> Void) {
        each { ring in
            while !vertex.write(record, to: ring) { makeRoom(ring) }
            finish(ring)
        }
    }
    /// What another thread has done here before must not be told as done later.
    @inline(__always) private func noteTimeOfVisit(_ vertex: Vertex) {
        if Clock.thread(of: vertex.visited) != thread, vertex.visited != 0 { noteTime() }
    }
    /// Says what time it is, where threads meet: what follows on this thread happened then or later.
    @inline(never) func noteTime() { write(Record(.time, aux: UInt(Recording.now))) }
    /// The same where other threads record as well.
    @inline(__always) func noteTimeIfShared() { if isShared { noteTime() } }
    @inline(never) func commit() { each { $0.commit() } }
    func cancelStaged() { each { $0.cancelStaged() } }
    /// Lets go of what is off the record: user code runs then.
    @inline(never) func tidy() {
        isDirty = false
        var place = 0
        while place < rings.count {
            rings[place].tidy()
            place += 1
        }
    }
    /// Whether the next call is to be looked at closely: to let go of what is off the record before it, and to time it. The first 512
    /// are, and then one in 61, a prime, so that it is not always the same edge.
    @inline(__always) func looksClosely() -> Bool {
        untilClose &-= 1
        return untilClose < 0
    }
    func lookClosely() {
        if firstTimed > 0 { firstTimed -= 1 }
        untilClose = firstTimed > 0 ? 0 : 60
        if isDirty { tidy() }
    }
}
