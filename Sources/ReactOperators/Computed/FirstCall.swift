import ReactCore

// A `computed` has its first value when the call that makes it returns. Its inputs are known only when its body has
// read them. In a batch, a listener, an operator's closure or another body, the first call takes the values that the
// inputs hold, although some of them may still change in this transaction.

extension ComputedCore {
    /// Makes the first call of a `computed`.
    @usableFromInline func start(_ join: Join) {
        self.join = .passUnretained(join)
        Engine.current.transaction { engine in
            takesAll = true
            join.fireAtOnce(in: engine)
            takesAll = false
            if isLinkLeft, engine.takeOrWait(for: vertex) { loadFirst() }
            join.retainItself()
            // Later sets may change the nodes that this call has read.
            if engine.level == 1 { engine.endPhase() }
        }
    }
    /// Requires the first call of an effect for the end of the transaction under way. In the body of another join, the
    /// call is made at once.
    func startEffect(_ join: Join) {
        Engine.current.transaction { engine in
            if engine.bodyLevel > 0 {
                join.fireAtOnce(in: engine)
            } else {
                join.requireFiring(in: engine)
            }
            join.retainItself()
        }
    }
}
