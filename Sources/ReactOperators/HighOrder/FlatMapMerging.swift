import ReactCore

extension Node {
    /// "FlatMapMerging" (elsewhere called flatMap, or mergeMap): the values of all nodes that `transform` has made, as they come.
    ///
    /// A node's present value comes with the context and the sender list of the value that it was made of; its later ones come
    /// with their own. A node that `transform` returns again is followed once, and its present value passed on again. The result
    /// holds all these nodes until the edge is cut or pointed at another node, and each costs it an edge: where only the newest
    /// counts, `flattenMap` keeps one. `transform` is called on the thread that sets the value, one value at a time, with no lock
    /// held. O(1) for each value.
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
        let edge = StatefulTransform<Value, Inner>(name: "FlatMapMerging", state: merging) {
            let delivery = Delivery<Value, Inner>($0)
            return merging.follow(transform(delivery.value), delivery)
        }
        edge.to = result
        edge.from = self
        return result
    }
}

/// The nodes that are merged, each by a link to the result.
///
/// The edge holds this as its state, this holds the links, and each link its node; the result holds the edge and the links. A
/// link is made in the result's turn, and what it finds goes through the edge instead, as with `flatten` (see `Following`). All
/// links belong to one linking of the edge.
@usableFromInline final class Merging<Value: Sendable>: OperatorState {
    private struct Links: Sendable {
        var linking: UInt64 = 0
        var inOrder: [LinkTransform<Value>] = []
        /// Which node each was made for, by its identity: another node may have that, once the link was cut.
        var byNode: [ObjectIdentifier: LinkTransform<Value>] = [:]
    }
    private let links = Lock(Links())

    @usableFromInline init() {}

    /// Follows `node` as well, and passes its present value on as what the delivery brings.
    @usableFromInline func follow<Outer>(_ node: Node<Value>, _ delivery: Delivery<Outer, Value>) -> Sent {
        let (choice, result) = (delivery.choice, delivery.targetNode)
        switch delivery.takeTurnIfIdle() {
        case .mine:
            return delivery.end(turnWith: add(node, to: result, choice), by: delivery.visit(.passUnretained(node)))
        case .someone:
            // What waits at the result does not hold it.
            let change = { [self, weak result] in add(node, to: result, choice) }
            if delivery.changeContended(through: node, change) { return .nothing }
        case .refused: break
        }
        // A value that came through the result stops, but the node that it made is followed.
        _ = add(node, to: result, choice)
        return .nothing
    }
    /// Links a node to `result` that is not followed yet, unless the edge has been cut or given another end since; says what becomes of
    /// the result.
    private func add(_ node: Node<Value>, to result: Node<Value>?, _ choice: EdgeChoice) -> Value?? {
        guard choice.isCurrent, let result else { return nil }
        if let known = links.withLock({ $0.byNode[ObjectIdentifier(node)] }), known.source === node {
            return node.value.map { .some($0) }
        }
        let link = LinkTransform<Value>()
        var stale: [LinkTransform<Value>] = []
        let isKept = links.withLock { links in
            // Cut since it was asked, and linked anew, which is a later number.
            if links.linking > choice.number { return false }
            if links.linking < choice.number {
                stale = links.inOrder
                links = Links(linking: choice.number)
            }
            links.inOrder.append(link)
            if let old = links.byNode.updateValue(link, forKey: ObjectIdentifier(node)) {
                links.inOrder.removeAll { $0 === old }
                stale.append(old)
            }
            return true
        }
        for link in stale { link.cancel() }
        guard isKept else { return nil }
        link.to = result
        // What is cut after this was asked is cut with the link, which is on the list; and what was cut before it had an end, here.
        guard let present = link.point(at: node, if: { choice.isCurrent }) else {
            link.cancel()
            return nil
        }
        return present.map { .some($0) }
    }
    @usableFromInline func forget(_ linking: Linking) {
        let old = links.withLock { links -> [LinkTransform<Value>] in
            guard links.linking == linking.number else { return [] }
            let old = links.inOrder
            links = Links()
            return old
        }
        for link in old { link.cancel() }
    }
}
