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
        // While nothing records, what goes is on no record. Should something begin to meanwhile, it is taken for secret.
        let mayBeTold = Observers.isOn
        if mayBeTold, isRedacted(within: 500) { locking { rareLocked.isRedacted = true } }
        let (name, isRedacted) = locking { (rare?.name, rare?.isRedacted ?? false) }
        Observers.current.gone(self, named: name, isRedacted: isRedacted || !mayBeTold)
    }
}

extension Junction {
    /// Whether what comes from there must not be shown.
    package var isRedacted: Bool { vertex?.isRedacted() ?? false }
}
