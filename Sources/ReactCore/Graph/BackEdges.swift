import Synchronization

/// The cycles through joins: the back edges, along which heights do not grow, each with one existing way from its
/// target to its source.
///
/// When an edge of that way goes, the cycle may be open. Then another way is searched for. If there is one, it is
/// recorded instead. If not, heights grow along the former back edge from then on. So a cycle costs nothing to edges
/// that are not on it.
///
/// Invariants, under the lock of `Heights`: a back edge with a record here is connected, or about to be, and has
/// `isBackEdge` set. The edges of a recorded way are connected, or about to open the cycle, and have `isOnCycle` set.
enum BackEdges {
    /// The record of a back edge. It holds nothing: the edge and vertices that it names are connected, and so are held.
    private final class Ring {
        private unowned(unsafe) let edge: AnyEdge
        private unowned(unsafe) let source: Vertex
        private unowned(unsafe) let target: Vertex
        let closing: ObjectIdentifier
        let way: [ObjectIdentifier]

        init(_ constraint: Heights.HeightConstraint, _ way: [Heights.HeightConstraint]) {
            (edge, source, target) = (constraint.edge, constraint.source, constraint.target)
            closing = ObjectIdentifier(constraint.edge)
            self.way = way.map { ObjectIdentifier($0.edge) }
        }
        var constraint: Heights.HeightConstraint {
            Heights.HeightConstraint(edge: edge, source: source, target: target)
        }
    }
    private struct Records {
        var byClosing: [ObjectIdentifier: Ring] = [:]
        var byKeeping: [ObjectIdentifier: [Ring]] = [:]

        mutating func add(_ ring: Ring) {
            byClosing[ring.closing] = ring
            for edge in ring.way { byKeeping[edge, default: []].append(ring) }
        }
        mutating func remove(_ ring: Ring) {
            byClosing[ring.closing] = nil
            for edge in ring.way {
                byKeeping[edge]?.removeAll { $0 === ring }
                if byKeeping[edge]?.isEmpty == true { byKeeping[edge] = nil }
            }
        }
    }
    /// Used only under the lock of `Heights`.
    nonisolated(unsafe) private static var records = Records() {
        didSet { count.store(records.byClosing.count, ordering: .relaxed) }
    }
    private static let count = Atomic<Int>(0)
    /// True if there is no cycle through a join, in any graph.
    static var areNone: Bool { count.load(ordering: .relaxed) == 0 }

    /// Makes the edge of `constraint` a back edge; `way` leads from its target to its source. Returns false if one of
    /// these edges was cut meanwhile. The lock of the heights is held.
    static func close(_ way: [Heights.HeightConstraint], by constraint: Heights.HeightConstraint) -> Bool {
        guard way.allSatisfy({ mark($0, \.isOnCycle) }), mark(constraint, \.isBackEdge) else { return false }
        records.add(Ring(constraint, way))
        return true
    }
    /// Sets a flag of an edge, unless it was cut. A thread that cuts the edge reads the flag under the same lock. Then
    /// it forgets the record, or opens the cycle.
    private static func mark(_ constraint: Heights.HeightConstraint, _ flag: ReferenceWritableKeyPath<AnyEdge, Bool>)
        -> Bool
    {
        constraint.source.locking {
            guard constraint.isAsked else { return false }
            constraint.edge[keyPath: flag] = true
            return true
        }
    }
    /// Forgets a back edge, which is no longer connected.
    static func forget(_ edge: AnyEdge, from source: Vertex) {
        Heights.lock.locking {
            if let ring = records.byClosing[ObjectIdentifier(edge)] { records.remove(ring) }
            source.locking { edge.isBackEdge = false }
        }
    }
    /// Searches for other ways, because an edge that was on recorded ways is no longer connected.
    static func open(at edge: AnyEdge, _ deferred: inout DeferredReleases) {
        Heights.lock.locking {
            for ring in records.byKeeping[ObjectIdentifier(edge)] ?? [] {
                records.remove(ring)
                let constraint = ring.constraint
                repeat { Heights.raise(constraint, &deferred) } while !settle(constraint)
            }
        }
    }
    /// Returns true if the edge of `constraint` closes another cycle, or if heights grow along it, as they do from now
    /// on.
    private static func settle(_ constraint: Heights.HeightConstraint) -> Bool {
        if records.byClosing[ObjectIdentifier(constraint.edge)] != nil { return true }
        return constraint.source.locking {
            guard Heights.suffice(from: constraint.source, to: constraint.target) else { return false }
            constraint.edge.isBackEdge = false
            return true
        }
    }
}
