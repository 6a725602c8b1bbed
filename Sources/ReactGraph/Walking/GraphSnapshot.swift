import ReactCore

/// A graph at one moment, as plain data. Nodes and edges are in the order of the walk.
///
/// Ids and order depend on the graph alone, so two runs of one program give equal snapshots.
///
///     let price = MutableNode(20).named("price")
///     let total = price.map { $0 * 3 }.named("total")
///     print(price.graph.nodes.map(\.value))       // [Optional("20"), Optional("60")]
///
/// **Invariants.** Node ids are distinct and not negative, and so are listener ids. Every end of an edge, and every
/// listening, names a node and a listener of this snapshot. Counts are not negative. The initialiser and decoding check
/// it.
public struct GraphSnapshot: Sendable {
    /// A node at the moment of the snapshot.
    public struct Node: Sendable, Codable, Equatable, Identifiable {
        /// The node's place in `nodes`.
        public let id: Int
        /// The node's name, if it has one.
        public let name: String?
        /// The type of its values, such as `Int`.
        public let valueType: String
        /// The value as text; `nil` if the node was empty. `redacted` stands in place of a value that is to stay
        /// secret.
        public let value: String?
        /// True if the node may be set from outside.
        public let isMutable: Bool
        /// The number of steps from the node that the walk began at: positive downstream, negative upstream.
        public let depth: Int
        /// The number of listen edges.
        public let listenerCount: Int

        /// Creates a node of a snapshot that is made by hand. Safe from any thread.
        public init(
            id: Int, name: String? = nil, valueType: String, value: String? = nil, isMutable: Bool = false,
            depth: Int = 0, listenerCount: Int = 0
        ) {
            (self.id, self.name, self.valueType, self.value) = (id, name, valueType, value)
            (self.isMutable, self.depth, self.listenerCount) = (isMutable, depth, listenerCount)
        }
    }

    /// A transform. An end that is not connected is `nil`.
    public struct Edge: Sendable, Codable, Equatable {
        /// The operator's name.
        public let name: String
        /// The node that the edge comes from; `nil` if that end is not connected.
        public let from: Int?
        /// The node that the edge leads to; `nil` if that end is not connected.
        public let to: Int?
        /// The number of values that wait at this edge for a partner; `nil` for operators at which values never wait.
        public let waitingCount: Int?
        /// The number of inputs with which the edge's combination or zip was made; `nil` for other operators.
        public let inputCount: Int?
        /// What the operator has to do with values on their way; `nil` for most operators.
        let waiting: Waiting?
        enum Waiting: String, Codable { case passesLater, asks }

        /// Creates an edge of a snapshot that is made by hand. Safe from any thread.
        public init(name: String, from: Int?, to: Int?, waitingCount: Int? = nil, inputCount: Int? = nil) {
            self.init(of: nil, name: name, from: from, to: to, waitingCount: waitingCount, inputCount: inputCount)
        }
        /// Creates an edge of a snapshot that is taken of `transform`, unless that is gone.
        init(of transform: AnyTransform?, name: String, from: Int?, to: Int?, waitingCount: Int?, inputCount: Int?) {
            (self.name, self.from, self.to) = (name, from, to)
            (self.waitingCount, self.inputCount) = (waitingCount, inputCount)
            let facts = transform?.facts ?? []
            waiting = facts.contains(.passesLater) ? .passesLater : facts.contains(.asksForWaiting) ? .asks : nil
        }
    }

    /// An object that listens to nodes of the graph. A snapshot has it once, even if it listens to several nodes.
    public struct Listener: Sendable, Codable, Equatable, Identifiable {
        /// The listener's place in `listeners`.
        public let id: Int
        /// The type of the object.
        public let type: String
        /// The name of its lifetime, if that has one.
        public let name: String?

        /// Creates a listener of a snapshot that is made by hand. Safe from any thread.
        public init(id: Int, type: String, name: String? = nil) { (self.id, self.type, self.name) = (id, type, name) }
    }

    /// A listen edge.
    public struct Listening: Sendable, Codable, Equatable {
        /// The edge's name; `nil` if it is "Listen", the name that every listen edge begins with.
        public let name: String?
        /// The id of the node.
        public let node: Int
        /// The id of the listener.
        public let listener: Int

