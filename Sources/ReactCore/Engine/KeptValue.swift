/// A copy of a value, in a vertex apart from the graph, which an input of a join uses in place of its source's.
///
/// A join reads its sources when it fires. By then, a node that was pulsed has its earlier value again. So the input
/// keeps the pulse's value for the firing.
@usableFromInline enum KeptValue {
    /// The newest value, until another one arrives: one that was loaded while the source's graph was busy, or any value
    /// at a join that goes on with the last value of an input that is emptied.
    case newest(Vertex)
    /// A pulse's value for the firing under way.
    case pulse(Vertex)
    /// A pulse's value for the next firing.
    case pulseForNext(Vertex)
    /// A pulse's value for all firings of its set, at an input that is not heard.
    case pulseUnheard(UnheardPulse)

    @usableFromInline var value: Vertex {
        switch self {
        case .newest(let value), .pulse(let value), .pulseForNext(let value): value
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

extension Join {
    /// Keeps the pulse's value that `source` holds, for the next firing, or for the one under way.
    func keepPulse(of source: Vertex, at edge: AnyEdge, forNext isForNext: Bool) {
        guard !source.isEmpty, let edge = edge as? any InputEdge else { return }
        let value = source.copyOfValue()
        edge.kept = isForNext ? .pulseForNext(value) : .pulse(value)
        keepsPulses = true
    }
    /// Makes the pulses' values those of the firing that begins, or leaves them for the next one, if the firing under
    /// way is to be repeated.
    @inline(never) func moveKeptPulses(toNext isForNext: Bool) {
        for edge in vertex.upstreamEdges {
            guard let edge = edge as? any InputEdge, let kept = edge.kept else { continue }
            switch kept {
            case .pulse(let value), .pulseForNext(let value):
                edge.kept = isForNext ? .pulseForNext(value) : .pulse(value)
            case .newest, .pulseUnheard: break
            }
        }
    }
    /// Lets go of the pulses' values. If `keepsNext` is true, those for the next firing stay.
    @inline(never) func endPulses(keepingNext keepsNext: Bool = false) {
        var old: [KeptValue] = []  // released at the end, because that may run user code
        keepsPulses = false
        for edge in vertex.upstreamEdges {
            guard let edge = edge as? any InputEdge, let kept = edge.kept else { continue }
            switch kept {
            case .pulseForNext where keepsNext: keepsPulses = true
            case .pulse, .pulseForNext:
                old.append(kept)
                edge.endPulse(leaving: edge.vertices.source?.afterPulse)
            case .newest, .pulseUnheard: break
            }
        }
        withExtendedLifetime(old) {}
    }
    /// Lets go of the pulses' values, unless the join is to fire for these.
    func endPulsesIfClean() {
        if !state.isDirty, !state.isFiring, keepsPulses { endPulses() }
    }
}
