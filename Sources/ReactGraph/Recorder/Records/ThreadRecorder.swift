import ReactCore
import Synchronization

/// Records the work of one thread, into a record buffer for each recorder. It is open during a transaction of the
/// thread.
///
/// Only that thread uses it.
final class ThreadRecorder: ThreadObserver {
    private let thread: UInt64
    /// The engine of this recorder's thread, which has made the recorder.
    private let engine = Engine.current
    /// The number of earlier threads that had the thread's number.
    private var formerThreads: Int
    /// One buffer for each recorder, open while this is open.
    private var buffers: [RecordBuffer] = []
    /// The only buffer, which `buffers` holds; `nil` if there are several or none. Most often there is one. It is not
    /// retained for each record, which would take two atomic instructions more.
    @exclusivity(unchecked) private var only: Unmanaged<RecordBuffer>?
    private var isOpen = false
    /// Closed buffers whose recorder has ended, and which are still to be released.
    private var ended: [RecordBuffer] = []
    private var epoch: UInt64 = .max
    /// The innermost call that is under way. If there is none, it stands for the program's own sets.
    private var call = RecordedCall()
    /// The number of nested calls that are under way, and the calls around the innermost one.
    private var depth = 0
    private var outerCalls: [RecordedCall] = []
    /// The caller of the transaction's first sets.
    private var firstCaller: UInt = 0
    /// The source of the value whose turn came last.
    private var resumedSource: UInt = 0
    /// The edge whose listener is being called separately, later than the value came.
    private var caller: UInt = 0
    /// The number of calls until the next one that is timed.
    private var untilTimed = 0
    /// The number of first calls that are still to be timed, each of them.
    private var firstTimed = 512
    /// The era of the recorders: see `AnyEdge.knownTo`.
    private var era: UInt8 = 0
    /// True if `letGoOfValues` has something to do.
    private var isDirty = false

    init(thread: UInt64, after formerThreads: Int) {
        self.thread = thread
        self.formerThreads = formerThreads
    }
    deinit { close() }

    // MARK: Opening and closing

    func open() {
        openBuffers()
        firstCaller = caller
        call = RecordedCall(caller: caller)
    }
    private func openBuffers() {
        era = Recorders.era
        let now = Recorders.epoch
        if now != epoch {
            epoch = now
            buffers = Recorders.active.compactMap { $0.buffer(of: thread, after: formerThreads) }
        }
        // A buffer does not open if its recorder has just ended.
        buffers.removeAll { !$0.open() }
        only = buffers.count == 1 ? .passUnretained(buffers[0]) : nil
        isOpen = true
    }
    func threadHasEnded() {
        formerThreads += 1
        epoch = .max
    }
    func close(isOutermost: Bool) {
        if isOutermost { writeNow(nil, detail: .transactionEnded) }
        close()
    }
    private func close() {
        closeBuffers()
        letGoOfEnded()
    }
    /// Closes the buffers while a lock is held. `close` releases those that have ended.
    func closeBuffers() {
        guard isOpen else { return }
        isOpen = false
        each { if !$0.close() { ended.append($0) } }
    }
    /// Takes up recorders that have begun, and leaves those that have stopped, during a transaction.
    func followObservers() {
        guard Recorders.epoch != epoch else { return }
        closeBuffers()
        openBuffers()
        letGoOfEnded()
    }
    /// Releases the buffers that have ended. User code runs and may record, so none of these buffers may still be
    /// written to.
    private func letGoOfEnded() {
        while let buffer = ended.popLast() { buffer.letGo() }
    }
    func letGoOfValues() {
        isDirty = false
        var place = 0
        while place < buffers.count {
            buffers[place].tidy()
            place += 1
        }
    }

    // MARK: Writing

