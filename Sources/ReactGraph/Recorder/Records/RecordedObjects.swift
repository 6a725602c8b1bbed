import ReactCore

/// The nodes and edges that records name: what was where, and when; what they are called, and where they were made.
///
/// A node or an edge is entered when it is made, linked or first recorded while something records, and marked so (`Vertex.isKnown`,
/// `AnyEdge.knownTo`); one that is marked says so when it goes, before its memory does.
/// So under the lock, whatever is entered and has not gone is still there.
///
/// Order of locks: an edge's, this one, a vertex's; and before this one that of `Recording`, under which nobody takes an edge's.
package enum RecordedObjects {
    protocol Kept: Sendable {
        var address: UInt { get }
        var thread: UInt64 { get }
    }
    package struct Node: Kept {
        package let id: Int
        package let address: UInt
        package let type: Any.Type
        package let site: (any Sendable)?
        /// When it was made; 0 where that was before anyone recorded.
        package let made: UInt64
        /// The thread that made or recorded it first.
        package let thread: UInt64
        package fileprivate(set) var gone: UInt64 = .max
        package internal(set) var name: String?
        /// Whether its value must not be shown, its own or what came from another; of one that is still there, the node itself tells.
        package fileprivate(set) var wasRedacted = false
        /// The node itself, unless it has gone.
        var object: (any AnyObject & Sendable)?
    }
    package struct Edge: Kept {
        package let id: Int
        package let address: UInt
        package let site: (any Sendable)?
        package let made: UInt64
        package let thread: UInt64
        package fileprivate(set) var gone: UInt64 = .max
        package internal(set) var name: String
        package let isListening: Bool
        package internal(set) var listenerType: Any.Type?
        /// The ends when it was last looked at: addresses of vertices.
        package internal(set) var source: UInt = 0
        package internal(set) var target: UInt = 0
        /// The edge itself, unless it has gone.
        var object: (any AnyObject & Sendable)?
    }
    struct State {
        var nodes = Register<Node>()
        var edges = Register<Edge>()
        var lastID = 0

        mutating func nextID() -> Int {
            lastID += 1
            return lastID
        }
    }
    /// What is there, by address; and what has gone, oldest first, up to a limit: a program may make and drop nodes for ever.
    struct Register<Known: Kept> {
        var there: [UInt: Known] = [:]
        private var gone = Queue<Known>()
        private static var limit: Int { 50_000 }

        /// What was at `address` goes; `note` says of it what is known now.
        mutating func leave(_ address: UInt, _ note: (inout Known) -> Void) {
            guard var known = there.removeValue(forKey: address), Recording.isOn else { return }
            note(&known)
            gone.append(known)
            if gone.count > Self.limit { _ = gone.popFirst() }
        }
        mutating func forgetGone() { gone = Queue() }
        /// Those at `addresses`, if these are given, that the thread has made, if one is given. `find` is called for each that is there:
        /// what else is there may be millions, and is not gone through where there are addresses.
        func wanted(at addresses: Set<UInt>?, by thread: UInt64?, _ find: (inout Known) -> Void) -> [Known] {
            func isWanted(_ known: Known) -> Bool {
                (addresses?.contains(known.address) ?? true) && (thread == nil || thread == known.thread)
            }
            var present = addresses?.compactMap { there[$0] } ?? Array(there.values)
            present = present.filter(isWanted)
            for place in present.indices { find(&present[place]) }
            return gone.elements.filter(isWanted) + present
        }
    }
    /// Reached by those who know nodes and edges as well: they enter these, and find them, under the lock.
    static let state = Lock(State())

    // MARK: Entering

    /// Enters a node, or one that is being made, unless `mark`, called under the lock, finds that done.
    static func enter(node address: UInt, _ type: Any.Type, isNew: Bool = false, if mark: () -> Bool) {
        let site = isNew ? Recording.site() : nil
        let made = isNew ? Recording.now : 0
        let thread = Propagation.current.thread
        state.withLock { state in
            guard mark() else { return }
            state.nodes.there[address] = Node(
                id: state.nextID(), address: address, type: type, site: site, made: made, thread: thread)
        }
    }
    /// Enters a vertex, unless that was done, or its node has gone.
    static func enter(_ vertex: Vertex) {
        if !vertex.isKnown { enter(node: vertex.address, vertex.valueType) { vertex.markKnown() } }
    }
    /// Enters an edge and its ends, unless that was done since the last recorder began; `source` is where its value came from, if it was
    /// called with one. No lock is held.
    static func enter(_ edge: AnyEdge, from source: Vertex? = nil) {
        guard edge.knownTo != Recording.generation else { return }
        let listener = edge.leadsToListener ? edge.currentDestination : nil
        enter(edge, isNew: false, leadingTo: listener.map { type(of: $0) })
        withExtendedLifetime(listener) {}
        let (origin, target) = edge.vertices
        if let source = source ?? origin { enter(source) }
        if let target { enter(target) }
    }
    /// Enters an edge without its ends. Its lock is held. One that leads to a listener has a type of that now and then.
    static func enter(_ edge: AnyEdge, isNew: Bool, leadingTo listenerType: Any.Type?) {
        let generation = Recording.generation
        guard edge.knownTo != generation else { return }
        let address = edge.recordAddress
        let site = isNew ? Recording.site() : nil
        let made = isNew ? Recording.now : 0
        let thread = Propagation.current.thread
        state.withLock { state in
            let isKnown = edge.becomeKnown(to: generation)
            if !isKnown || state.edges.there[address] == nil {
                state.edges.there[address] = Edge(
                    id: state.nextID(), address: address, site: site, made: made, thread: thread, name: "",
                    isListening: edge.leadsToListener, listenerType: listenerType)
            } else if let listenerType {
                state.edges.there[address]?.listenerType = listenerType
            }
        }
    }

    // MARK: Leaving

    @inline(never) static func left(node address: UInt, named name: String?, isRedacted: Bool) {
        state.withLock { state in
            state.nodes.leave(address) { node in
                node.gone = Recording.now
                node.name = name
                node.wasRedacted = isRedacted
            }
        }
    }
    @inline(never) static func left(edge address: UInt, named name: String) {
        state.withLock { state in
            state.edges.leave(address) { edge in
                edge.gone = Recording.now
                edge.name = name
            }
        }
    }
    /// Forgets what has gone: nothing is on record any more.
    static func forgetGone() {
        state.withLock {
            $0.nodes.forgetGone()
            $0.edges.forgetGone()
        }
    }
}

