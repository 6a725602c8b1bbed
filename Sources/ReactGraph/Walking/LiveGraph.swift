import ReactCore

extension AnyNode {
    /// A snapshot of the connected graph.
    ///
    /// The walk is safe while other threads set, link and cut. Each node and each edge is as it was at some moment of
    /// the walk, and every end of every edge is a node of the snapshot or `nil`. The text of a value is its own
    /// `description`, so the walk may run the user's code.
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
    public init(of nodes: some Sequence<AnyNode>) {
        self = LiveGraph(around: Array(nodes)).snapshot
    }
}

extension GraphSnapshot {
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
        var recorder = Recorder()
        var walk = GraphWalk(PresentGraph(), from: starts)
        var transforms: [AnyTransform] = []
        while let step = walk.next() {
            switch step {
            case .node(let node, let depth):
                recorder.record(node, depth: depth)
            case .edge(let transform, nil, _) where transform.isPointedAbout: continue
            case .edge(let transform, let from, let to):
                recorder.record(transform, from: from, to: to)
                transforms.append(transform)
            }
        }
        snapshot = recorder.snapshot(of: walk.nodes)
        nodes = walk.nodes
        self.transforms = transforms
    }
}

private struct Recorder {
    private var depths: [Int] = []
    private var listenerCounts: [Int] = []
    private var isRedacted: [Bool] = []
    private var edges: [GraphSnapshot.Edge] = []
    private var passesOn: [Bool] = []
    private var listeners = ListenerList()
    private var typeNames: [ObjectIdentifier: String] = [:]

    /// Returns the snapshot. `nodes` are the recorded nodes, in order. Values are described last, when all edges are
    /// known, because edges decide which values are redacted.
    mutating func snapshot(of nodes: [AnyNode]) -> GraphSnapshot {
        let walk = RedactionWalk(among: nodes)
        isRedacted = nodes.map { walk?.isRedacted($0) ?? false }
        redactDownstream()
        return RedactionWalk.$current.withValue(walk) { described(nodes) }
    }
    private mutating func described(_ nodes: [AnyNode]) -> GraphSnapshot {
        GraphSnapshot(
            nodes: nodes.enumerated().map { id, node in
                GraphSnapshot.Node(
                    id: id, name: node.name, valueType: typeName(of: node.valueType),
                    value: node.valueDescription(isRedacted: isRedacted[id]), isMutable: node.isMutable,
                    depth: depths[id], listenerCount: listenerCounts[id])
            },
            edges: edges, listeners: listeners.listeners, listenings: listeners.listenings,
            origins: nodes.map(NodeOrigin.init))
    }

    mutating func record(_ node: AnyNode, depth: Int) {
        var count = 0
        for edge in node.listenEdges {
            guard let listener = edge.destination else { continue }
            count += 1
            let typeName = typeName(of: type(of: listener))
            listeners.add(listener, ofType: typeName, by: edge.name, to: depths.count)
        }
        listenerCounts.append(count)
        depths.append(depth)
    }

    mutating func record(_ transform: AnyTransform, from: Int?, to: Int?) {
        edges.append(
            GraphSnapshot.Edge(
                of: transform, name: transform.name, from: from, to: to, waitingCount: transform.waitingCount,
                inputCount: transform.inputCount))
        passesOn.append(transform.passesOn)
    }

    /// Redacts every value that may have come from a redacted node, also through edges that were cut during the
    /// snapshot.
    private mutating func redactDownstream() {
        var pending = isRedacted.indices.filter { isRedacted[$0] }
        guard !pending.isEmpty else { return }
        var destinations: [Int: [Int]] = [:]
        for (edge, passesOn) in zip(edges, passesOn) where passesOn {
            guard let source = edge.from, let destination = edge.to else { continue }
            destinations[source, default: []].append(destination)
        }
        while let node = pending.popLast() {
            for destination in destinations[node] ?? [] where !isRedacted[destination] {
                isRedacted[destination] = true
                pending.append(destination)
            }
        }
    }

    /// Returns the name of a type from a cache, because the runtime builds the name again at each call.
    private mutating func typeName(of type: Any.Type) -> String {
        let key = ObjectIdentifier(type)
        if let known = typeNames[key] { return known }
        let name = String(describing: type)
        typeNames[key] = name
        return name
    }
}
