/// The edges of a snapshot by position rather than id, in flat arrays, so that questions about large graphs take linear
/// time.
struct GraphTopology {
    let nodeCount: Int
    /// The positions of each edge's ends.
    let sources: [Int?]
    let destinations: [Int?]

    /// The edges with two ends, sorted by source, and the place in that list where each node's edges begin. `incoming`
    /// and `incomingStart` are sorted by destination.
    private let outgoing: [Int]
    private let outgoingStart: [Int]
    private let incoming: [Int]
    private let incomingStart: [Int]

    /// Leaves out the edges for which `isPresent`, called with their position, returns false.
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

    /// Returns the edges from a node to other nodes, in the order of the snapshot.
    func edges(outOf node: Int) -> ArraySlice<Int> { outgoing[outgoingStart[node]..<outgoingStart[node + 1]] }
    /// Returns the edges to a node from other nodes, in the order of the snapshot.
    func edges(into node: Int) -> ArraySlice<Int> { incoming[incomingStart[node]..<incomingStart[node + 1]] }

    /// The inputs of a combination.
    struct Combination {
        let operatorName: String
        /// The number of inputs with which the combination was made.
        let inputCount: Int
        /// The edges of the inputs that are left.
        let edges: [Int]

        var lostCount: Int { max(0, inputCount - edges.count) }
    }

    /// Tells of lost inputs in a sentence whose subject is the combination.
    static func lost(_ count: Int, of inputs: Int) -> String {
        "was made of \(inputs) inputs and has lost \(count) of them, so it does not change any more"
    }
    /// Returns the combination or zip that leads to the node; `nil` if there is none. A combination that has lost every
    /// input looks like any node.
    func combination(at node: Int, in graph: GraphSnapshot) -> Combination? {
        let edges = edges(into: node).filter { graph.edges[$0].inputCount != nil }
        guard let first = edges.first, let inputCount = graph.edges[first].inputCount else { return nil }
        return Combination(operatorName: graph.edges[first].name, inputCount: inputCount, edges: edges)
    }

    /// Sorts the edges by their end, with a counting sort, which keeps the order of the edges of one node.
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
}

extension GraphSnapshot {
    /// Returns a node's position for its id. Ids are positions in every snapshot of a live graph, and then no
    /// dictionary is needed.
    var positionOfNode: (Int) -> Int {
        if nodes.indices.allSatisfy({ nodes[$0].id == $0 }) { return { $0 } }
        let positions = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.id, $0) })
        return { positions[$0]! }
    }
}