extension RecordedObjects {
    /// What is known of the nodes and edges that were at those addresses, or that the thread has made, or of all, in the order in which
    /// they came. It holds those that are still there.
    package static func known(
        nodesAt nodeAddresses: Set<UInt>? = nil, edgesAt edgeAddresses: Set<UInt>? = nil, by thread: UInt64? = nil
    ) -> (nodes: [Node], edges: [Edge]) {
        var (nodes, edges) = state.withLock { state in
            (
                state.nodes.wanted(at: nodeAddresses, by: thread) {
                    $0.object = Unmanaged<Vertex>.at($0.address)._withUnsafeGuaranteedRef(\.handle)
                },
                state.edges.wanted(at: edgeAddresses, by: thread) {
                    $0.object = Unmanaged<AnyEdge>.at($0.address).whileAlive
                }
            )
        }
        nodes.sort { $0.id < $1.id }
        edges.sort { $0.id < $1.id }
        for place in nodes.indices {
            if let node = nodes[place].node { nodes[place].name = node.name }
        }
        for place in edges.indices {
            guard let edge = edges[place].edge else { continue }
            edges[place].name = edge.name
            edges[place].source = edge.source?.vertex.address ?? 0
            edges[place].target = (edge.destination as? AnyNode)?.vertex.address ?? 0
        }
        return (nodes, edges)
    }
}

extension RecordedObjects.Node {
    /// `nil` once it has gone.
    package var node: AnyNode? { object.map { unsafeDowncast($0, to: AnyNode.self) } }
}
extension RecordedObjects.Edge {
    /// `nil` once it has gone.
    package var edge: AnyEdge? { object.map { unsafeDowncast($0, to: AnyEdge.self) } }
}

extension Unmanaged {
    /// Precondition: the object's memory is still there.
    fileprivate static func at(_ address: UInt) -> Unmanaged {
        .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
    }
}
