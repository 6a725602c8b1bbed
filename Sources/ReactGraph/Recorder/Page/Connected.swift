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
        // Nodes on record may lead to more graphs that exist.
        var starts = [node], seen: Set<AnyNode> = [], known: Set<Int> = []
        while !starts.isEmpty {
            var walk = GraphWalk(PresentGraph(), from: starts)
            while walk.next() != nil {}
            let found = walk.nodes.filter { seen.insert($0).inserted }.map { (node: $0, place: names.place(of: $0)) }
            live += found
            let places = found.compactMap(\.place)
            known.formUnion(places)
            let others = reached(from: places) { neighbours[$0] ?? [] }.filter { known.insert($0).inserted }
            starts = others.sorted().compactMap { names.nodes[$0].node }
            gone += others.filter { names.nodes[$0].node == nil }
        }
        gone.sort()
    }
}
