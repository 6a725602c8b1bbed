import Synchronization

/// The cycles through joins: the back edges, along which heights do not grow, each with one existing way from its
/// target to its source.
///
/// When an edge of that way goes, the cycle may be open. Then another way is searched for. If there is one, it is
/// noted instead. If not, heights grow along the former back edge from then on. So a cycle costs nothing to edges
/// that are not on it.
///
/// Invariants: a back edge with an entry here is connected, or about to be, and has `isBackEdge` set. The edges of a
/// noted way are connected, or about to open the cycle, and have `isOnCycle` set. The owner of a region makes and
/// changes the entries of its edges; the lock guards the table of all.
enum BackEdges {
    /// The entry of a back edge. It holds nothing: the edge and vertices that it names are connected, and so are held.
    private final class Ring {
        private unowned(unsafe) let edge: AnyEdge
        private unowned(unsafe) let source: Vertex
        private unowned(unsafe) let target: Vertex
        let closing: ObjectIdentifier
        let way: [ObjectIdentifier]

        init(_ constraint: Heights.Constraint, _ way: [Heights.Constraint]) {
            (edge, source, target) = (constraint.edge, constraint.source, constraint.target)
            closing = ObjectIdentifier(constraint.edge)
            self.way = way.map { ObjectIdentifier($0.edge) }
        }
        var constraint: Heights.Constraint { Heights.Constraint(edge: edge, source: source, target: target) }
    }
    private struct Table {
        var byClosing: [ObjectIdentifier: Ring] = [:]
        var byEdgeOnCycle: [ObjectIdentifier: [Ring]] = [:]

        mutating func add(_ ring: Ring) {
            byClosing[ring.closing] = ring
            for edge in ring.way { byEdgeOnCycle[edge, default: []].append(ring) }
        }
        mutating func remove(_ ring: Ring) {
            byClosing[ring.closing] = nil
            for edge in ring.way {
                byEdgeOnCycle[edge]?.removeAll { $0 === ring }
                if byEdgeOnCycle[edge]?.isEmpty == true { byEdgeOnCycle[edge] = nil }
            }
        }
    }
    private static let lock = Lock(())
    /// Used under the lock.
    nonisolated(unsafe) private static var table = Table() {
        didSet { count.store(table.byClosing.count, ordering: .relaxed) }
    }
    private static let count = Atomic<Int>(0)
    /// True if there is no cycle through a join, in any graph.
    static var areNone: Bool { count.load(ordering: .relaxed) == 0 }

    /// Makes the edge of `constraint` a back edge; `way` leads from its target to its source.
    static func close(_ way: [Heights.Constraint], by constraint: Heights.Constraint) {
        for step in way { step.edge.isOnCycle = true }
        constraint.edge.isBackEdge = true
        lock.locking { table.add(Ring(constraint, way)) }
    }
    /// Forgets a back edge, which is no longer connected.
    static func forget(_ edge: AnyEdge) {
        lock.locking { if let ring = table.byClosing[ObjectIdentifier(edge)] { table.remove(ring) } }
        edge.isBackEdge = false
    }
    /// Searches for other ways, because an edge that was on noted ways is no longer connected.
    static func open(at edge: AnyEdge, _ deferred: inout DeferredReleases) {
        let opened = lock.locking {
            let rings = table.byEdgeOnCycle[ObjectIdentifier(edge)] ?? []
            rings.forEach { table.remove($0) }
            return rings
        }
        for ring in opened { Heights.fulfil(ring.constraint, &deferred) }
    }
}
