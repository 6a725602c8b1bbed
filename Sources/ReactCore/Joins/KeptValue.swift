/// A value that an input of a join has, although its source does not hold it.
///
/// A join reads its sources when it fires. By then, a node that was pulsed has its earlier value again. So the input
/// keeps the pulse's value until the join has fired.
@usableFromInline struct KeptValue {
    enum Kind: UInt8 {
        /// The newest value, until another one arrives. It was loaded while the source's graph was busy, or the source
        /// may be empty by now.
        case newest
        /// A pulse's value for the next firing, or for the one under way.
        case pulse
        /// A pulse's value that has come while the join fires, so that it is for the firing after that.
        case pulseForNext
    }
    /// A vertex apart from the graph with the value.
    @usableFromInline let value: Vertex
    var kind: Kind

    var isOfPulse: Bool { kind != .newest }
}

/// An edge from an input to a join. There is one class for joins that are made with all their inputs, and one for those
/// of a body.
protocol InputEdge: AnyTransform {
    /// See `KeptValue`.
    var kept: KeptValue? { get set }
    /// Notes that the join has fired for the pulse's value that the input keeps. Returns the value, if it is kept no
    /// longer. `after` has the value of the source after the pulse; it is `nil` if the source is empty then.
    func endPulse(leaving after: Vertex?) -> KeptValue?
}

extension Join {
    /// Keeps the pulse's value that `source` holds, for a firing.
    func keepPulse(of source: Vertex, at edge: AnyEdge, as kind: KeptValue.Kind) {
        guard !source.isEmpty, let edge = edge as? any InputEdge else { return }
        edge.kept = KeptValue(value: source.copyOfValue(), kind: kind)
        keepsPulses = true
    }
    /// Lets go of the pulses' values that the join has fired for. They stay if the firing is repeated.
    @inline(never) func endPulses() {
        var old: [KeptValue?] = []  // released at the end, because that may run user code
        keepsPulses = false
        for edge in vertex.upstreamEdges {
            guard let edge = edge as? any InputEdge, let kept = edge.kept, kept.isOfPulse else { continue }
            if kept.kind == .pulse, !isRepeated {
                old.append(edge.endPulse(leaving: edge.vertices.source?.afterPulse))
            } else {
                edge.kept?.kind = .pulse
                keepsPulses = true
            }
        }
        withExtendedLifetime(old) {}
    }
    /// Lets go of the pulses' values, unless the join is to fire for these.
    func endPulsesIfClean() {
        if !state.isDirty, !state.isFiring, keepsPulses { endPulses() }
    }
}
