import ReactCore

/// Finds the nodes that are connected with a node: by present edges, by past edges, and by sets of their listeners.
struct Connected {
    /// The nodes that exist, beginning with the given one, with their places in `ObjectIndex`, if they are on record.
    private(set) var live: [(node: AnyNode, place: Int?)] = []
    /// The nodes that are connected on record alone.
    private(set) var gone: [Int] = []

    init(to node: AnyNode, _ names: ObjectIndex, _ sets: [(edge: Int, source: Int, target: Int)]) {
        var neighbours: [Int: [Int]] = [:]
        let past = names.pastSources.flatMap { target, sources in sources.map { ($0, target) } }
        for ends in names.ends.map({ ($0.source, $0.target) }) + past + sets.map({ ($0.source, $0.target) })
        where ends.0 >= 0 && ends.1 >= 0 {
            neighbours[ends.0, default: []].append(ends.1)
            neighbours[ends.1, default: []].append(ends.0)
        }
        // Walks the present graph. Nodes on record may lead to more nodes that exist, so the walk starts again from
        // these.
        var starts = [node]
        var known: Set<Int> = []
        while true {
            var walk = GraphWalk(from: starts)
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
