/// What a new edge between dynamic joins would close a ring with.
enum WayBack {
    /// Nothing.
    case none
    /// Only with edges that are out of date, these.
    case outdated([AnyDynamicInput])
    /// With edges that stand: these vertices are each made of the one after it, and the last of the first.
    case ring([Vertex])

    /// The ways from where `edge` leads to where it leaves from, if it closes a ring.
    ///
    /// Goes upstream, from its source, through what is downstream of its target. O(what is downstream). It reads one vertex after
    /// the other, while others may link and cut: who acts on the answer asks again.
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
