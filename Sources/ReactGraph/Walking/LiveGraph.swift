import ReactCore

extension AnyNode {
    /// A snapshot of the connected graph.
    ///
    /// The walk is safe while other threads set, link and cut. Each node and each edge is as it was at some moment of
    /// the walk, and every end of every edge is a node of the snapshot or `nil`. The text of a value is its
    /// ``ReactCore/AnyNode/journalText``, so the walk may run the user's code.
    ///
    ///     let price = MutableNode(20).named("price")
    ///     let double = price.map { $0 * 2 }.named("double")
    ///     print(double.graph.edges[0].name)       // Map
    ///
    /// - Complexity: O(nodes + edges + listeners). Never recurses.
    public var graph: GraphSnapshot { LiveGraph(around: [self]).snapshot }
}

extension GraphSnapshot {
    /// Creates a snapshot of all graphs that `nodes` belong to, one after the other, each once. It is for programs
    /// whose nodes are not all connected. Safe from any thread.
    ///
    /// In each graph, depths count from the first of `nodes`. Safety and cost are those of `AnyNode.graph`.
    ///
    ///     let one = MutableNode(1), other = MutableNode(2)
    ///     print(GraphSnapshot(of: [one, other]).nodes.count)      // 2
    public init(of nodes: some Sequence<AnyNode>) { self = LiveGraph(around: Array(nodes)).snapshot }

    /// Returns true if no value of the edge is ready for its operator. The operator may still have the value from
    /// before the source was emptied. `transforms` are the live edges of the snapshot; `nil` if it is alone.
    func misses(_ edge: Int, _ transforms: [AnyTransform]?) -> Bool {
        edges[edge].waitingCount.map { $0 == 0 } ?? transforms?[edge].missesValue ?? true
    }
}

/// A snapshot, with the live nodes and edges that it was taken from.
struct LiveGraph {
    let snapshot: GraphSnapshot
    /// The live nodes, in the order of the snapshot.
    let nodes: [AnyNode]
    /// The live edges, in the order of the snapshot.
    let transforms: [AnyTransform]

    init(around starts: [AnyNode]) {
        let survey = Survey(of: PresentGraph(), from: starts)
        (nodes, transforms) = (survey.nodes, survey.walked)
        let nodes = nodes, walk = RedactionWalk(among: nodes)
        let secrets = LiveGraph.secrets(from: nodes.indices.filter { walk?.isRedacted(nodes[$0]) ?? false }, survey)
        snapshot = RedactionWalk.$current.withValue(walk) {
            survey.snapshot(origins: nodes.map(NodeOrigin.init)) { place in
                let node = nodes[place], isSecret = secrets.contains(place)
                let value = ValueText.sorted { node.valueDescription(isRedacted: isSecret) }
                return (node.name, node.valueType, value, node.isMutable)
            }
        }
    }
    /// Returns the nodes whose values must not be shown: those that may have come from a redacted node, also through
    /// edges that were cut during the walk.
    private static func secrets(from redacted: [Int], _ survey: Survey<PresentGraph>) -> Set<Int> {
        guard !redacted.isEmpty else { return [] }
        var destinations: [Int: [Int]] = [:]
        for (edge, transform) in zip(survey.edges, survey.walked) where transform.passesOn {
            guard let source = edge.from, let destination = edge.to else { continue }
            destinations[source, default: []].append(destination)
        }
        return Set(reached(from: redacted) { destinations[$0] ?? [] })
    }
}
