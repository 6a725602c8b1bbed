// The first value of a join. Its maker computes it from the values that the inputs hold when all are connected, before
// its call returns.
//
// The maker does not become a holder of the join. Another thread holds it if an open transaction of that thread has
// reached an input. The first value must not show half of such a transaction. So the maker waits until nobody holds the
// join, and until each transaction has ended that changed an input before it was connected. The wait lasts 10 ms at
// most, and does not search further upstream. If a thread still holds the join then, the first value contains the
// values that this thread has brought so far; the join fires again only for later ones.
//
// Inside a transaction of its own, in a listener or a batch, the maker does not wait. The join fires again for values
// that come later.

extension Join {
    /// Notes that the maker has connected one more input. After the last one, gives the join its first value.
    @usableFromInline func isLinked() {
        guard vertex.locking({ state.link() }) else { return }
        Engine.currentUnretained._withUnsafeGuaranteedRef { engine in
            engine.begin()
            _ = engine.take(vertex)
            let pulse = pulseOfInputs(in: engine)
            fireFirst(in: engine, ofPulse: pulse, engine.depth == 1 ? lockWhenWhole(in: engine) : vertex.lock())
            if engine.passCount > 0, !passesPulses { endPulsesOfInputs(in: engine) }
            engine.end()
        }
    }
    /// Returns the pulse under way on this thread that brought the value of an input, if the first value is to go with
    /// it.
    private func pulseOfInputs(in engine: Engine) -> TransientValue? {
        guard passesPulses, engine.passCount > 0 else { return nil }
        return vertex.sources.lazy.compactMap { source in source.locking { engine.pulseStored(in: source) } }.first
    }
    /// Takes the lock when the inputs hold no half of another thread's transaction, or when the wait is over.
    private func lockWhenWhole(in engine: Engine) -> UInt32 {
        var wait = WaitForOthers()
        for input in vertex.sources {
            let time = input.locking { input.lastEpoch }
            while engine.isOpenOnAnotherThread(time), wait.goesOn() {}
        }
        return lockWhenFree(&wait)
    }
    /// Takes the lock when nobody holds the join, or when the wait is over. A value that arrives later has the join
    /// fire again.
    fileprivate func lockWhenFree(_ wait: inout WaitForOthers) -> UInt32 {
        var bits = vertex.lock()
        while state.holder != nil {
            vertex.unlock(bits)
            let isOver = !wait.goesOn()
            bits = vertex.lock()
            if isOver { break }
        }
        return bits
    }
    /// The lock is held, and is released here.
    private func fireFirst(in engine: Engine, ofPulse pulse: TransientValue?, _ bits: UInt32) {
        guard state.endMaking() else { return vertex.unlock(bits) }
        fireUnlisted(in: engine, ofPulse: pulse)
    }
    /// Fires without having been listed, with all that the inputs hold. The lock is held, and is released here.
    private func fireUnlisted(in engine: Engine, ofPulse pulse: TransientValue? = nil) {
        vertex.relock(Vertex.busy)
        let brought = takeAllThatArrived()
        engine.beginPass(context: pulse.map { ContextBox(nil, $0) }, senders: .none)
        if let pulse { note(pulse, in: engine) }
        fire(in: engine)
        withExtendedLifetime(brought) {}
    }
    /// Keeps other threads from firing a join without slots, until `letOthersFire`. The lock is held.
    package func beginMaking() { state.beginMaking() }
    /// Lets other threads fire the join. The lock is held.
    package func letOthersFire() { state.fillSlot() }
    /// Fires a join whose maker has begun to make it, when nobody holds the join, or when the wait is over. `prepare`
    /// is called under the lock first. The join fires again only for later arrivals.
    package func fireForMaker(in engine: Engine, _ wait: inout WaitForOthers, _ prepare: () -> Void) {
        _ = lockWhenFree(&wait)
        prepare()
        state.forgetArrivals()
        fireUnlisted(in: engine)
    }
    /// Fires for the first time, without having been listed. Precondition: nobody else knows the join.
    package func fireAtOnce(in engine: Engine) {
        let bits = vertex.lock()
        _ = state.request(by: engine.id)
        fire(in: engine, bits)
    }
}

/// A limited wait for transactions of other threads. It spins, then yields, for at most 10 ms in all.
package struct WaitForOthers {
    private var rounds = 0
    private var deadline: UInt64 = 0

    package init() {}
    /// Lets some time pass. Returns false if the time is over.
    package mutating func goesOn() -> Bool {
        rounds += 1
        if ScheduleFuzzing.handsOn() { return rounds < 50 }
        if rounds == 1 { deadline = Waiting.clock + 1_000 * UInt64(Vertex.longestPause) }
        if rounds > 100 { Waiting.letOthersRun() }
        return Waiting.clock < deadline
    }
}

extension Engine {
    /// Returns true if a time belongs to an open transaction of another thread.
    package func isOpenOnAnotherThread(_ time: UInt64) -> Bool {
        isOthers(time) && Engine.of(time).finished.load(ordering: .acquiring) < time
    }
}
extension Vertex {
    /// The time at which another thread set the vertex's value; 0 if none did. The lock is held.
    package final func epochOfAnotherThread(than engine: Engine) -> UInt64 {
        engine.isOthers(lastEpoch) ? lastEpoch : 0
    }
}