        /// Creates a listening of a snapshot that is made by hand. Safe from any thread.
        public init(name: String? = nil, node: Int, listener: Int) {
            (self.name, self.node, self.listener) = (name, node, listener)
        }
    }

    /// The nodes, in the order of the walk.
    public let nodes: [Node]
    /// The transforms, in the order of the walk.
    public let edges: [Edge]
    /// The listeners that are alive, in the order of the walk.
    public let listeners: [Listener]
    /// The pairs of listener and node, in the order of the walk.
    public let listenings: [Listening]

    /// The live node of each of `nodes`, for `diff`; `nil` if the snapshot was not taken from this process. Origins are
    /// no part of the graph and differ from run to run, so they are neither compared nor encoded.
    let origins: [NodeOrigin]?

    /// Creates a snapshot by hand. Safe from any thread.
    ///
    /// - Precondition: The invariants of the type hold. The message names the caller's `file` and `line`.
    public init(
        nodes: [Node], edges: [Edge] = [], listeners: [Listener] = [], listenings: [Listening] = [],
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(nodes: nodes, edges: edges, listeners: listeners, listenings: listenings, origins: nil)
        if let problem { misuse("This is no graph: \(problem)", file: file, line: line) }
    }

    /// Creates a snapshot without a check, for callers that keep the invariants by construction.
    init(nodes: [Node], edges: [Edge], listeners: [Listener], listenings: [Listening], origins: [NodeOrigin]?) {
        (self.nodes, self.edges, self.origins) = (nodes, edges, origins)
        (self.listeners, self.listenings) = (listeners, listenings)
    }

    /// The first broken invariant; `nil` if there is none.
    private var problem: String? {
        var nodeIDs: Set<Int> = []
        for node in nodes where node.id < 0 || !nodeIDs.insert(node.id).inserted {
            return "the node id \(node.id) is negative or taken twice."
        }
        var listenerIDs: Set<Int> = []
        for listener in listeners where listener.id < 0 || !listenerIDs.insert(listener.id).inserted {
            return "the listener id \(listener.id) is negative or taken twice."
        }
        for (index, edge) in edges.enumerated() {
            if edge.inputCount ?? 0 < 0 || edge.waitingCount ?? 0 < 0 { return "edge \(index) has a negative count." }
            for end in [edge.from, edge.to] {
                if let end, !nodeIDs.contains(end) { return "edge \(index) ends at node \(end), which does not exist." }
            }
        }
        for listening in listenings
        where !nodeIDs.contains(listening.node) || !listenerIDs.contains(listening.listener) {
            return "listener \(listening.listener) listens to node \(listening.node): one of them does not exist."
        }
        return nil
    }
}

extension GraphSnapshot: Equatable {
    /// Returns true if both show the same graph. The identity of the nodes in the process does not matter.
    public static func == (lhs: GraphSnapshot, rhs: GraphSnapshot) -> Bool {
        lhs.nodes == rhs.nodes && lhs.edges == rhs.edges
            && lhs.listeners == rhs.listeners && lhs.listenings == rhs.listenings
    }
}

extension GraphSnapshot: CustomReflectable {
    /// The nodes, edges, listeners and listenings, for `print`, `dump` and debuggers. The live nodes are left out,
    /// because they have newer values.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "nodes": nodes, "edges": edges, "listeners": listeners, "listenings": listenings,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}

extension GraphSnapshot: Codable {
    private enum CodingKeys: CodingKey { case nodes, edges, listeners, listenings }

    /// Decodes a snapshot. Listeners may be left out. Throws `DecodingError.dataCorrupted` if the invariants are
    /// broken. Safe from any thread.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            nodes: try container.decode([Node].self, forKey: .nodes),
            edges: try container.decode([Edge].self, forKey: .edges),
            listeners: try container.decodeIfPresent([Listener].self, forKey: .listeners) ?? [],
            listenings: try container.decodeIfPresent([Listening].self, forKey: .listenings) ?? [], origins: nil)
        if let problem {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "This is no graph: \(problem)"))
        }
    }

    /// Encodes nodes, edges, listeners and listenings, but not the live nodes that they were taken from. Safe from any
    /// thread.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(nodes, forKey: .nodes)
        try container.encode(edges, forKey: .edges)
        try container.encode(listeners, forKey: .listeners)
        try container.encode(listenings, forKey: .listenings)
    }
}
