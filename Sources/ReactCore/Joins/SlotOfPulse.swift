// The slots of a join that pulses have filled. The join makes one value of a pulse. After that, the slot has the value
// that the input has again. If the input is empty then, the pulse's value stays in use, as the last value of an input
// that was emptied does.

/// A slot that holds a pulse's value.
struct SlotOfPulse {
    /// The slot's edge; `nil` once it has brought another value, or has been cut.
    var edge: Unmanaged<AnyTransform>?
    /// A vertex apart from the graph with the value that the input has after the pulse.
    let valueAfter: Vertex
    /// True if the pulse has come while the join fires, so that its value is for the next firing.
    var isForNext: Bool
}

extension Join {
    /// Notes whether the arriving value, which is in the slot of `edge`, is a pulse's.
    func noteSlot(of edge: Unmanaged<AnyTransform>, in engine: Engine) {
        forgetSlot(of: edge)
        guard !passesPulses, engine.callBringsPulse, let valueAfter = engine.valueAfterPulseOfCall else { return }
        slotsOfPulses =
            (slotsOfPulses ?? [])
            + [SlotOfPulse(edge: edge, valueAfter: valueAfter, isForNext: state.isFiring)]
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
        for var slot in slots {
            if slot.isForNext {
                slot.isForNext = false
                next.append(slot)
            } else if let edge = slot.edge {
                edge._withUnsafeGuaranteedRef { $0.exchangeSlot(with: slot.valueAfter) }
            }
        }
        slotsOfPulses = next.isEmpty ? nil : next
    }
    /// Gives the slots the values after their pulses, unless the join is to fire for these.
    func endPulsesIfClean() {
        if !state.isDirty, !state.isFiring, let slots = slotsOfPulses { endPulses(of: slots) }
    }
    /// Gives the slots of a join, which has been made in the middle of a pulse, the values after the pulse.
    @inline(never) func endPulsesOfInputs(in engine: Engine) {
        for edge in vertex.upstreamEdges {
            guard let edge = edge as? AnyTransform, let source = edge.source?.vertex,
                engine.isOfPulse(source), let valueAfter = source.valueAfterPulse
            else { continue }
            forgetSlot(of: .passUnretained(edge))
            edge.exchangeSlot(with: valueAfter)
        }
    }
}

extension Engine {
    /// The value that the called edge's source has after the pulse whose value it brings; `nil` if it is empty then.
    fileprivate var valueAfterPulseOfCall: Vertex? {
        guard call.top > passes[call.passes - 1].bottom else { return context?.valueAfterPulse }
        return (call.top - 1).pointee.vertex._withUnsafeGuaranteedRef { $0.valueAfterPulse }
    }
}
