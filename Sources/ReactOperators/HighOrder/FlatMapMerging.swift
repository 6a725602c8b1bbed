import ReactCore

extension Node {
    /// "FlatMapMerging": passes on the values of all nodes that `transform` has returned.
    ///
    /// Other libraries call it `flatMap` or `mergeMap`. A node's present value arrives with the context and sender list
    /// of the value that chose the node. Its later values arrive with their own. A node that `transform` returns again
    /// is followed once, and its present value is passed on again, unless that value comes in the same set: each value
    /// arrives once. A node that is made anew for each value is another node: a new `fork` or `case` of this node, say,
    /// brings each later value once more.
    ///
    /// The result holds all these nodes, and one edge for each, until its edge is cut or pointed at another node. If
    /// only the newest node counts, use `flattenMap`. `transform` is called on the thread that sets the value, one
    /// value at a time, with no lock held. O(1) for each value.
    ///
    ///     let rooms = ["hall": MutableNode("hello"), "bar": MutableNode("cheers")]
    ///     let join = MutableNode("hall"), lifetime = Lifetime()
    ///     let heard = join.flatMapMerging { rooms[$0] ?? Node() }
    ///     heard.listened(by: lifetime).with { print($0) }     // hello
    ///     join.value = "bar"                                  // cheers
    ///     rooms["hall"]?.value = "bye"                        // bye
    @inlinable public func flatMapMerging<Inner>(
        _ transform: @escaping @Sendable (Value) -> Node<Inner>
    ) -> Node<Inner> {
        let result = Node<Inner>()
        let merging = Merging<Inner>()
        result.follow(self, "FlatMapMerging", state: merging) {
            let delivery = EdgeCall<Value, Inner>($0)
            return merging.follow(transform(delivery.value), delivery)
        }
        return result
    }
}

/// The merged nodes, each with a link to the result.
///
/// The edge holds this object as its state, this object holds the links, and each link holds its node. The result holds
/// the edge and the links. The value that a link finds travels through the edge, in the result's turn, as with
/// `flatten` (see `Following`). All links belong to one connection of the edge.
///
/// Unchecked, because only the owner of the edge's region uses the fields.
@usableFromInline final class Merging<Value: Sendable>: OperatorState, @unchecked Sendable {
    @exclusivity(unchecked) private var links: [LinkTransform<Value>] = []
    /// The link of each node, by its identity. Another node may have that identity after the link was cut.
    @exclusivity(unchecked) private var linkOfNode: [ObjectIdentifier: LinkTransform<Value>] = [:]
    /// The links of connections that have ended.
    @exclusivity(unchecked) private var ended: [LinkTransform<Value>] = []

    @usableFromInline init() {}

    /// Follows `node` as well, and passes its present value on with the delivery's context and senders.
    @usableFromInline func follow<Outer>(_ node: Node<Value>, _ delivery: EdgeCall<Outer, Value>) -> NextEdge {
        let (token, result) = (delivery.token, delivery.targetNode)
        if let known = linkOfNode[ObjectIdentifier(node)], known.brings(valueOf: node, if: { true }) { return .nothing }
        switch delivery.takeTurnIfIdle() {
        case .mine:
            return delivery.end(
                turnWith: add(node, to: result, token), by: delivery.addEntry(for: .passUnretained(node)))
        case .someone:
            // The link is made at once, so no value is lost. The value that it finds waits for the result's turn.
            var found: Value??
            if delivery.changeContended(through: node, { token.isStillConnected ? found : nil }) {
                found = add(node, to: result, token)
                return .nothing
            }
        case .refused: break
        }
        // A value that has passed the result stops, but the node that it led to is followed.
        _ = add(node, to: result, token)
        return .nothing
    }
    /// Links a node to `result` if it is not followed yet and the edge has not been cut or re-pointed since. Returns
    /// the next step for the result.
    private func add(_ node: Node<Value>, to result: Node<Value>?, _ token: ConnectionToken) -> Value?? {
        guard token.isStillConnected, let result else { return nil }
        let known = linkOfNode[ObjectIdentifier(node)]
        if let known, known.source === node { return node.value.map { .some($0) } }
        let link = LinkTransform<Value>()
        links.append(link)
        linkOfNode[ObjectIdentifier(node)] = link
        if let known {
            links.removeAll { $0 === known }
            known.cancel()
        }
        link.to = result
        let present = link.point(at: node, if: { token.isStillConnected })
        // The graph of the node may be busy. Then the link is made later, and brings the value itself.
        guard link.source === node else {
            link.cancel()
            return nil
        }
        return (present ?? nil).map { .some($0) }
    }
    @usableFromInline func willDisconnect() {
        ended += links
        (links, linkOfNode) = ([], [:])
    }
    @usableFromInline func discard(_ connection: Connection) {
        let old = ended
        ended = []
        for link in old { link.cancel() }
    }
}
