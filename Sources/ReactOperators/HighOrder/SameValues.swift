import ReactCore

// A `fork` or a `case` passes on the values of another node, unchanged. An operator that follows nodes may choose such
// a node right after another one with the same values, which has brought the newest of them in the same set. That value
// is not passed on again.

extension InnerLink {
    /// Returns true if the link has brought the value of `node` since the called edge's value was set, from another
    /// node with the same values.
    @usableFromInline @inline(never) func hasBroughtFromElsewhere<Outer>(
        valueOf node: Node<Value>, _ delivery: EdgeCall<Outer, Value>
    ) -> Bool {
        guard choosing == delivery.connection.generation, let known = edge.from, known !== node else { return false }
        return delivery.raw.engine._withUnsafeGuaranteedRef { engine in
            known.originOfValues(in: engine).map { $0 === node.originOfValues(in: engine) } ?? false
        }
    }
}

extension Node {
    /// Returns the node whose values this one passes on unchanged, perhaps through others; this node itself if there is
    /// none. Returns `nil` unless all these nodes have the same value, which came since the called edge's value was
    /// set.
    fileprivate func originOfValues(in engine: Engine) -> Node? {
        var node = self
        var seen: Set<ObjectIdentifier> = []
        while seen.insert(ObjectIdentifier(node)).inserted {
            guard engine.hasBroughtValue(of: node.vertex) else { return nil }
            guard let source = node.sourceOfSameValues else { return node }
            node = source
        }
        return nil
    }
    /// The node whose values come here, if nothing else does and none is changed.
    private var sourceOfSameValues: Node? {
        if isMutable { return nil }
        let edges = upstreamTransforms.filter(\.isLinked)
        switch edges.count {
        case 1 where edges[0] is LinkTransform<Value> || edges[0] is ForkTransform<Value>:
            return unsafeDowncast(edges[0], to: Transform<Value, Value>.self).from
        // The other edge is the one that chooses.
        case 2: return (edges.first(where: \.isPointedAbout) as? Transform<Value, Value>)?.from
        default: return nil
        }
    }
}