    private func each(_ body: (RecordBuffer) -> Void) {
        if let only { return only._withUnsafeGuaranteedRef(body) }
        for buffer in buffers { body(buffer) }
    }
    func write(_ record: Record) { each { write(record, to: $0) } }
    private func writeNow(
        _ kind: GraphEvent.Kind?, detail: Record.Detail = .plain, first: UInt = 0, target: UInt = 0, edge: UInt = 0
    ) {
        write(Record(kind, detail: detail, first: first, target: target, edge: edge, aux: UInt(Recorders.now)))
    }
    private func write(_ record: Record, to buffer: RecordBuffer) {
        if buffer.isFull { makeRoom(buffer) }
        buffer.append(record)
    }
    private func makeRoom(_ buffer: RecordBuffer) {
        buffer.beginChunk()
        guard buffer.isDirty else { return }
        isDirty = true
        untilTimed = 0
    }
    /// Records a mark for one recorder, and returns its position; `nil` if the recorder does not record this thread.
    func mark(_ number: Int, in buffer: RecordBuffer?, at time: UInt64) -> UInt64? {
        guard let buffer, buffers.contains(where: { $0 === buffer }) else { return nil }
        write(Record(.mark, target: UInt(number), aux: UInt(time)), to: buffer)
        return buffer.position - 1
    }
    /// Appends a record with the value of `vertex`.
    @inline(__always) private func write(_ record: Record, holdingValueOf vertex: Vertex) {
        // An earlier store by another thread must not seem later than this one, so the time is recorded first.
        if vertex.wasReached(byOtherThan: thread) { writeTime() }
        let value = vertex.storedValue
        each { buffer in
            while !buffer.write(record, keeping: value) { makeRoom(buffer) }
        }
    }
    /// Records the time where threads meet: later records of this thread happened then or later.
    @inline(never) private func writeTime() { writeNow(nil, detail: .time) }
    /// Records the time once a second thread records. The second thread may begin in the middle of this thread's
    /// transaction. If its work comes before this record, the two threads have met in between, so this thread sees the
    /// flag.
    private func writeTimeIfShared() { if Recorders.isShared { writeTime() } }

    // MARK: Calls

