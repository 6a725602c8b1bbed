// The first value of a join: made of the values that its inputs hold when the maker has linked them, before the call returns.
//
// The maker gives it without being a holder. Another thread may have come to an input in a transaction that is still open: that thread
// holds the join. So that the first value is whole all the same, the maker waits a moment until nobody holds the join, and until no
// transaction is open that changed an input before that was linked. It does not search upstream. If a thread holds the join even so, the
// first value has what that thread has brought so far, and the join fires again only for what it brings later.
// In a transaction of the maker's own, a listener or a batch, nothing is waited for: what that has yet to bring has the join fire again.

extension Join {
    /// Called by the maker when it has linked one input more. With the last one the join has its first value.
    @usableFromInline func isLinked() {
        guard vertex.locking({ state.link() }) else { return }
        Propagation.currentUnretained._withUnsafeGuaranteedRef { propagation in
            propagation.begin()
            if propagation.depth == 1 { waitUntilWhole(in: propagation) }
            fireFirst(in: propagation)
            propagation.end()
        }
    }
    /// Waits for the transactions of other threads that the inputs have one half of, perhaps.
    private func waitUntilWhole(in propagation: Propagation) {
        let inputs = vertex.locking { vertex.upstream.all }.compactMap { $0.source?.vertex }
        var wait = WaitForOthers()
        for input in inputs {
            let time = input.locking { input.visited }
            while propagation.isOpenElsewhere(time), wait.goesOn() {}
        }
        while vertex.locking({ state.holder != nil }), wait.goesOn() {}
    }
    private func fireFirst(in propagation: Propagation) {
        let bits = vertex.lock()
        guard state.endMaking() else { return vertex.unlock(bits) }
        vertex.relock(Vertex.busy)
        let brought = takeAllThatArrived()
        propagation.beginRun(context: nil, senders: .none)
        fire(in: propagation)
        withExtendedLifetime(brought) {}
    }
    /// Fires for the first time, without having been listed. Precondition: nobody else knows of it.
    func fireAtOnce(in propagation: Propagation) {
        let bits = vertex.lock()
        _ = state.request(by: propagation.id)
        fire(in: propagation, bits)
    }
}

/// A wait for other threads' transactions that comes to an end: it spins, then lets others run, for 10 ms at most in all.
struct WaitForOthers {
    private var rounds = 0
    private var deadline: UInt64 = 0

    /// Passes some time. Answers `false` where the time is over.
    mutating func goesOn() -> Bool {
        rounds += 1
        if ScheduleFaults.handsOn() { return rounds < 50 }
        if rounds == 1 { deadline = Waiting.clock + 1_000 * UInt64(Vertex.longestPause) }
        if rounds > 100 { Waiting.letOthersRun() }
        return Waiting.clock < deadline
    }
}

extension Propagation {
    /// Whether a time belongs to a transaction of another thread's that is still open.
    func isOpenElsewhere(_ time: UInt64) -> Bool {
        isOthers(time) && Propagation.of(time).finished.load(ordering: .acquiring) < time
    }
}
extension Vertex {
    /// When another thread set what the vertex holds; 0 where none did. The lock is held.
    final func timeElsewhere(than propagation: Propagation) -> UInt64 { propagation.isOthers(visited) ? visited : 0 }
}

/// An edge to a join.
protocol LeadsToJoin: AnyEdge {
    var join: Join { get }
}
