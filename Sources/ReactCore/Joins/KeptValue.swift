/// A value that an input of a join has, although its source does not hold it. Each is in a vertex apart from the graph.
///
/// A join reads its sources when it fires. By then, a node that was pulsed has its earlier value again. So the input
/// keeps the pulse's value for the firing.
@usableFromInline enum KeptValue {
    /// The newest value, until another one arrives: one that was loaded while the source's graph was busy, or any value
    /// at a join that goes on with the last value of an input that is emptied.
    case newest(Vertex)
    /// A pulse's value for the firing of that number: see `Join.firings`.
    case pulse(Vertex, firing: UInt32)
    /// A pulse's value for all firings of its set, at an input that is not heard.
    case pulseUnheard(UnheardPulse)

    @usableFromInline var value: Vertex {
        switch self {
        case .newest(let value), .pulse(let value, _): value
        case .pulseUnheard(let pulse): pulse.value
        }
    }
    var isOfPulse: Bool { if case .newest = self { false } else { true } }
}

/// A pulse's value at an input that is not heard.
@usableFromInline final class UnheardPulse: Sendable {
    let value: Vertex
    /// The source's value after the pulse; `nil` if the source is empty then.
    let after: Vertex?
    /// An epoch of the pulse's set.
    let epoch: UInt64

    init(_ value: Vertex, leaving after: Vertex?, in epoch: UInt64) {
        (self.value, self.after, self.epoch) = (value, after, epoch)
    }
}

/// An edge from an input to a join. There is one class for joins that are made with all their inputs, and one for those
/// of a body.
protocol InputEdge: AnyTransform {
    /// See `KeptValue`.
    var kept: KeptValue? { get set }
    /// Lets go of the pulse's value that the input keeps: the join has fired, or will not fire for it. `after` has the
    /// value of the source after the pulse; it is `nil` if the source is empty then.
    func endPulse(leaving after: Vertex?)
}

extension Join {
    /// Keeps the pulse's value that `source` holds, for the firing of that number.
    func keepPulse(of source: Vertex, at edge: AnyEdge, forFiring firing: UInt32) {
        guard !source.isEmpty, let edge = edge as? any InputEdge else { return }
        edge.kept = .pulse(source.copyOfValue(), firing: firing)
        keepsPulses = true
    }
    /// Keeps the values of the firing under way for the next one.
    func keepPulsesForNext() {
        for edge in vertex.upstreamEdges {
            guard let edge = edge as? any InputEdge, case .pulse(let value, _) = edge.kept else { continue }
            edge.kept = .pulse(value, firing: firings &+ 1)
        }
    }
    /// Lets go of the pulses' values. If `keepsNext` is true, those for the next firing stay.
    @inline(never) func endPulses(keepingNext keepsNext: Bool = false) {
        var old: [KeptValue] = []  // released at the end, because that may run user code
        keepsPulses = false
        for edge in vertex.upstreamEdges {
            guard let edge = edge as? any InputEdge, let kept = edge.kept, case .pulse(_, let firing) = kept
            else { continue }
            if keepsNext, firing == firings &+ 1 {
                keepsPulses = true
            } else {
                old.append(kept)
                edge.endPulse(leaving: edge.vertices.source?.afterPulse)
            }
        }
        withExtendedLifetime(old) {}
    }
    /// Lets go of the pulses' values, unless the join is to fire for these.
    func endPulsesIfClean() {
        if !state.isDirty, !state.isFiring, keepsPulses { endPulses() }
    }
}
