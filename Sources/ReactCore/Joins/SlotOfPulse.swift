// The slots of a join that pulses have filled. The join makes one value of a pulse. After that, the slot has the value
// that the input has again, or is empty, as the input is.

/// A slot that holds a pulse's value.
struct SlotOfPulse {
    /// The slot's edge; `nil` once it has brought another value, or has been cut.
    var edge: Unmanaged<AnyTransform>?
    /// A vertex apart from the graph with the value that the input has after the pulse; `nil` if it is empty then.
    let valueAfter: Vertex?
    /// True if the pulse has come while the join fires, so that its value is for the next firing.
    var isForNext: Bool
}

extension Join {
    /// Notes whether the arriving value, which is in the slot of `edge`, is a pulse's.
    func noteSlot(of edge: Unmanaged<AnyTransform>, in engine: Engine) {
        forgetSlot(of: edge)
        guard !passesPulses, engine.callBringsPulse else { return }
        slotsOfPulses =
            (slotsOfPulses ?? [])
            + [SlotOfPulse(edge: edge, valueAfter: engine.valueAfterPulseOfCall, isForNext: state.isFiring)]
    }
    /// Forgets that a slot holds a pulse's value.
    func forgetSlot(of edge: Unmanaged<AnyTransform>) {
        guard let slots = slotsOfPulses else { return }
        for place in slots.indices where slots[place].edge?.toOpaque() == edge.toOpaque() {
            slotsOfPulses?[place].edge = nil
        }
    }
    /// Gives each slot that holds the value of a pulse which the join has fired for the value after the pulse.
    @inline(never) func endPulses(of slots: [SlotOfPulse]) {
        var next: [SlotOfPulse] = []
        var old: [any Sendable] = []  // released at the end, because that may run user code
        for var slot in slots {
            if slot.isForNext {
                slot.isForNext = false
                next.append(slot)
            } else if let edge = slot.edge?.takeUnretainedValue(), let pulse = end(pulseAt: edge, slot.valueAfter) {
                old.append(pulse)
            }
        }
        slotsOfPulses = next.isEmpty ? nil : next
        withExtendedLifetime(old) {}
    }
    /// Gives the slots the values after their pulses, unless the join is to fire for these.
    func endPulsesIfClean() {
        if !state.isDirty, !state.isFiring, let slots = slotsOfPulses { endPulses(of: slots) }
    }
    /// Gives the slots of a join, which has been made in the middle of a pulse, the values after the pulse.
    @inline(never) func endPulsesOfInputs(in engine: Engine) {
        for edge in vertex.upstreamEdges {
            guard let edge = edge as? AnyTransform, let source = edge.source?.vertex, engine.isOfPulse(source)
            else { continue }
            forgetSlot(of: .passUnretained(edge))
            withExtendedLifetime(end(pulseAt: edge, source.valueAfterPulse)) {}
        }
    }
    /// Gives a slot the value after a pulse, or empties it. Returns the pulse's value if it is left over.
    private func end(pulseAt edge: AnyTransform, _ valueAfter: Vertex?) -> (any Sendable)? {
        guard let valueAfter else { return edge.emptySlot() }
        edge.exchangeSlot(with: valueAfter)
        return nil
    }
}

extension Engine {
    /// The value that the called edge's source has after the pulse whose value it brings; `nil` if it is empty then.
    fileprivate var valueAfterPulseOfCall: Vertex? {
        guard call.top > passes[call.passes - 1].bottom else { return context?.valueAfterPulse }
        return (call.top - 1).pointee.vertex._withUnsafeGuaranteedRef { $0.valueAfterPulse }
    }
}
