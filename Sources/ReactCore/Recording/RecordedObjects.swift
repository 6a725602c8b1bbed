import Synchronization

/// The nodes and edges that records name: what was where, and when; what they are called, and where they were made.
///
/// A node or an edge is entered when it is made, linked or first recorded while something records, and marked so (`Vertex.isKnown`,
/// `AnyEdge.knownTo`); one that is marked says so when it goes, before its memory does.
/// So under the lock, whatever is entered and has not gone is still there.
///
/// Order of locks: an edge's, this one, a vertex's.
package enum RecordedObjects {
    package struct Node: Sendable {
        package let id: Int
        package let type: Any.Type
        package let site: (any Sendable)?
        /// When it was made; 0 where that was before anyone recorded.
        package let made: UInt64
        /// The thread that made or recorded it first.
        package let thread: UInt64
        package fileprivate(set) var gone: UInt64 = .max
        package fileprivate(set) var name: String?
        /// Whether its value must not be shown; of one that is still there, the node itself tells.
        package fileprivate(set) var wasRedacted = false
        /// `nil` once it has gone.
        package fileprivate(set) var node: AnyNode?
    }
    package struct Edge: Sendable {
        package let id: Int
        package let site: (any Sendable)?
        package let made: UInt64
        package let thread: UInt64
        package fileprivate(set) var gone: UInt64 = .max
        package fileprivate(set) var name: String
        package let isListening: Bool
        package fileprivate(set) var listenerType: Any.Type?
        /// The ends when it was last looked at: addresses of vertices.
        package fileprivate(set) var source: UInt = 0
        package fileprivate(set) var target: UInt = 0
        package fileprivate(set) var edge: AnyEdge?
    }
    private struct State: @unchecked Sendable {
        var nodes: [UInt: Node] = [:]
        var edges: [UInt: Edge] = [:]
        var goneNodes: [UInt: [Node]] = [:]
        var goneEdges: [UInt: [Edge]] = [:]
        /// What has gone, oldest first: an address, and whether it was an edge's.
        var gone = Queue<(address: UInt, isEdge: Bool)>()
        var lastID = 0

        mutating func nextID() -> Int {
            lastID += 1
            return lastID
        }
        /// Keeps in mind what has gone, up to a limit: a program may make and drop nodes for ever.
        mutating func note(gone address: UInt, isEdge: Bool) {
            gone.append((address, isEdge))
            guard gone.count > RecordedObjects.limit, let (oldest, isEdge) = gone.popFirst() else { return }
            if isEdge {
                goneEdges[oldest]?.removeFirst()
                if goneEdges[oldest]?.isEmpty == true { goneEdges[oldest] = nil }
            } else {
                goneNodes[oldest]?.removeFirst()
                if goneNodes[oldest]?.isEmpty == true { goneNodes[oldest] = nil }
            }
        }
    }
    private static let state = Lock(State())
    /// How many that have gone are remembered.
    private static let limit = 100_000

    // MARK: Entering

    /// Enters a node that is being made.
    @inline(never) static func made(_ node: AnyNode) {
        enter(node.vertex, made: Recording.now, site: Recording.site())
    }
    /// Enters a vertex, unless that was done, or its node has gone.
    static func enter(_ vertex: Vertex) {
        if !vertex.isKnown { enter(vertex, made: 0, site: nil) }
    }
    private static func enter(_ vertex: Vertex, made: UInt64, site: (any Sendable)?) {
        let thread = Propagation.current.thread
        state.withLock { state in
            guard vertex.markKnown() else { return }
            state.nodes[vertex.address] = Node(
                id: state.nextID(), type: vertex.valueType, site: site, made: made, thread: thread)
        }
    }
    /// Enters an edge and its ends, unless that was done since the last recorder began.
    static func enter(_ edge: AnyEdge) {
        guard edge.knownTo.load(ordering: .relaxed) != Recording.generation else { return }
        let listener = edge.leadsToListener ? edge.currentDestination : nil
        enter(edge, isNew: false, leadingTo: listener.map { type(of: $0) })
        withExtendedLifetime(listener) {}
    }
    /// The same for those who hold the edge's lock.
    static func enter(_ edge: AnyEdge, isNew: Bool, leadingTo listenerType: Any.Type?) {
        let generation = Recording.generation
        guard edge.knownTo.load(ordering: .relaxed) != generation else { return }
        let site = isNew ? Recording.site() : nil
        let made = isNew ? Recording.now : 0
        let thread = Propagation.current.thread
        state.withLock { state in
            let isKnown = edge.knownTo.exchange(generation, ordering: .relaxed) != 0
            let address = edge.recordAddress
            if !isKnown || state.edges[address] == nil {
                state.edges[address] = Edge(
                    id: state.nextID(), site: site, made: made, thread: thread, name: "",
                    isListening: edge.leadsToListener,
                    listenerType: listenerType)
            } else if let listenerType {
                state.edges[address]?.listenerType = listenerType
            }
        }
    }

    // MARK: Leaving

    @inline(never) static func left(_ vertex: Vertex, named name: String?, isRedacted: Bool) {
        state.withLock { state in
            guard var node = state.nodes.removeValue(forKey: vertex.address), Recording.isOn else { return }
            node.gone = Recording.now
            node.name = name
            node.wasRedacted = isRedacted
            state.goneNodes[vertex.address, default: []].append(node)
            state.note(gone: vertex.address, isEdge: false)
        }
    }
    @inline(never) static func left(_ edge: AnyEdge, named name: String) {
        let address = edge.recordAddress
        state.withLock { state in
            guard var known = state.edges.removeValue(forKey: address), Recording.isOn else { return }
            known.gone = Recording.now
            known.name = name
            state.goneEdges[address, default: []].append(known)
            state.note(gone: address, isEdge: true)
        }
    }
    /// Forgets what has gone: nothing is on record any more.
    static func forgetGone() {
        state.withLock {
            $0.goneNodes = [:]
            $0.goneEdges = [:]
            $0.gone = Queue()
        }
    }

    // MARK: Asking

    /// What is known of those nodes and edges that are wanted: by address, those that have gone first, oldest first.
    /// It holds those that are still there.
    package static func known(
        _ wantsNode: (UInt, Node) -> Bool, _ wantsEdge: (UInt, Edge) -> Bool
    ) -> (nodes: [UInt: [Node]], edges: [UInt: [Edge]]) {
        var nodes: [UInt: [Node]] = [:], edges: [UInt: [Edge]] = [:]
        state.withLock { state in
            for (address, gone) in state.goneNodes {
                let wanted = gone.filter { wantsNode(address, $0) }
                if !wanted.isEmpty { nodes[address] = wanted }
            }
            for (address, gone) in state.goneEdges {
                let wanted = gone.filter { wantsEdge(address, $0) }
                if !wanted.isEmpty { edges[address] = wanted }
            }
            for (address, known) in state.nodes where wantsNode(address, known) {
                var known = known
                known.node = Vertex.at(address).handle
                nodes[address, default: []].append(known)
            }
            for (address, known) in state.edges where wantsEdge(address, known) {
                var known = known
                known.edge = AnyEdge.at(address).whileAlive
                edges[address, default: []].append(known)
            }
        }
        for (address, known) in nodes {
            guard let last = known.last, let node = last.node else { continue }
            nodes[address]![known.count - 1].name = node.name
        }
        for (address, known) in edges {
            guard let last = known.last, let edge = last.edge else { continue }
            let place = known.count - 1
            edges[address]![place].name = edge.name
            edges[address]![place].source = edge.source?.vertex.address ?? 0
            edges[address]![place].target = (edge.destination as? AnyNode)?.vertex.address ?? 0
        }
        return (nodes, edges)
    }
}

extension Vertex {
    final var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
    /// Precondition: the vertex is still there.
    fileprivate static func at(_ address: UInt) -> Vertex {
        Unmanaged<Vertex>.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped).takeUnretainedValue()
    }
}
extension AnyEdge {
    fileprivate static func at(_ address: UInt) -> Unmanaged<AnyEdge> {
        .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
    }
}
extension AnyEdge {
    /// What records name the edge by.
    package final var recordAddress: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
}
extension AnyNode {
    /// What records name the node by.
    package final var recordAddress: UInt { vertex.address }
}