    func willCall(_ edge: AnyEdge, from source: Vertex, isEmptying: Bool) {
        untilTimed &-= 1
        let (caller, origin) = (edge.serialSlot.load(ordering: .relaxed), source.serialSlot.load(ordering: .relaxed))
        // Most calls. Nothing is called here, so no registers are saved, which saves a hop 20 of 394 instructions.
        if untilTimed >= 0, depth == 0, edge.knownTo == era, !edge.leadsToListener, origin != 0 {
            depth = 1
            call = RecordedCall(caller: caller, source: origin)
            showCall()
            return
        }
        beginCall(of: edge, from: source, isEmptying: isEmptying)
    }
    @inline(never) private func beginCall(of edge: AnyEdge, from source: Vertex, isEmptying: Bool) {
        begin()
        let isTimed = untilTimed < 0
        if isTimed || edge.knownTo != era { prepareCall(of: edge, from: source, isTimed: isTimed) }
        call = RecordedCall(caller: edge.serial, source: source.serial)
        if isTimed { call.began = Recorders.now }
        showCall()
        // Recorded before the call, because it is the cause of the listener's sets. A listener does not hear that a
        // node was emptied.
        if edge.leadsToListener, !isEmptying { writeHeard() }
    }
    /// Prepares a call that is timed, or whose edge is not known yet. The first 512 calls are timed, and then one in
    /// 61. That is a prime, so the timed edge varies. Before a timed call, evicted values are released.
    @inline(never) private func prepareCall(of edge: AnyEdge, from source: Vertex, isTimed: Bool) {
        if isTimed {
            if firstTimed > 0 { firstTimed -= 1 }
            untilTimed = firstTimed > 0 ? 0 : 60
            if isDirty { letGoOfValues() }
        }
        if edge.knownTo != era { ObjectRegistry.enter(edge, from: source) }
    }
    @inline(never) private func writeHeard() { write(Record(.heard, first: call.source, edge: call.caller)) }
    /// Begins a call, inside the one that is under way if there is one.
    @inline(__always) private func begin() {
        if depth > 0 { suspendCall() }
        depth &+= 1
    }
    @inline(__always) private func end() {
        depth &-= 1
        if depth > 0 { return resumeCall() }
        (call.caller, call.source) = (firstCaller, 0)
        showCall()
    }
    /// Lets threads that wait for this one know the call.
    @inline(__always) private func showCall() { engine.calling.store(call.caller, ordering: .relaxed) }
    @inline(never) private func suspendCall() { outerCalls.append(call) }
    @inline(never) private func resumeCall() {
        call = outerCalls.removeLast()
        showCall()
    }
    func didCall(_ edge: AnyEdge, from source: Vertex) {
        if call.outcome != .stored || call.began != 0 { writeEnd(of: edge, from: source) }
        end()
    }
    /// Records the fate of a value that was not stored, and the duration of a timed call.
    @inline(never) private func writeEnd(of edge: AnyEdge, from source: Vertex) {
        switch call.outcome {
        case .stored, .noted: break
        // The record of a listener's call is written before it.
        case .nothing where engine.hasCalledListener(by: edge): break
        case .nothing, .cameRound: write(engine.result(of: edge), of: edge, from: source)
        }
        if call.began == 0 { return }
        let now = Recorders.now
        write(Record(nil, detail: .timed, target: UInt(now - call.began), edge: call.caller, aux: UInt(now)))
    }
    @inline(never) private func write(_ result: CallResult, of edge: AnyEdge, from source: Vertex) {
        let refusal: Record.Detail
        switch result {
        case .cut: refusal = .wasCut
        case _ where call.outcome == .cameRound: refusal = .cameRound
        case .cameRound: refusal = .cameRound
        case .arrived(let missing):
            writeTimeIfShared()
            return write(
                Record(.arrived, first: source.serial, target: target(of: edge), edge: edge.serial, aux: UInt(missing)))
        case .waits: refusal = .waitsForOthers
        case .kept: refusal = .kept
        case .ended: refusal = .ended
        case .notPassedOn: refusal = .notPassedOn
        }
        write(Record(.stopped, detail: refusal, first: source.serial, target: target(of: edge), edge: edge.serial))
    }
    private func target(of edge: AnyEdge) -> UInt {
        edge.target.load(ordering: .acquiring)?.takeUnretainedValue().serial ?? 0
    }
    func willCallSeparately(_ edge: AnyEdge, from source: Vertex, _ kind: SeparateCall) {
        ObjectRegistry.enter(edge, from: source)
        let (kind, detail, word): (GraphEvent.Kind, Record.Detail, UInt) =
            switch kind {
            case .initial: (.replayed, .plain, target(of: edge))
            case .buffered: (.replayed, .cameMeanwhile, target(of: edge))
            case .sentLater(let word): (.late, .plain, word)
            }
        writeNow(kind, detail: detail, first: source.serial, target: word, edge: edge.serial)
    }
    func calling(_ edge: AnyEdge, _ body: () -> Void) {
        let outer = caller
        caller = edge.serial
        body()
        caller = outer
    }

    // MARK: Stores and turns

