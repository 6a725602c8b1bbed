import ReactCore

/// Finds the nodes that are connected with a node: by present edges, by past edges, and by sets of their listeners.
struct Connected {
    /// The nodes that exist, beginning with the given one, with their places in `ObjectIndex`, if they are on record.
    private(set) var live: [(node: AnyNode, place: Int?)] = []
    /// The nodes that are connected on record alone.
    private(set) var gone: [Int] = []

    init(to node: AnyNode, _ names: ObjectIndex, _ sets: [(edge: Int?, source: Int, target: Int)]) {
        var neighbours: [Int: [Int]] = [:]
        func join(_ source: Int?, _ target: Int?) {
            guard let source, let target else { return }
            neighbours[source, default: []].append(target)
            neighbours[target, default: []].append(source)
        }
        for ends in names.ends { join(ends.source, ends.target) }
        for (target, sources) in names.pastSources { for source in sources { join(source, target) } }
        for set in sets { join(set.source, set.target) }
        // Walks the present graph. Nodes on record may lead to more nodes that exist, so the walk starts again from
        // these.
        var starts = [node]
        var known: Set<Int> = []
        while true {
            var walk = GraphWalk(PresentGraph(), from: starts)
            while walk.next() != nil {}
            live = walk.nodes.map { ($0, names.place(of: $0)) }
            known = Set(live.compactMap(\.place))
            let walked = Set(walk.nodes.map { ObjectIdentifier($0) })
            gone = []
            var waiting = Array(known)
            while let place = waiting.popLast() {
                for next in neighbours[place] ?? [] where known.insert(next).inserted {
                    waiting.append(next)
                    gone.append(next)
                }
            }
            let found = gone.sorted().compactMap { names.nodes[$0].node }
                .filter { !walked.contains(ObjectIdentifier($0)) }
            if found.isEmpty { break }
            starts += found
        }
        gone.sort()
    }
}
