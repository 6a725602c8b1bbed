// A pulse that an edge takes apart from the delivery, by which it would be known.

extension Propagation {
    /// What has the pulse under way know where an edge takes its value that is called apart from this delivery.
    func pulseForReplay(in context: ContextBox?, from vertex: Vertex) -> ContextBox? {
        guard let context, let pulse = context.pulse, pulse.isHeld(by: vertex) else { return nil }
        return ContextBox(context.value, pulse, isOfReplay: true)
    }
    /// The same for an edge that was linked in mid-delivery. The vertex's lock is held.
    func pulseForReplay(from vertex: Vertex) -> Unmanaged<AnyObject>? {
        for run in 0..<runCount {
            guard let context = runs[run].context?.takeUnretainedValue(), let pulse = context.pulse else { continue }
            if pulse.isHeld(by: vertex) { return .passRetained(ContextBox(nil, pulse, isOfReplay: true)) }
        }
        return nil
    }
}
