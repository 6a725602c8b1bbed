import ReactCore

// An operator that follows nodes may choose a node right after another one that has brought the same value in the same
// set. That value is not passed on again. Two values are the same if they are equal. Where a type has no `==`, they are
// the same if both nodes pass on the values of one node unchanged, as a `fork` or a `case` does.

/// A value that the result has had from the node before, in the set that leads to the next choice.
@usableFromInline struct BroughtValue<Value: Sendable> {
    fileprivate let value: Value?
    /// True if the chosen node passes on the values of the same node.
    fileprivate let isOfSameOrigin: Bool

    /// Returns true if the link has found the same value in the chosen node. No lock is held, because `==` is the
    /// user's code.
    @usableFromInline func isSame(as found: Value??) -> Bool {
        if isOfSameOrigin { return true }
        guard let value, case .some(.some(let other)) = found else { return false }
        return (Value.self as? any Equatable.Type).map { areEqual(value, other, $0) } ?? false
    }
}

extension InnerLink {
    /// Returns the value that the link has brought since the called edge's value was set, from another node than
    /// `node`.
    @usableFromInline @inline(never) func valueBroughtFromElsewhere<Outer>(
        than node: Node<Value>, _ delivery: EdgeCall<Outer, Value>
    ) -> BroughtValue<Value>? {
        guard choosing == delivery.connection.generation, let known = edge.from, known !== node else { return nil }
        return delivery.raw.engine._withUnsafeGuaranteedRef { engine in
            guard engine.hasBroughtValue(of: known.vertex) else { return nil }
            let origin = known.originOfValues(in: engine)
            let isOfSameOrigin = origin.map { $0 === node.originOfValues(in: engine) } ?? false
            return BroughtValue(value: known.value, isOfSameOrigin: isOfSameOrigin)
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
        let edges = upstreamTransforms.filter(\.isConnected)
        switch edges.count {
        case 1 where edges[0] is LinkTransform<Value> || edges[0] is ForkTransform<Value>:
            return unsafeDowncast(edges[0], to: Transform<Value, Value>.self).from
        // The other edge is the one that chooses.
        case 2: return (edges.first(where: \.isPointedAbout) as? Transform<Value, Value>)?.from
        default: return nil
        }
    }
}
