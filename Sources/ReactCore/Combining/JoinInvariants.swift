extension Join {
    /// Checks what must hold of a join that `propagation` is about to fire, in debug builds. The lock is held.
    @inline(__always) func checkInvariants(firedBy propagation: Propagation) {
        #if DEBUG
        assert(isHeld(by: propagation), "a combination is on the list of one who does not hold it")
        assert(missing >= 0, "a combination misses fewer than none of its inputs")
        let holders = Set([holder].compactMap { $0?.toOpaque() } + moreHolders.map { $0.toOpaque() })
        assert(holders.count == moreHolders.count + 1, "a combination is held twice by the same")
        #endif
    }
    /// The same after it was fired, or left.
    @inline(__always) func checkInvariants() {
        #if DEBUG
        assert(holder != nil || moreHolders.isEmpty, "a combination has a second holder, and no first")
        assert(holder != nil || !isDirty || missing > 0, "a combination is to fire, and nobody does it")
        #endif
    }
}
