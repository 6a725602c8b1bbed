import ReactCore

/// A result that follows one node after the other, by an inner link that is pointed at each of them. `flatten` and
/// `case` use it.
///
///     outer ──edge──▶ result
///     inner ──link──▶ result          the link leaves from whatever node the edge chose last
///
/// The edge holds this object as its state, this object holds the link, and the link holds its inner node. The result
/// holds both edges.
///
/// The link is re-pointed in the result's turn. The value that it finds there travels through the edge, with the
/// context and sender list of the value that chose the inner node. The result therefore never shows an older value of
/// that node after a newer one.
///
/// If the link leaves from the chosen node already, the edge passes the node's value on again, unless the link brings
/// it in the same set: then it arrives by the link alone (see `Engine.brings(valueOf:)`). So it is if the link has
/// brought the same value from another node (see SameValues.swift).
///
/// If the result is delivering, the choice waits for its turn, and a link of its own is pointed at the node at once. It
/// finds the value that the choice brings, and queues all later values behind the choice. So none is lost. Until the
/// turn comes, the links of the choices before remain. Then they are cut, and the values that they have queued since
/// are dropped.
///
/// If the edge gets another target, the newest link follows it there.
///
/// Unchecked, because only the owner of the edge's region uses the fields.
@usableFromInline final class Following<Value: Sendable>: OperatorState, @unchecked Sendable {
    /// The link of the newest choice.
    @exclusivity(unchecked) @usableFromInline var newest: InnerLink<Value>
    /// The links of earlier choices, which later ones that wait will replace, oldest first.
    @exclusivity(unchecked) private var older: [InnerLink<Value>] = []
    @usableFromInline let passesEmptiness: Bool
    /// The number of choices that were made without the result's turn, because the result was delivering the value that
    /// led to the choice. Such a choice may overtake earlier ones, which are then dropped.
    @exclusivity(unchecked) private var overtakings = 0

    @inlinable init(passingEmptiness: Bool) {
        newest = InnerLink(passingEmptiness: passingEmptiness)
        passesEmptiness = passingEmptiness
    }

    /// Makes `result` follow the nodes that `forward` chooses from `outer`'s values.
    @inlinable func begin<Outer>(
        _ name: String, from outer: Node<Outer>, to result: Node<Value>, state: (any OperatorState)? = nil,
        _ forward: @escaping @Sendable (ErasedEdgeCall) -> NextEdge
    ) {
        let edge = StatefulTransform<Outer, Value>(name: name, state: state ?? self, forward: forward)
        edge.to = result
        newest.edge.to = result
        edge.from = outer
    }

    /// Follows `node` from now on, and passes its present value on with the delivery's context and senders.
    @inlinable func follow<Outer>(_ node: consuming Node<Value>, _ delivery: EdgeCall<Outer, Value>) -> NextEdge {
        let link = newest
        delivery.lead(link.edge)
        let token = delivery.token
        switch delivery.takeTurnIfIdle() {
        case .mine:
            let entry = delivery.addEntry(for: .passUnretained(node))
            let brought = delivery.hasReachedTarget ? link.valueBroughtFromElsewhere(than: node, delivery) : nil
            let found = link.edge.point(at: consume node) { link.isChosen(by: token) }
            let isHeard = brought?.isSame(as: found) ?? false
            return delivery.end(turnWith: isHeard ? nil : change(finding: found, by: link), by: entry)
        case .someone:
            if link.brings(valueOf: node, for: token) || waitForTurn(of: node, token, delivery) { return .nothing }
        case .refused: break
        }
        overtake(with: consume node, by: link, token)
        return .nothing
    }
    /// Returns the next step for the result, whose link has found the value `found`, or has not been pointed.
    @inlinable func change(finding found: Value??, by link: InnerLink<Value>) -> Value?? {
        guard let found else { return passesEmptiness && link.waitsAtEmptyNode ? .some(nil) : nil }
        return found == nil && !passesEmptiness ? nil : .some(found)
    }
    /// Follows `node` for a value that stops, because it has passed the result: its choice stands, and all that wait do
    /// not.
    @usableFromInline func overtake(with node: Node<Value>, by link: InnerLink<Value>, _ token: ConnectionToken) {
        var isChosen = false
        _ = link.edge.point(at: node) {
            isChosen = link.isChosen(by: token)
            if isChosen { overtakings += 1 }
            return isChosen
        }
        if isChosen { leaveOlder(than: link) }
    }
    /// Leaves the nodes of the choices before that of `link`.
    private func leaveOlder(than link: InnerLink<Value>) {
        let count = newest === link ? older.count : older.firstIndex { $0 === link } ?? 0
        let left = older.prefix(count)
        older.removeFirst(count)
        for link in left { link.edge.cancel() }
    }

    /// Lets the choice of `node` wait for the result's turn. Returns false, and does nothing, if no turn comes for it.
    @usableFromInline @inline(never) func waitForTurn<Outer>(
        of node: Node<Value>, _ token: ConnectionToken, _ delivery: EdgeCall<Outer, Value>
    ) -> Bool {
        let link = InnerLink<Value>(passingEmptiness: passesEmptiness), known = overtakings
        // The value that the node before has brought in the same set, and the one that the link finds.
        let brought = newest.valueBroughtFromElsewhere(than: node, delivery)
        var found: Value??
        /// Points the link at the node, and finds its value, unless that was done before.
        func point() {
            link.edge.point(at: node, if: { found == nil && link.isChosen(by: token) }, reading: { found = .some($0) })
        }
        delivery.lead(link.edge)
        let comes = delivery.changeContended(through: node) { [self] in
            guard known == overtakings else { return nil }
            point()
            leaveOlder(than: link)
            // Nothing is found where the node's graph is busy. Then the link brings the value when it is made.
            return brought?.isSame(as: found) ?? false ? nil : change(finding: found, by: link)
        }
        // The link is pointed after the choice is queued, so all that it queues comes later.
        if comes, token.isStillConnected {
            older.append(newest)
            newest = link
            point()
        } else {
            link.edge.cancel()
        }
        return comes
    }

    /// Leaves the nodes that `connection` has chosen.
    @usableFromInline func discard(_ connection: Connection) {
        let left = older.isEmpty ? [] : older.filter { $0.choosing <= connection.generation }
        if !left.isEmpty { older.removeAll { $0.choosing <= connection.generation } }
        newest.edge.setSource(nil) { newest.choosing == connection.generation }
        for link in left { link.edge.cancel() }
    }
    /// Leaves the inner node, because the outer node is empty.
    @usableFromInline func emptied(_ delivery: ErasedEdgeCall) -> NextEdge {
        guard passesEmptiness else { return .nothing }
        let delivery = EdgeCall<Never, Value>(delivery)
        let token = delivery.token, known = overtakings, link = newest
        return delivery.change { [self] in
            guard token.isStillConnected, known == overtakings else { return nil }
            leaveOlder(than: link)
            link.edge.setSource(nil) { link.choosing == token.generation }
            return .some(nil)
        }
    }
}