    func willStore(in vertex: Vertex, isEmptying: Bool, by cause: StoreCause) {
        let record =
            switch cause {
            case .set:
                Record(
                    isEmptying ? .cleaned : .set, first: call.caller, target: vertex.serial, edge: UInt(Recorders.now))
            case .firing: Record(.fired, target: vertex.serial)
            case .call(let edge): store(in: vertex, isEmptying, by: edge)
            case .turn(let token): store(in: vertex, isEmptying, by: token.edge)
            }
        write(record, holdingValueOf: vertex)
    }
    /// Returns the record of a store that `edge` makes.
    @inline(__always) private func store(in vertex: Vertex, _ isEmptying: Bool, by edge: Unmanaged<AnyEdge>) -> Record {
        let serial = edge._withUnsafeGuaranteedRef { $0.serial }, isCalled = serial == call.caller
        if isCalled { call.outcome = .stored }
        return Record(
            isEmptying ? .emptied : .stored, first: isCalled ? call.source : resumedSource, target: vertex.serial,
            edge: serial)
    }
    func willChange(_ vertex: Vertex) { ObjectRegistry.enter(vertex) }
    var sourceOfCall: UInt { call.source }
    func queued(at vertex: Vertex, by edge: UInt) {
        writeNow(.queued, first: edge == 0 ? call.caller : call.source, target: vertex.serial, edge: edge)
        if edge != 0 { call.outcome = .noted }
    }
    /// Records a wait that was in vain, or took a millisecond.
    func waited(at vertex: Vertex, _ wait: ObservedWait) {
        let time = Recorders.now, duration = RecordedWait(owner: wait.owner, nanoseconds: time &- wait.began)
        guard wait.isLate || duration.isLong else { return }
        ObjectRegistry.enter(vertex)
        write(
            Record(
                .waited, detail: wait.isLate ? .late : .plain, first: duration.word, target: vertex.serial,
                edge: wait.calling, aux: UInt(time)))
    }
    func resumed(at vertex: Vertex, by edge: UInt, from source: UInt) {
        writeNow(.resumed, first: source, target: vertex.serial, edge: edge)
        resumedSource = source
    }
    func tookTurn(of vertex: Vertex) {
        ObjectRegistry.enter(vertex)
        call.outcome = .noted
    }
    func cameRound() { call.outcome = .cameRound }
    func switched(to vertex: Vertex) {
        ObjectRegistry.enter(vertex)
        writeNow(.switched, first: call.source, target: vertex.serial, edge: call.caller)
    }

    // MARK: Joins, batches, and values that wait in edges

    func willFire(_ vertex: Vertex) {
        begin()
        writeTimeIfShared()
        call.caller = vertex.serial
        showCall()
    }
    func didFire() { end() }
    func firedNothing(_ vertex: Vertex, _ result: FiringResult) {
        let end: Record.Detail =
            switch result {
            case .same: .same
            case .waits: .waits
            case .unchanged: .unchanged
            case .givenUp: .givenUp
            }
        writeNow(.computed, detail: end, target: vertex.serial)
    }
    func batchBegan() { writeNow(.batchBegan) }
    func batchEnded() { writeNow(.batchEnded) }
    func buffered(_ event: BufferedValueEvent, _ word: UInt, at edge: AnyEdge) {
        ObjectRegistry.enter(edge)
        let isCalled = call.caller == edge.serial
        let (kind, detail): (GraphEvent.Kind, Record.Detail) =
            switch event {
            case .scheduled: (.scheduled, .plain)
            case .heard: (.late, .plain)
            case .joined: (.late, .joined)
            case .dropped(.superseded): (.dropped, .superseded)
            case .dropped(.wasCut): (.dropped, .connectionEnded)
            case .dropped(.wasBusy): (.dropped, .wasBusy)
            }
        // A value that the edge holds was not refused, and neither was one that never waited.
        if isCalled, kind != .late { call.outcome = .noted }
        let source = isCalled ? call.source : edge.source?.serial ?? 0
        writeNow(kind, detail: detail, first: source, target: word, edge: edge.serial)
    }
}

/// A call of an edge, or the firing of a join, that is under way.
struct RecordedCall {
    /// The serial numbers of the edge, and of the vertex that it was called from. For a join that fires, its vertex
    /// stands for the edge.
    var caller: UInt = 0
    var source: UInt = 0
    var outcome = Outcome.nothing
    /// When the call began, if it is timed; else 0.
    var began: UInt64 = 0

    enum Outcome: UInt8 {
        case nothing, stored
        /// Something else was recorded of the call, such as that the value was queued.
        case noted
        /// The value had passed the vertex that it was sent to.
        case cameRound
    }
}
