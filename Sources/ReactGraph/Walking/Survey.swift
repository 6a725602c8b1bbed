import ReactCore

/// The parts of a graph, in the order of a walk. The nodes are described last, when all edges are known, because edges
/// decide which values are redacted.
struct Survey<Graph: WalkedGraph> {
    private(set) var nodes: [Graph.Node] = []
    private var depths: [Int] = []
    /// The edges that are described in `edges`.
    private(set) var walked: [Graph.Edge] = []
    private(set) var edges: [GraphSnapshot.Edge] = []
    private var listeners: [GraphSnapshot.Listener] = []
    private var listenings: [GraphSnapshot.Listening] = []
    private var listenerCounts: [Int] = []

    /// Identifies a listener by its address and its type. The type is there because another listener may get the
    /// address of one that dies during the walk. Listeners are not retained, because the last release of some would
    /// then run on this thread.
    private struct Key: Hashable { let object: ObjectIdentifier, type: ObjectIdentifier }
    private var ids: [Key: Int] = [:]

    init(of graph: Graph, from starts: [Graph.Node]) {
        var walk = GraphWalk(graph, from: starts)
        while let step = walk.next() {
            switch step {
            case .node(let node, let depth):
                let known = graph.listenings(of: node)
                for (name, listener, type) in known { add(listener, type, by: name, to: depths.count) }
                listenerCounts.append(known.count)
                depths.append(depth)
            case .edge(let edge, let from, let to):
                guard let described = graph.described(edge, from: from, to: to) else { continue }
                edges.append(described)
                walked.append(edge)
            }
        }
        nodes = walk.nodes
    }
    private mutating func add(_ listener: AnyObject?, _ type: Any.Type, by edgeName: String, to node: Int) {
        let key = listener.map { Key(object: ObjectIdentifier($0), type: ObjectIdentifier(type)) }
        let id = key.flatMap { ids[$0] } ?? listeners.count
        if id == listeners.count {
            if let key { ids[key] = id }
            let name = (listener as? any Listener)?.lifetime.name
            listeners.append(GraphSnapshot.Listener(id: id, type: String(describing: type), name: name))
        }
        let name = edgeName == "Listen" ? nil : edgeName
        listenings.append(GraphSnapshot.Listening(name: name, node: node, listener: id))
    }

    /// Returns the snapshot. `describe` returns the properties of the node at a position.
    func snapshot(
        origins: [NodeOrigin]?, _ describe: (Int) -> (name: String?, type: Any.Type, value: String?, isMutable: Bool)
    ) -> GraphSnapshot {
        GraphSnapshot(
            nodes: nodes.indices.map { id in
                let (name, type, value, isMutable) = describe(id)
                return GraphSnapshot.Node(
                    id: id, name: name, valueType: String(describing: type), value: value, isMutable: isMutable,
                    depth: depths[id], listenerCount: listenerCounts[id])
            },
            edges: edges, listeners: listeners, listenings: listenings, origins: origins)
    }
}
