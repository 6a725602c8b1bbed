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
    var isObserved: Bool { observer != nil }

    /// Opens the thread's observer, or tells it that a part of the transaction begins. Called after `depth` has grown.
    @inline(never) func openObserver() {
        if let observer { return observer.followObservers() }
        let observer = closedObserver ?? Observers.current.observer(ofThread: thread, after: formerThreads)
        observer.open()
        observerDepth = depth
        (closedObserver, self.observer) = (observer, observer)
        setFastLimit(hasTrail: hasTrail)
    }
    /// Ends the observer's part of the transaction, if that part began at this depth. Called before `depth` falls.
    @inline(never) func closeObserver() {
        guard let observer, observerDepth == depth else { return }
        if depth == 1 { stabilize() }
        observer.letGoOfValues()
        // User code that ran when values were released may have set nodes.
        if depth == 1 { stabilize() }
        self.observer = nil
        setFastLimit(hasTrail: hasTrail)
        observer.close(isOutermost: depth == 1)
    }

    /// Calls an edge outside of its source's delivery, and tells the observer. Precondition: there is an observer.
    @inline(never) func callSeparately(
        _ kind: SeparateCall, _ edge: AnyEdge, from source: Vertex?, isEmptying: Bool = false, _ call: () -> NextEdge
    ) -> NextEdge {
        guard let observer, let source = source ?? edge.source?.vertex else { return call() }
        observer.willCallSeparately(edge, from: source, kind)
        wordOfHold = 0
        let outer = observer.willCall(edge, from: source, isEmptying: isEmptying)
        self.call.number = 0
        let sent = call()
        observer.didCall(edge, from: source, inside: outer) { result(of: edge) }
        return sent
    }
    /// Returns the fate of the value that `edge` was called with, if it was neither stored nor queued.
    func result(of edge: AnyEdge) -> CallResult {
        if call.number == 0 { return .cut }
        if edge.leadsToListener { return .notPassedOn }
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
