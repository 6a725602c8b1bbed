import ReactCore
import Synchronization

/// Registers the nodes and edges that records name by serial number: their names, and the places that made them.
///
/// While something records, a node or an edge is entered when it is made, linked or first recorded, and marked as
/// entered (`Vertex.isKnown`, `AnyEdge.knownTo`). A marked object is taken out before its memory goes. So under the
/// lock of its register, every object that is entered and not taken out is still in memory.
///
/// Lock order: an edge's lock, one of these locks, a vertex's lock. The lock of `Recorders` comes before these, too; no
/// lock of an edge is taken under them.
enum ObjectRegistry {
    protocol Kept: Sendable {
        var serial: UInt { get }
        var thread: UInt64 { get }
    }
    struct Node: Kept {
        let serial: UInt
        /// The address of the object, which may have gone. It finds the object while that exists.
        let address: UInt
        let type: Any.Type
        let site: CallSite?
        /// The time when it was made; 0 if that was before anything recorded.
        let made: UInt64
        /// The thread that made or recorded it first.
        let thread: UInt64
        var name: String?
        /// True if the value of a node that has gone must not be shown: the node was redacted, or the value came from a
        /// redacted node. A node that exists is asked itself.
        var wasRedacted = false
        /// The node; `nil` once it has gone.
        var node: AnyNode?
    }
    struct Edge: Kept {
        let serial: UInt
        /// The address of the object, which may have gone. It finds the object while that exists.
        let address: UInt
        let site: CallSite?
        let made: UInt64
        let thread: UInt64
        var name: String
        let isListening: Bool
        /// The number of inputs of the combination or zip that the edge belongs to; `nil` for other operators.
        let inputCount: Int?
        /// True if values wait at the edge for a partner.
        let isWaiting: Bool
        var listenerType: Any.Type?
        /// The name of the listener's lifetime when it was last read.
        fileprivate(set) var listenerName: String?
        /// The serial numbers of the nodes at the edge's ends when these were last read.
        var source: UInt = 0
        var target: UInt = 0
        /// The edge; `nil` once it has gone.
        var edge: AnyEdge?
    }
    /// The largest number of nodes that are still known after they have gone, and of such edges. Tests lower it.
    static let goneLimit = Atomic(50_000)
    /// Stores the objects that exist, by serial number, and those that have gone, oldest first, up to a limit. A
    /// program may make and drop nodes without end.
    struct Register<Known: Kept> {
        var there: [UInt: Known] = [:]
        private var gone = Queue<Known>()

        /// Moves an object that is about to go into `gone`, completed by `note`. Drops it if no recorder exists that
        /// may have it on record.
        mutating func leave(_ serial: UInt, _ note: (inout Known) -> Void) {
            guard var known = there.removeValue(forKey: serial), Recorders.isKept else { return }
            note(&known)
            gone.append(known)
            if gone.count > ObjectRegistry.goneLimit.load(ordering: .relaxed) { _ = gone.popFirst() }
        }
        mutating func forgetGone() { gone = Queue() }
        /// Returns the objects with `serials`, if given, that `thread` made, if given. Calls `find` for each of them
        /// that exists. With `serials`, other objects are not visited, because there may be millions.
        func wanted(_ serials: Set<UInt>?, by thread: UInt64?, _ find: (inout Known) -> Void) -> [Known] {
            func isWanted(_ known: Known) -> Bool {
                (serials?.contains(known.serial) ?? true) && (thread == nil || thread == known.thread)
            }
            var present = serials?.compactMap { there[$0] } ?? Array(there.values)
            present = present.filter(isWanted)
            for place in present.indices { find(&present[place]) }
            return gone.elements.filter(isWanted) + present
        }
    }
    // Objects are entered and found under these locks.
    static let nodes = Lock(Register<Node>()), edges = Lock(Register<Edge>())

    // MARK: Entering

