/// The cycles that a new edge between dynamic joins would close.
enum WayBack {
    /// No cycle.
    case none
    /// Only cycles through these edges, which are outdated.
    case outdated([AnyDynamicInput])
    /// A cycle of edges that are up to date. Each vertex is computed from the one after it, and the last from the
    /// first.
    case ring([Vertex])

    /// Searches for ways from the target of `edge` to its source, if the edge is a back edge.
    ///
    /// Goes upstream from the source, through vertices that are downstream of the target. O(vertices downstream). It
    /// locks one vertex after the other, so other threads may connect and disconnect edges meanwhile: a caller that
    /// acts on the answer searches again.
    init(over edge: AnyDynamicInput, in propagation: Propagation) {
        self = .none
        guard let source = edge.source?.vertex,
            source.locking({ edge.closesRing }),
            let target = edge.target.load(ordering: .acquiring)?.takeUnretainedValue()
        else { return }
        var held: [Vertex] = []
        let reached = target.reach(holding: &held) { $0.risingEdges.map(\.target) }
        var next: [ObjectIdentifier: Vertex] = [:]
        var outdated: [AnyDynamicInput] = []
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(source)]
        var waiting = [source]
        while let vertex = waiting.popLast() {
            if vertex === target {
                self = .ring(Array(sequence(first: target) { next[ObjectIdentifier($0)] }).reversed())
                return
            }
            for edge in vertex.locking({ vertex.upstream.all }) {
                guard let earlier = edge.source?.vertex, reached.contains(ObjectIdentifier(earlier)),
                    !earlier.locking({ edge.closesRing })
                else { continue }
                if let input = edge as? AnyDynamicInput, input.dynamic.isOutdated(input, in: propagation) {
                    outdated.append(input)
                    continue
                }
                guard seen.insert(ObjectIdentifier(earlier)).inserted else { continue }
                next[ObjectIdentifier(earlier)] = vertex
                waiting.append(earlier)
            }
        }
        self = outdated.isEmpty ? .none : .outdated(outdated)
    }
}
