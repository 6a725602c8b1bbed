/// The edges of a snapshot by position rather than id, laid out flat so that questions about large graphs stay linear.
struct GraphTopology {
    let nodeCount: Int
    /// The positions of each edge's ends.
    let sources: [Int?]
    let destinations: [Int?]

    /// The edges between two nodes, sorted by their source, and where each node's begin and end in there. The
    /// reverse is the same by destination.
    private let outgoing: [Int]
    private let outgoingStart: [Int]
    private let incoming: [Int]
    private let incomingStart: [Int]

    /// Edges, by position, for which `isPresent` is false are taken not to be there.
    init(_ graph: GraphSnapshot, where isPresent: (Int) -> Bool = { _ in true }) {
        let position = graph.positionOfNode
        let sources = graph.edges.map { $0.from.map(position) }
        let destinations = graph.edges.map { $0.to.map(position) }
        let connected = graph.edges.indices.filter { sources[$0] != nil && destinations[$0] != nil && isPresent($0) }
        self.sources = sources
        self.destinations = destinations
        nodeCount = graph.nodes.count
        (outgoing, outgoingStart) = Self.sorted(connected, by: sources, nodeCount: nodeCount)
        (incoming, incomingStart) = Self.sorted(connected, by: destinations, nodeCount: nodeCount)
    }

    /// The edges out of a node that lead to a node, in the order of the snapshot.
    func edges(outOf node: Int) -> ArraySlice<Int> { outgoing[outgoingStart[node]..<outgoingStart[node + 1]] }
    /// The edges into a node that come from a node, in the order of the snapshot.
    func edges(into node: Int) -> ArraySlice<Int> { incoming[incomingStart[node]..<incomingStart[node + 1]] }

    /// The inputs of a combination.
    struct Combination {
        let operatorName: String
        /// The number of inputs with which it was made.
        let inputCount: Int
        /// The edges of the inputs that it still has.
        let edges: [Int]

        var lostCount: Int { max(0, inputCount - edges.count) }
    }

    /// `nil` if no edge of a combination or a zip leads to the node. One that has lost every input looks like any node.
    func combination(at node: Int, in graph: GraphSnapshot) -> Combination? {
        let edges = edges(into: node).filter { graph.edges[$0].inputCount != nil }
        guard let first = edges.first, let inputCount = graph.edges[first].inputCount else { return nil }
        return Combination(operatorName: graph.edges[first].name, inputCount: inputCount, edges: edges)
    }

    /// A counting sort, which keeps the edges of one node in their order.
    private static func sorted(_ edges: [Int], by ends: [Int?], nodeCount: Int) -> (edges: [Int], starts: [Int]) {
        var starts = [Int](repeating: 0, count: nodeCount + 1)
        for edge in edges { starts[ends[edge]! + 1] += 1 }
        for node in 0..<nodeCount { starts[node + 1] += starts[node] }
        var next = starts
        var sorted = [Int](repeating: 0, count: edges.count)
        for edge in edges {
            let node = ends[edge]!
            sorted[next[node]] = edge
            next[node] += 1
        }
        return (sorted, starts)
    }

    /// Which of the nodes lead to one of `targets`, the targets themselves among them.
    func nodesLeading(to targets: some Sequence<Int>) -> [Bool] {
        var leads = [Bool](repeating: false, count: nodeCount)
        var pending: [Int] = []
        for target in targets where !leads[target] {
            leads[target] = true
            pending.append(target)
        }
        while let node = pending.popLast() {
            for edge in edges(into: node) {
                let source = sources[edge]!
                if !leads[source] {
                    leads[source] = true
                    pending.append(source)
                }
            }
        }
        return leads
    }
}

extension GraphSnapshot {
    /// From a node's id to its position. Costs nothing where ids are positions, as they are in every snapshot of a live
    /// graph.
    var positionOfNode: (Int) -> Int {
        if nodes.indices.allSatisfy({ nodes[$0].id == $0 }) { return { $0 } }
        let positions = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.id, $0) })
        return { positions[$0]! }
    }
}
