// A transient value is there for one call of a body, as it is for a listener: the first call that is completed after
// its arrival.

extension ComputedCore {
    /// Records whether the value that has just arrived is a pulse's. The lock is held.
    @inlinable @inline(__always) func notePulse(_ input: AnyDependency, _ engine: Unmanaged<Engine>) {
        let hasSenders = engine._withUnsafeGuaranteedRef { $0.hasTrail }
        if hasSenders || holdsPulses { notePulseClosely(input, engine) }
    }
    @usableFromInline func notePulseClosely(_ input: AnyDependency, _ engine: Unmanaged<Engine>) {
        let isOfPulse = engine._withUnsafeGuaranteedRef { engine in
            engine.context?.pulse.map { engine.brings($0) } ?? false
        }
        // A call that is under way may have read the input already, so the value stays for one more call.
        if isOfPulse { note(pulseAt: input, until: calls + 1) } else { input.lastCall = 0 }
        // Each pulse leads to a call, even if its value equals the one read before.
        if isOfPulse { mustCall = true }
    }
    /// Records that `input` holds a transient value, which is removed when the call `last`, or a later one, is
    /// completed. The lock is held.
    func note(pulseAt input: AnyDependency, until last: UInt64) {
        input.lastCall = last
        holdsPulses = true
    }
    /// Removes the transient values that were there for the call that was just completed. This thread has the turn; the
    /// lock is not held.
    @usableFromInline @inline(never) func forgetPulses() {
        var old: [(any Sendable)?] = []
        vertex.locking {
            holdsPulses = false
            for place in 0..<count {
                inputs[place]?._withUnsafeGuaranteedRef { input in
                    guard input.lastCall != 0 else { return }
                    guard input.lastCall <= calls else { return holdsPulses = true }
                    input.lastCall = 0
                    old.append(input.takeValue())
                }
            }
        }
        withExtendedLifetime(old) {}
    }
}
