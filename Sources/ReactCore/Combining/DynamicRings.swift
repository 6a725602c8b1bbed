// What stands in the way of a new edge between dynamic joins, and how their heights sink again afterwards.

extension Structure {
    /// What an edge would close a ring with.
    enum WayBack {
        /// Nothing: it counts.
        case none
        /// Only with edges that are out of date, these.
        case outdated([AnyDynamicInput])
        /// With edges that stand: these vertices are each made of the one after it, and the last of the first.
        case ring([Vertex])
    }
    /// The ways from where `edge` leads to where it leaves from.
    ///
    /// Goes upstream, from its source, through what is downstream of its target. O(what is downstream).
    static func wayBack(over edge: AnyDynamicInput, isOutdated: (AnyDynamicInput) -> Bool) -> WayBack {
        var way = WayBack.none
        change { _ in
            guard !edge.counts, let source = edge.origin,
                let target = edge.target.load(ordering: .relaxed)?.takeUnretainedValue()
            else { return }
            let reached = vertices(downstreamOf: target)
            var next: [ObjectIdentifier: Vertex] = [:]
            var outdated: [AnyDynamicInput] = []
            var seen: Set<ObjectIdentifier> = [ObjectIdentifier(source)]
            var waiting = [source]
            while let vertex = waiting.popLast() {
                if vertex === target {
                    way = .ring(Array(sequence(first: target) { next[ObjectIdentifier($0)] }).reversed())
                    return
                }
                vertex.upstream.forEach { edge in
                    guard edge.counts, let earlier = edge.origin,
                        reached.contains(ObjectIdentifier(earlier))
                    else { return }
                    if let input = edge as? AnyDynamicInput, isOutdated(input) { return outdated.append(input) }
                    guard seen.insert(ObjectIdentifier(earlier)).inserted else { return }
                    next[ObjectIdentifier(earlier)] = vertex
                    waiting.append(earlier)
                }
            }
            way = .outdated(outdated)
        }
        return way
    }
    private static func vertices(downstreamOf target: Vertex) -> Set<ObjectIdentifier> {
        var reached: Set<ObjectIdentifier> = [ObjectIdentifier(target)]
        var waiting = [target]
        while let vertex = waiting.popLast() {
            vertex.transforms.forEach { edge in
                guard edge.counts, let next = edge.target.load(ordering: .relaxed)?.takeUnretainedValue() else {
                    return
                }
                if reached.insert(ObjectIdentifier(next)).inserted { waiting.append(next) }
            }
        }
        return reached
    }
    /// Lowers a join to one more than the highest of what leads to it; what is downstream stays as high as it is.
    static func lowerRank(of join: Vertex) {
        change { _ in
            var rank: UInt32 = 0
            join.upstream.forEach { edge in
                if edge.counts, let source = edge.origin { rank = max(rank, source.rank + 1) }
            }
            if rank < join.rank { join.locking { join.setRank(rank) } }
        }
    }
}
