// A pulse that an edge takes apart from the delivery, by which it would be known.

extension Propagation {
    /// What has the pulse under way know where an edge takes its value that is called apart from this delivery: in the place of the
    /// context.
    func contextForReplay(from vertex: Vertex) -> ContextBox? {
        guard let context, let pulse = context.pulse else { return context }
        let isOfReplay = pulse.isHeld(by: vertex)
        return isOfReplay == context.isOfReplay ? context : ContextBox(context.value, pulse, isOfReplay: isOfReplay)
    }
    /// The same for an edge that was linked in the middle of a pulse to a vertex that has its value, with a hold on it.
    @inline(never) func pulseForReplay(from vertex: Unmanaged<Vertex>) -> Unmanaged<ContextBox>? {
        let pulse = vertex._withUnsafeGuaranteedRef { vertex in vertex.locking { pulseHeld(by: vertex) } }
        return pulse.map { .passRetained(ContextBox(nil, $0, isOfReplay: true)) }
    }
    /// The pulse under way that has brought what `vertex` holds, if one has. The lock of that is held.
    func pulseHeld(by vertex: Vertex) -> Pulse? {
        for run in 0..<runCount {
            if let pulse = runs[run].context?._withUnsafeGuaranteedRef({ $0.pulse }), pulse.isHeld(by: vertex) {
                return pulse
            }
        }
        return nil
    }
}
