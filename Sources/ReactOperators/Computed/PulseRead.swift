import ReactCore

// A transient value is there for one call of a body, as it is for a listener: the first call that is completed after
// its arrival. From then on, the body reads the value that the node has again.

/// An input that holds a transient value.
struct PulseRead {
    let input: Unmanaged<AnyBodyEdge>
    /// The call with whose end the value is removed, at the latest with the end of a later one.
    let lastCall: UInt64
    /// A vertex apart from the graph with the value that the node has after the pulse; `nil` if it is empty then.
    let valueAfter: Vertex?

    func isOf(_ input: AnyBodyEdge) -> Bool { self.input.toOpaque() == Unmanaged.passUnretained(input).toOpaque() }
    /// Gives the input the value that the node has after the pulse. Returns the pulse's value.
    func end() -> (any Sendable)? { input._withUnsafeGuaranteedRef { $0.endPulse(with: valueAfter) } }
}

extension ComputedCore {
    /// Records whether the value that has just arrived is a pulse's.
    func notePulse(at input: AnyBodyEdge, _ call: ErasedEdgeCall) {
        rare?.pulses.removeAll { $0.isOf(input) }
        guard call.engine._withUnsafeGuaranteedRef({ $0.callBringsPulse }) else { return }
        // Each pulse leads to a call, even if its value equals the one read before.
        state.requireCall()
        // A call that is under way may have read the input already, so the value stays for one more call.
        note(pulseAt: input, until: calls + 1, after: call.source._withUnsafeGuaranteedRef { $0.valueAfterPulse })
    }
    /// Records that `input` holds a transient value, which is removed when the call `last`, or a later one, is
    /// completed.
    func note(pulseAt input: AnyBodyEdge, until last: UInt64, after valueAfter: Vertex?) {
        madeRare.pulses.append(PulseRead(input: .passUnretained(input), lastCall: last, valueAfter: valueAfter))
    }
    /// Removes the transient values that were there for the call that was just completed. This thread has
    /// the turn.
    @usableFromInline @inline(never) func forgetPulses() {
        guard let rare, !rare.pulses.isEmpty else { return }
        let ended = rare.pulses.filter { $0.lastCall <= calls }
        rare.pulses.removeAll { $0.lastCall <= calls }
        // Released at the end, because that may run user code.
        withExtendedLifetime((ended.map { $0.end() }, ended)) {}
    }
}
