import Synchronization

// Which values must not be shown: see `AnyNode.redacted()`.
extension Vertex {
    /// While no node of the process is redacted, nobody has to look for one.
    static let someAreRedacted = Atomic(false)

    final var isMarkedRedacted: Bool { locking { rare?.isRedacted ?? false } }

    /// Whether this vertex is marked, or the value may have come here from one that is. O(edges upstream).
    ///
    /// One that has more than `limit` vertices upstream is taken for such, so that no more are looked at. One whose handle has gone
    /// does not know any more where its value came from.
    final func isRedacted(within limit: Int = .max) -> Bool {
        guard Self.someAreRedacted.load(ordering: .acquiring) else { return false }
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
        var pending = [self]
        while let vertex = pending.popLast() {
            if vertex.isMarkedRedacted || seen.count > limit { return true }
            let (edges, junction) = vertex.locking { (vertex.upstream.all, vertex.rare?.junction) }
            var sources = [junction?.vertex]
            for edge in edges where edge.passesOn {
                // By its vertex, and not by its handle: that may be going.
                sources.append(edge.lock.locking { edge.originVertex?.takeUnretainedValue() })
            }
            for case let source? in sources where seen.insert(ObjectIdentifier(source)).inserted {
                pending.append(source)
            }
        }
        return false
    }
    /// Has recorders, which know the vertex, know that its handle has gone.
    ///
    /// It is marked before if what came to it must not be shown: its edges, which tell, go with its handle. It does not look along a
    /// long chain, which may be going as well, vertex by vertex.
    @inline(never) final func leaveRecords() {
        // While no recorder is there, what goes is on no record. If one begins meanwhile, the value is taken for secret.
        let mayBeTold = Observers.isKeeping
        if mayBeTold, isRedacted(within: 500) { locking { rareLocked.isRedacted = true } }
        let (name, isRedacted) = locking { (rare?.name, rare?.isRedacted ?? false) }
        Observers.current.gone(self, named: name, isRedacted: isRedacted || !mayBeTold)
    }
}

extension AnyNode {
    /// Returns of each node whether its value must not be shown, in one walk: O(nodes + edges upstream).
    package static func areRedacted(_ nodes: [AnyNode]) -> [Bool] {
        guard Vertex.someAreRedacted.load(ordering: .acquiring) else { return nodes.map { _ in false } }
        let walk = RedactionWalk(from: nodes.map(\.vertex))
        return nodes.map { walk.isRedacted($0.vertex) }
    }
}

/// Finds which of some vertices are redacted, or have values from one that is. Each edge upstream is followed once, whatever the number
/// of vertices.
struct RedactionWalk {
    private var positions: [ObjectIdentifier: Int] = [:]
    /// Held, so that no other has the identity of one.
    private var vertices: [Vertex] = []
    private var isRedacted: [Bool] = []

    init(from starts: [Vertex]) {
        for vertex in starts { _ = position(of: vertex) }
        var destinations: [[Int]] = []
        while destinations.count < vertices.count { destinations.append([]) }
        var next = 0
        while next < vertices.count {
            let vertex = vertices[next]
            let (edges, junction, isMarked) = vertex.locking {
                (vertex.upstream.all, vertex.rare?.junction, vertex.rare?.isRedacted ?? false)
            }
            isRedacted[next] = isMarked
            var sources = [junction?.vertex]
            for edge in edges where edge.passesOn {
                sources.append(edge.lock.locking { edge.originVertex?.takeUnretainedValue() })
            }
            for case let source? in sources {
                let place = position(of: source)
                if place == destinations.count { destinations.append([]) }
                destinations[place].append(next)
            }
            next += 1
        }
        var pending = isRedacted.indices.filter { isRedacted[$0] }
        while let place = pending.popLast() {
            for destination in destinations[place] where !isRedacted[destination] {
                isRedacted[destination] = true
                pending.append(destination)
            }
        }
    }
    private mutating func position(of vertex: Vertex) -> Int {
        let (key, next) = (ObjectIdentifier(vertex), vertices.count)
        if let known = positions[key] { return known }
        positions[key] = next
        vertices.append(vertex)
        isRedacted.append(false)
        return next
    }
    func isRedacted(_ vertex: Vertex) -> Bool { positions[ObjectIdentifier(vertex)].map { isRedacted[$0] } ?? false }
}

/// An edge of another module, where `passesOn` cannot be overridden, that may pass on values as parts of others.
package protocol SecretCarrier: AnyEdge {
    /// Whether the values that the edge makes may have the source's values in them, as they are.
    var carriesSecrets: Bool { get }
}
