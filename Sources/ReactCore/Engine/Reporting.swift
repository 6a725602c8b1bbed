import Synchronization

// The engine's reports to its thread's observer. Without an observer, a transaction reads one flag when it begins.
extension Engine {
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
        bufferedWord = 0
        observer.willCall(edge, from: source, isEmptying: isEmptying)
        self.call.generation = 0
        let sent = call()
        observer.didCall(edge, from: source)
        return sent
    }
    /// Returns true if `edge` leads to a listener, and was not cut before its call.
    package func hasCalledListener(by edge: AnyEdge) -> Bool {
        edge.leadsToListener && call.generation != 0
    }
    /// Returns the fate of the value that `edge` was called with, if it was neither stored nor queued, and reached no
    /// listener.
    package func result(of edge: AnyEdge) -> CallResult {
        if call.generation == 0 { return .cut }
        if !edge.isConnected(by: call.generation) { return .cut }
        guard let missing = edge.missingInputCount else { return edge.fateOfUnsent }
        let target = edge.target.load(ordering: .acquiring)
        return target?._withUnsafeGuaranteedRef(comesBack) ?? false ? .cameRound : .arrived(missing: missing)
    }
    @usableFromInline @inline(never) package func noteCameRound() { observer?.cameRound() }
}
