import ReactCore

// A `computed` has its first value when the call that makes it returns. Its inputs are known only when its body has
// read them.
//
// Outside of any transaction, the maker calls the body, and again if the inputs hold half of another thread's
// transaction, for 10 ms at most. Until it has a value, no other thread fires the join. After that time, the maker
// calls the body once more, and takes the values that the inputs hold. The join fires again for later ones.
//
// Inside a transaction, in a batch, a listener, an operator's closure or another body, the maker does not wait. It
// takes the values that the inputs hold, although some of them may still change in this transaction.

extension ComputedCore {
    /// Makes the first call of a `computed`.
    @usableFromInline func start(_ join: Join) {
        self.join = .passUnretained(join)
        let engine = Engine.current
        if engine.isIdle { return makeFirst(join, in: engine) }
        engine.begin()
        vertex.locking { takesAll = true }
        join.fireAtOnce(in: engine)
        vertex.locking { takesAll = false }
        join.keep()
        engine.end()
    }
    /// Requests the first call of an effect for the end of the transaction under way. In the body of another join, the
    /// call is made at once.
    func startEffect(_ join: Join) {
        let engine = Engine.current
        engine.begin()
        if engine.bodyLevel > 0 {
            join.fireAtOnce(in: engine)
        } else {
            vertex.locking { join.request(in: engine) }
        }
        join.keep()
        engine.end()
    }
    /// Gives the join its first value. Nothing is under way on this thread.
    func makeFirst(_ join: Join, in engine: Engine) {
        vertex.locking {
            join.beginMaking()
            isMaking = true
        }
        var wait = WaitForOthers()
        repeat { call(join, in: engine, &wait) } while vertex.locking({ isMaking }) && wait.goesOn()
        if vertex.locking({ isMaking }) { call(join, in: engine, &wait, takingAll: true) }
    }
    /// Calls the body when the inputs hold no half of another thread's transaction, or when the wait is over.
    private func call(_ join: Join, in engine: Engine, _ wait: inout WaitForOthers, takingAll: Bool = false) {
        while engine.isOpenOnAnotherThread(vertex.locking { rare?.awaited } ?? 0), wait.goesOn() {}
        engine.begin()
        join.fireForMaker(in: engine, &wait) {
            guard takingAll else { return }
            takesAll = true
            endMaking()
        }
        if takingAll { vertex.locking { takesAll = false } }
        join.keep()
        // The first call has a firing phase of its own.
        engine.runFiringPhase()
        engine.end()
    }
    /// Lets other threads fire the join. The lock is held.
    func endMaking() {
        isMaking = false
        if let join { join._withUnsafeGuaranteedRef { $0.letOthersFire() } }
    }
}
