import Synchronization

/// Rings through a join: the edges that close them, along which heights do not grow, each with one way round that is there.
///
/// An edge that closes a ring may have to open it one day: when an edge of that way goes. Then a way is looked for again: there
/// is another, which is kept instead, or none, and heights grow along the edge that closed the ring from then on. So a ring
/// costs nothing to edges that are not on it.
///
/// Invariants, under the lock of `Heights`: an edge that has a record here is linked, or about to be, and `closesRing`; the edges
/// of a record's way are linked, or about to open it, and are `keepsRing`.
enum Rings {
    /// Holds nothing: what it names is linked, and is held as that.
    private final class Ring {
        private unowned(unsafe) let edge: AnyEdge
        private unowned(unsafe) let source: Vertex
        private unowned(unsafe) let target: Vertex
        let closing: ObjectIdentifier
        let way: [ObjectIdentifier]

        init(_ rise: Heights.Rise, _ way: [Heights.Rise]) {
            (edge, source, target) = (rise.edge, rise.source, rise.target)
            closing = ObjectIdentifier(rise.edge)
            self.way = way.map { ObjectIdentifier($0.edge) }
        }
        var rise: Heights.Rise { Heights.Rise(edge: edge, source: source, target: target) }
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
    /// Reached under the lock of `Heights` alone.
    nonisolated(unsafe) private static var records = Records() {
        didSet { count.store(records.byClosing.count, ordering: .relaxed) }
    }
    private static let count = Atomic<Int>(0)
    /// Whether there is no ring through a join, in any graph.
    static var areNone: Bool { count.load(ordering: .relaxed) == 0 }

    /// Has the edge of `rise` close a ring, whose way round is `way`; unless one of these was cut meanwhile. The heights are locked.
    static func close(_ way: [Heights.Rise], by rise: Heights.Rise) -> Bool {
        guard way.allSatisfy({ mark($0, \.keepsRing) }), mark(rise, \.closesRing) else { return false }
        records.add(Ring(rise, way))
        return true
    }
    /// Notes that of an edge, unless that was cut. Whoever cuts it asks under this lock, and forgets the record, or opens the ring, then.
    private static func mark(_ rise: Heights.Rise, _ tie: ReferenceWritableKeyPath<AnyEdge, Bool>) -> Bool {
        rise.source.locking {
            guard rise.isAsked else { return false }
            rise.edge[keyPath: tie] = true
            return true
        }
    }
    /// An edge that closed a ring is linked no more.
    static func forget(_ edge: AnyEdge, from source: Vertex) {
        Heights.lock.locking {
            if let ring = records.byClosing[ObjectIdentifier(edge)] { records.remove(ring) }
            source.locking { edge.closesRing = false }
        }
    }
    /// An edge that was on the way round rings is linked no more.
    static func open(at edge: AnyEdge, _ deferred: inout Deferred) {
        Heights.lock.locking {
            for ring in records.byKeeping[ObjectIdentifier(edge)] ?? [] {
                records.remove(ring)
                let rise = ring.rise
                repeat { Heights.raise(rise, &deferred) } while !settle(rise)
            }
        }
    }
    /// Whether the edge of `rise` closes another ring, or heights grow along it, as they do from now on.
    private static func settle(_ rise: Heights.Rise) -> Bool {
        if records.byClosing[ObjectIdentifier(rise.edge)] != nil { return true }
        return rise.source.locking {
            guard Heights.suffice(from: rise.source, to: rise.target) else { return false }
            rise.edge.closesRing = false
            return true
        }
    }
}