    /// Enters a vertex, unless it is entered or its node has gone.
    static func enter(_ vertex: Vertex) {
        if !vertex.isKnown { enter(vertex, isNew: false) }
    }
    /// Enters a vertex. If `isNew` is false, does so only if it is not yet entered and its node has not gone.
    static func enter(_ vertex: Vertex, isNew: Bool) {
        let serial = vertex.serial
        let site = isNew ? Recorders.site() : nil
        let made = isNew ? Recorders.now : 0
        let thread = Engine.current.thread
        nodes.withLock { nodes in
            if isNew { vertex.becomeKnown() } else if !vertex.tryBecomeKnown() { return }
            nodes.there[serial] = Node(
                serial: serial, address: vertex.address, type: vertex.valueType, site: site, made: made, thread: thread)
        }
    }
    /// Enters an edge and its ends, unless that was done since the last recorder began. `source` is the vertex that
    /// called the edge, if one did. No lock is held.
    static func enter(_ edge: AnyEdge, from source: Vertex? = nil) {
        guard edge.knownTo != Recorders.era else { return }
        let listener = edge.leadsToListener ? edge.currentDestination : nil
        enter(edge, isNew: false, leadingTo: listener.map { type(of: $0) })
        withExtendedLifetime(listener) {}
        let (origin, target) = edge.vertices
        if let source = source ?? origin { enter(source) }
        if let target { enter(target) }
    }
    /// Enters an edge without its ends. Its lock is held. `listenerType` is `nil` if the edge leads to no listener, or
    /// the listener's type is not known now.
    static func enter(_ edge: AnyEdge, isNew: Bool, leadingTo listenerType: Any.Type?) {
        let era = Recorders.era
        guard edge.knownTo != era else { return }
        let serial = edge.serial
        let site = isNew ? Recorders.site() : nil
        let made = isNew ? Recorders.now : 0
        let thread = Engine.current.thread
        edges.withLock { edges in
            let isKnown = edge.becomeKnown(to: era)
            if !isKnown || edges.there[serial] == nil {
                let transform = edge as? AnyTransform
                edges.there[serial] = Edge(
                    serial: serial, address: UInt(bitPattern: Unmanaged.passUnretained(edge).toOpaque()), site: site,
                    made: made, thread: thread, name: "", isListening: edge.leadsToListener,
                    inputCount: transform?.inputCount, isWaiting: transform?.waitingCount != nil,
                    listenerType: listenerType)
            } else if let listenerType {
                edges.there[serial]?.listenerType = listenerType
            }
        }
    }

    // MARK: Leaving

    /// Forgets the objects that have gone. Called when the last recorder has gone, because then nothing is on record.
    static func forgetGone() {
        nodes.withLock { $0.forgetGone() }
        edges.withLock { $0.forgetGone() }
    }

    // MARK: Finding

    /// Returns the nodes and edges in the order of their serial numbers: those with the given serial numbers, if given,
    /// that `thread` made, if given. Retains those that still exist.
    static func known(_ serials: Set<UInt>? = nil, by thread: UInt64? = nil) -> (nodes: [Node], edges: [Edge]) {
        var nodes = nodes.withLock { nodes in
            nodes.wanted(serials, by: thread) {
                $0.node = Unmanaged<Vertex>.at($0.address)._withUnsafeGuaranteedRef(\.handle)
            }
        }
        var edges = edges.withLock { edges in
            edges.wanted(serials, by: thread) { $0.edge = Unmanaged<AnyEdge>.at($0.address).whileAlive }
        }
        nodes.sort { $0.serial < $1.serial }
        edges.sort { $0.serial < $1.serial }
        for place in nodes.indices {
            if let node = nodes[place].node { nodes[place].name = node.name }
        }
        for place in edges.indices {
            guard let edge = edges[place].edge else { continue }
            edges[place].name = edge.name
            edges[place].source = edge.source?.serial ?? 0
            let destination = edge.destination
            edges[place].target = (destination as? AnyNode)?.serial ?? 0
            if edges[place].isListening { edges[place].listenerName = (destination as? any Listener)?.lifetime.name }
        }
        return (nodes, edges)
    }
}

extension Unmanaged {
    /// Returns a reference to the object at `address`. Precondition: the object's memory is still there.
    fileprivate static func at(_ address: UInt) -> Unmanaged {
        .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
    }
}
