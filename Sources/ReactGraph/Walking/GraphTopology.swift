/// The edges of a snapshot by position rather than id, so that questions about large graphs take linear time.
struct GraphTopology {
    /// The positions of each edge's ends.
    let sources: [Int?]
    let destinations: [Int?]
    /// The edges with two ends, by source and by destination, in the order of the snapshot.
    private(set) var outgoing: [[Int]], incoming: [[Int]]
    var nodeCount: Int { outgoing.count }

    /// Leaves out the edges for which `isPresent`, called with their position, returns false.
    init(_ graph: GraphSnapshot, where isPresent: (Int) -> Bool = { _ in true }) {
        let position = graph.positionOfNode
        sources = graph.edges.map { $0.from.map(position) }
        destinations = graph.edges.map { $0.to.map(position) }
        outgoing = Array(repeating: [], count: graph.nodes.count)
        incoming = outgoing
        for edge in graph.edges.indices {
            guard let source = sources[edge], let destination = destinations[edge], isPresent(edge) else { continue }
            outgoing[source].append(edge)
            incoming[destination].append(edge)
        }
    }

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
        let edges = incoming[node].filter { graph.edges[$0].inputCount != nil }
        guard let first = edges.first, let inputCount = graph.edges[first].inputCount else { return nil }
        return Combination(operatorName: graph.edges[first].name, inputCount: inputCount, edges: edges)
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
