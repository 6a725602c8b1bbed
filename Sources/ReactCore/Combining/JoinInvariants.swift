extension Join {
    /// Checks, in debug builds, the invariants of a join that `propagation` is about to fire. The lock is held.
    @inline(__always) func checkInvariants(firedBy propagation: Propagation) {
        #if DEBUG
        assert(state.isHeld(by: propagation.id), "a combination is on the list of one who does not hold it")
        checkInvariants()
        #endif
    }
    /// Checks the invariants of a join that was fired, or left to others. The lock is held.
    @inline(__always) func checkInvariants() {
        #if DEBUG
        if let violation = state.violation { assertionFailure("of a combination: \(violation)") }
        assert(state.hasList == (beside.list != nil), "a combination's list and its state disagree")
        assert(state.hasContext == (beside.context != nil), "a combination's context and its state disagree")
        assert(state.isDirty || !hasArrivals, "a combination is clean, and knows of an arrival")
        #endif
    }
}
