// What a pulse brings to a body is there for one call, as it is for a listener: the first one that is completed after it came.

extension DynamicJoin {
    /// Notes whether a pulse has brought what has just arrived. The lock is held.
    @inlinable @inline(__always) func notePulse(_ input: AnyDynamicInput, _ propagation: Unmanaged<Propagation>) {
        let hasSenders = propagation._withUnsafeGuaranteedRef { $0.hasTrail }
        if hasSenders || holdsPulses { notePulseClosely(input, propagation) }
    }
    @usableFromInline func notePulseClosely(_ input: AnyDynamicInput, _ propagation: Unmanaged<Propagation>) {
        let isOfPulse = propagation._withUnsafeGuaranteedRef { propagation in
            propagation.context?.pulse.map { propagation.brings($0) } ?? false
        }
        // A call that is under way may have read the input already.
        if isOfPulse { note(pulseAt: input, until: calls + 1) } else { input.lastCall = 0 }
        // Each pulse counts, whatever was read before.
        if isOfPulse { mustCall = true }
    }
    /// Notes that a pulse has brought what `input` holds, which goes when the call `last`, or a later one, is completed. The lock is held.
    func note(pulseAt input: AnyDynamicInput, until last: UInt64) {
        input.lastCall = last
        holdsPulses = true
    }
    /// Lets go of what pulses had brought before the call that was just completed. The turn is this thread's, and the lock is not held.
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
