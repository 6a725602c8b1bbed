extension Propagation {
    /// Checks what must hold at the end of an outermost set, in debug builds: nothing is left on the stack, or to be fired, and no trail.
    @inline(__always) func checkInvariants() {
        #if DEBUG
        assert(runCount == 0 && call.runs == 0, "a run is left over at the end of a set")
        assert(top == frames + 1 && frames.pointee.next == Frame.endMark, "a frame is left over at the end of a set")
        assert(observer == nil, "an observer is open at the end of a set")
        assert(joins.isEmpty && joinsLeft.isEmpty, "a combination has not fired at the end of a set")
        assert(visits.isEmpty, "a trail is left over at the end of a set")
        assert(
            customCall._withUnsafeGuaranteedRef { $0.outer == nil } && bodyLevel == 0,
            "something is being called at the end of a set")
        #endif
    }
}
