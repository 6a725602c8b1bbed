import Synchronization

// The values that must not be shown: see `AnyNode.redacted()`.
extension Vertex {
    /// False while no node of the process is redacted, so that no search is needed.
    static let someAreRedacted = Atomic(false)

    /// Returns true if this vertex is redacted, or its value may have come from a redacted one. O(edges upstream).
    ///
    /// A vertex with more than `limit` vertices upstream counts as redacted, so that no more are searched. A vertex
    /// whose handle has gone has lost its edges, and with them the origin of its value.
    final func isRedacted(within limit: Int = .max) -> Bool {
        guard Self.someAreRedacted.load(ordering: .acquiring) else { return false }
        if let known = RedactionWalk.current?.answer(for: self) { return known }
        return RedactionWalk(from: [self], within: limit).isRedacted(self)
    }
    /// Reports to recorders, which know the vertex, that its handle has gone.
    ///
    /// If its value must not be shown, the vertex is redacted first, because the edges that tell so go with the handle.
    /// A long chain is not searched, because it may be going as well, vertex by vertex.
    @inline(never) final func leaveRecords() {
        // While no recorder keeps anything, the vertex is on no record. If recording begins meanwhile, the value counts
        // as secret.
        let mayBeTold = Observers.isKeeping
        if mayBeTold, isRedacted(within: 500) { locking { coldStateLocked.isRedacted = true } }
        let (name, isRedacted) = locking { (coldState?.name, coldState?.isRedacted ?? false) }
        Observers.current.gone(self, named: name, isRedacted: isRedacted || !mayBeTold)
    }
}

/// Finds the redacted vertices among some, and those with a value that may have come from a redacted one. It follows
/// each edge upstream once, for any number of vertices.
package struct RedactionWalk: Sendable {
    /// The walk whose answers count while values are described: a value may be a node, or hold one.
    @TaskLocal package static var current: RedactionWalk?

    private var walk: VertexWalk
    /// True for each vertex that is redacted, by its place in the walk.
    private var isRedacted: [Bool] = []
    /// The places of the vertices to which edges lead from each vertex.
    private var destinations: [[Int]] = []

    /// Walks upstream from some vertices. If there are more than `limit` to visit, the first counts as redacted.
    init(from starts: [Vertex], within limit: Int = .max) {
        walk = VertexWalk(from: starts)
        makePlaces()
        while let vertex = walk.next() {
            if walk.found.count > limit {
                isRedacted[0] = true
                break
            }
            let next = walk.visited - 1
            let (edges, junction, isMarked) = vertex.locking {
                (vertex.upstream.all, vertex.coldState?.junction, vertex.coldState?.isRedacted ?? false)
            }
            isRedacted[next] = isMarked
            var sources = [junction?.vertex]
            for edge in edges where edge.passesOn {
                sources.append(edge.lock.locking { edge.knownSource?.takeUnretainedValue() })
            }
            // The source is read as a vertex, because its handle may be going.
            for case let source? in sources {
                let place = walk.find(source)
                makePlaces()
                destinations[place].append(next)
            }
        }
        var pending = isRedacted.indices.filter { isRedacted[$0] }
        Steps.count(walk.found.count)
        while let place = pending.popLast() {
            for destination in destinations[place] where !isRedacted[destination] {
                isRedacted[destination] = true
                pending.append(destination)
            }
        }
    }
    /// Makes room for all vertices that have been found.
    private mutating func makePlaces() {
        while destinations.count < walk.found.count {
            isRedacted.append(false)
            destinations.append([])
        }
    }
    /// Walks upstream from the nodes; `nil` if no node of the process is redacted.
    package init?(among nodes: [AnyNode]) {
        guard !nodes.isEmpty, Vertex.someAreRedacted.load(ordering: .acquiring) else { return nil }
        self.init(from: nodes.map(\.vertex))
    }
    /// Returns true if the node's value must not be shown; false also for a node that the walk did not visit.
    package func isRedacted(_ node: AnyNode) -> Bool { isRedacted(node.vertex) }
    /// Returns the answer for a vertex; `nil` if the walk did not visit it.
    func answer(for vertex: Vertex) -> Bool? { walk.place(of: vertex).map { isRedacted[$0] } }
    func isRedacted(_ vertex: Vertex) -> Bool { answer(for: vertex) ?? false }
}
