import ReactCore
import Synchronization

/// Registers the nodes and edges that records name by their serial numbers: what they are called, and where they were made.
///
/// A node or an edge is entered when it is made, linked or first recorded while something records, and marked so (`Vertex.isKnown`,
/// `AnyEdge.knownTo`); one that is marked says so when it goes, before its memory does.
/// So under the lock, whatever is entered and has not gone is still there.
///
/// Order of locks: an edge's, this one, a vertex's; and before this one that of `Recorders`, under which nobody takes an edge's.
package enum ObjectRegistry {
    protocol Kept: Sendable {
        var serial: UInt { get }
        var thread: UInt64 { get }
    }
    package struct Node: Kept {
        package let serial: UInt
        /// Where the object is, or was: to find it while it is there.
        let address: UInt
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
        package let serial: UInt
        /// Where the object is, or was: to find it while it is there.
        let address: UInt
        package let site: (any Sendable)?
        package let made: UInt64
        package let thread: UInt64
        package fileprivate(set) var gone: UInt64 = .max
        package internal(set) var name: String
        package let isListening: Bool
        package internal(set) var listenerType: Any.Type?
        /// The ends when the edge was last looked at: serial numbers of nodes.
        package internal(set) var source: UInt = 0
        package internal(set) var target: UInt = 0
        /// The edge itself, unless it has gone.
        var object: (any AnyObject & Sendable)?
    }
    /// How many nodes, and how many edges, that have gone are known. Tests lower it.
    static let goneLimit = Atomic(50_000)
    struct State {
        var nodes = Register<Node>()
        var edges = Register<Edge>()
    }
    /// What is there, by serial number; and what has gone, oldest first, up to a limit: a program may make and drop nodes for ever.
    struct Register<Known: Kept> {
        var there: [UInt: Known] = [:]
        private var gone = Queue<Known>()

        /// Keeps of an object that goes what `note` says of it, if a recorder is there that may have it on record.
        mutating func leave(_ serial: UInt, _ note: (inout Known) -> Void) {
            guard var known = there.removeValue(forKey: serial), Recorders.isKept else { return }
            note(&known)
            gone.append(known)
            if gone.count > ObjectRegistry.goneLimit.load(ordering: .relaxed) { _ = gone.popFirst() }
        }
        mutating func forgetGone() { gone = Queue() }
        /// Those with `serials`, if these are given, that the thread has made, if one is given. `find` is called for each that is there:
        /// what else is there may be millions, and is not gone through where there are serial numbers.
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
    /// Reached by those who know nodes and edges as well: they enter these, and find them, under the lock.
    static let state = Lock(State())

    // MARK: Entering

    /// Enters a vertex, unless that was done, or its node has gone.
    static func enter(_ vertex: Vertex) {
        if !vertex.isKnown { enter(vertex, isNew: false) }
    }
    /// Enters a vertex whose node is being made, or any vertex that is not yet known and whose node has not gone.
    static func enter(_ vertex: Vertex, isNew: Bool) {
        let serial = vertex.serial
        let site = isNew ? Recorders.site() : nil
        let made = isNew ? Recorders.now : 0
        let thread = Engine.current.thread
        state.withLock { state in
            if isNew { vertex.becomeKnown() } else if !vertex.markKnown() { return }
            state.nodes.there[serial] = Node(
                serial: serial, address: vertex.address, type: vertex.valueType, site: site, made: made,
                thread: thread)
        }
    }
    /// Enters an edge and its ends, unless that was done since the last recorder began; `source` is where its value came from, if it was
    /// called with one. No lock is held.
    static func enter(_ edge: AnyEdge, from source: Vertex? = nil) {
        guard edge.knownTo != Recorders.generation else { return }
        let listener = edge.leadsToListener ? edge.currentDestination : nil
        enter(edge, isNew: false, leadingTo: listener.map { type(of: $0) })
        withExtendedLifetime(listener) {}
        let (origin, target) = edge.vertices
        if let source = source ?? origin { enter(source) }
        if let target { enter(target) }
    }
    /// Enters an edge without its ends. Its lock is held. One that leads to a listener has a type of that now and then.
    static func enter(_ edge: AnyEdge, isNew: Bool, leadingTo listenerType: Any.Type?) {
        let generation = Recorders.generation
        guard edge.knownTo != generation else { return }
        let serial = edge.serial
        let site = isNew ? Recorders.site() : nil
        let made = isNew ? Recorders.now : 0
        let thread = Engine.current.thread
        state.withLock { state in
            let isKnown = edge.becomeKnown(to: generation)
            if !isKnown || state.edges.there[serial] == nil {
                state.edges.there[serial] = Edge(
                    serial: serial, address: UInt(bitPattern: Unmanaged.passUnretained(edge).toOpaque()), site: site,
                    made: made,
                    thread: thread, name: "",
                    isListening: edge.leadsToListener, listenerType: listenerType)
            } else if let listenerType {
                state.edges.there[serial]?.listenerType = listenerType
            }
        }
    }

    // MARK: Leaving

    @inline(never) static func left(node serial: UInt, named name: String?, isRedacted: Bool) {
        state.withLock { state in
            state.nodes.leave(serial) { node in
                node.gone = Recorders.now
                node.name = name
                node.wasRedacted = isRedacted
            }
        }
    }
    @inline(never) static func left(edge serial: UInt, named name: String) {
        state.withLock { state in
            state.edges.leave(serial) { edge in
                edge.gone = Recorders.now
                edge.name = name
            }
        }
    }
    /// Forgets the objects that have gone. Called when the last recorder has gone: nothing is on record then.
    static func forgetGone() {
        state.withLock {
            $0.nodes.forgetGone()
            $0.edges.forgetGone()
        }
    }
}

extension ObjectRegistry {
    /// Returns the nodes and edges with those serial numbers, or that the thread has made, or all, in the order of their serial
    /// numbers. Holds those that are still there.
    package static func known(
        _ serials: Set<UInt>? = nil, by thread: UInt64? = nil
    ) -> (nodes: [Node], edges: [Edge]) {
        var (nodes, edges) = state.withLock { state in
            (
                state.nodes.wanted(serials, by: thread) {
                    $0.object = Unmanaged<Vertex>.at($0.address)._withUnsafeGuaranteedRef(\.handle)
                },
                state.edges.wanted(serials, by: thread) {
                    $0.object = Unmanaged<AnyEdge>.at($0.address).whileAlive
                }
            )
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
            edges[place].target = (edge.destination as? AnyNode)?.serial ?? 0
        }
        return (nodes, edges)
    }
}

extension ObjectRegistry.Node {
    /// `nil` once it has gone.
    package var node: AnyNode? { object.map { unsafeDowncast($0, to: AnyNode.self) } }
}
extension ObjectRegistry.Edge {
    /// `nil` once it has gone.
    package var edge: AnyEdge? { object.map { unsafeDowncast($0, to: AnyEdge.self) } }
}

extension Unmanaged {
    /// Precondition: the object's memory is still there.
    fileprivate static func at(_ address: UInt) -> Unmanaged {
        .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
    }
}
