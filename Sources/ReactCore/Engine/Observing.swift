import Synchronization

// The engine's reports to its thread's observer. Without an observer, a transaction reads one flag when it begins.
extension Engine {
    /// The thread's number.
    package var thread: UInt64 { Epoch.thread(of: epoch) }
    /// Runs `body` as a transaction, or as a part of the open one.
    package func transaction<Result>(_ body: (Engine) -> Result) -> Result {
        begin()
        defer { end() }
        return body(self)
    }
    /// The observer of this thread, while one is open.
    package var observer: (any ThreadObserver)? { reports?._withUnsafeGuaranteedRef { $0.observer } }
    @inline(__always) var isObserved: Bool { reports != nil }

    /// Opens the thread's observer, or tells it that a part of the transaction begins. Called after `depth` has grown.
    @inline(never) func openObserver() {
        if let observer { return observer.followObservers() }
        let reports =
            keptReports ?? ObserverReports(to: Observers.current.observer(ofThread: thread, after: formerThreads))
        reports.observer.open()
        observerDepth = depth
        (keptReports, self.reports) = (reports, .passUnretained(reports))
        setFastLimit()
    }
    /// Ends the observer's part of the transaction, if that part began at this depth. Called before `depth` falls.
    @inline(never) func closeObserver() {
        guard let observer, observerDepth == depth else { return }
        if depth == 1 { stabilize() }
        observer.letGoOfValues()
        // User code that ran when values were released may have set nodes.
        if depth == 1 { stabilize() }
        reports = nil
        setFastLimit()
        observer.close(isOutermost: depth == 1)
    }

    /// Calls an edge outside of its source's delivery, and tells the observer. Precondition: there is an observer.
    @inline(never) func callSeparately(
        _ kind: SeparateCall, _ edge: AnyEdge, from source: Vertex?, isEmptying: Bool = false, _ call: () -> NextEdge
    ) -> NextEdge {
        guard let observer, let source = source ?? edge.source?.vertex else { return call() }
        observer.willCallSeparately(edge, from: source, kind)
        wordOfHold = 0
        observer.willCall(edge, from: source, isEmptying: isEmptying)
        self.call.number = 0
        let sent = call()
        observer.didCall(edge, from: source)
        return sent
    }
    /// Returns true if `edge` leads to a listener, and was not cut before its call.
    package func hasCalledListener(by edge: AnyEdge) -> Bool {
        edge.leadsToListener && call.number != 0
    }
    /// Returns the fate of the value that `edge` was called with, if it was neither stored nor queued, and reached no
    /// listener.
    package func result(of edge: AnyEdge) -> CallResult {
        if call.number == 0 { return .cut }
        if !edge.isLinked(by: call.number) { return .cut }
        guard let missing = edge.missingInputCount else { return edge.fateOfUnsent }
        return hasPassed(edge.target.load(ordering: .acquiring)) ? .cameRound : .arrived(missing: missing)
    }
    /// Returns true if the called edge's value has passed `target`. Checks the vertex first, because a long trail takes
    /// longer.
    private func hasPassed(_ target: Unmanaged<Vertex>?) -> Bool {
        guard let target = target?.takeUnretainedValue() else { return false }
        let bits = target.lock()
        defer { target.unlock(bits) }
        return trailContains(target, bits)
    }
    @usableFromInline @inline(never) package func noteCameRound() { observer?.cameRound() }
}

/// Reports to the observer that an edge buffers a value, and later sends or drops it. Each value has a number, which
/// ties the three events together, on any threads.
///
/// If nothing observes when the value comes, it has no number, and nothing is reported of it.
package struct BufferedValueRecord: Sendable {
    package typealias Drop = BufferedValueEvent.Drop
    private let number: UInt
    private static let count = Atomic<UInt>(0)

    /// Numbers a value that has just come.
    package init() {
        // The number fills the highest bits of a record's word. It starts over after 16 million, and is never 0.
        number =
            Observers.isOn ? BufferedValueRecord.count.wrappingAdd(1, ordering: .relaxed).oldValue % 0xFF_FFFF + 1 : 0
    }

    // A record's word: the number, and below it the interval in microseconds. The interval is 0 if it is not known, or
    // longer than 12 days, and `work` if the edge works on the value.
    private static let intervalBits: UInt = 40
    private static let work: UInt = 1 << intervalBits - 1
    private var word: UInt { number << BufferedValueRecord.intervalBits }
    package static func number(in word: UInt) -> UInt { word >> intervalBits }
    package static func interval(in word: UInt) -> Duration? {
        let microseconds = word & work
        return microseconds == 0 || microseconds == work ? nil : .microseconds(Int64(microseconds))
    }
    /// Returns true if the edge works on the value until it sends a result.
    package static func isWork(_ word: UInt) -> Bool { word & work == work }

    /// Reports that `edge` buffers the value, for `interval` if that is known. No lock is held.
    package func begin(at edge: AnyEdge, for interval: Duration? = nil) {
        guard number != 0 else { return }
        // `components` would end the process if the seconds did not fit into an `Int64`.
        let microseconds = UInt(clamping: (interval ?? .zero).attoseconds / 1_000_000_000_000)
        let isTold = microseconds < BufferedValueRecord.work
        note(.scheduled, edge, microseconds: isTold ? microseconds : 0)
    }
    /// Reports that `edge` takes the value, to work on it. No lock is held.
    package func beginWork(at edge: AnyEdge) { note(.scheduled, edge, microseconds: BufferedValueRecord.work) }
    /// Reports that the value leaves with another, which is about to be sent. No lock is held.
    package func join(at edge: AnyEdge) { note(.joined, edge) }
    /// Reports that the value is dropped. No lock is held.
    package func drop(at edge: AnyEdge, _ why: Drop) { note(.dropped(why), edge) }
    /// Runs `send`, which sends the value on.
    package func sending(_ send: () -> Void) {
        guard number != 0 else { return send() }
        let engine = Engine.current
        engine.wordOfHold = word
        send()
        engine.wordOfHold = 0
    }
    /// Runs `hear`, a listener's call, and reports it as the cause of the sets that it makes.
    package func hearing(by edge: AnyEdge, _ hear: () -> Void) {
        guard Engine.hasMarks.load(ordering: .relaxed) else { return hearOnRecord(by: edge, hear) }
        let engine = Engine.current
        engine.hearings += 1
        hearOnRecord(by: edge, hear)
        engine.hearings -= 1
    }
    private func hearOnRecord(by edge: AnyEdge, _ hear: () -> Void) {
        guard number != 0 else { return hear() }
        note(.heard, edge)
        guard let observer = Engine.current.keptReports?.observer else { return hear() }
        observer.calling(edge, hear)
    }
    /// Tells the observer of an event at the edge. No lock is held.
    private func note(_ event: BufferedValueEvent, _ edge: AnyEdge, microseconds: UInt = 0) {
        guard number != 0, Observers.isOn else { return }
        let engine = Engine.current
        engine.begin()
        engine.observer?.buffered(event, word | microseconds, at: edge)
        engine.end()
    }
}
