import ReactCore
import Synchronization

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
/// that node after a newer one. A value that waited for its turn while another node was chosen never arrives. If the
/// edge gets another target, the link follows it there.
@usableFromInline final class Following<Value: Sendable>: OperatorState {
    @usableFromInline let link: Transform<Value, Value>
    @usableFromInline let passesEmptiness: Bool
    /// The edge's connection that chose the link's source. Guarded by the link's lock.
    @usableFromInline let choosing = Atomic<UInt64>(0)
    /// Number of choices that did not wait for the result's turn, because the result was delivering the value that led
    /// to them. Such a choice may have overtaken others, which no longer stand. Written under the link's lock, and by
    /// one delivery at a time for one connection.
    @usableFromInline let overtakings = Atomic<UInt64>(0)

    @inlinable convenience init(passingEmptiness: Bool) {
        self.init(SwitchableLink(passingEmptiness: passingEmptiness), passingEmptiness: passingEmptiness)
    }
    @inlinable init(_ link: Transform<Value, Value>, passingEmptiness: Bool) {
        self.link = link
        passesEmptiness = passingEmptiness
    }

    /// Makes `result` follow the nodes that `forward` chooses from `outer`'s values.
    @inlinable func begin<Outer>(
        _ name: StaticString, from outer: Node<Outer>, to result: Node<Value>, state: (any OperatorState)? = nil,
        _ forward: @escaping @Sendable (ErasedEdgeCall) -> NextEdge
    ) {
        let edge = StatefulTransform<Outer, Value>(name: name, state: state ?? self, forward: forward)
        edge.to = result
        link.to = result
        edge.from = outer
    }

    /// Follows `node` from now on, and passes its present value on with the delivery's context and senders.
    @inlinable func follow<Outer>(_ node: consuming Node<Value>, _ delivery: EdgeCall<Outer, Value>) -> NextEdge {
        delivery.lead(link)
        let choice = delivery.choice
        switch delivery.takeTurnIfIdle() {
        case .mine:
            let visit = delivery.visit(.passUnretained(node))
            return delivery.end(turnWith: point(at: consume node, choice), by: visit)
        case .someone: if waitForTurn(of: node, choice, delivery) { return .nothing }
        case .refused: break
        }
        // A value that has passed the result stops, but its choice stands.
        _ = link.point(at: consume node) {
            guard isChosen(by: choice) else { return false }
            overtakings.add(1, ordering: .relaxed)
            return true
        }
        return .nothing
    }
    @inlinable @inline(never) func waitForTurn<Outer>(
        of node: Node<Value>, _ choice: ConnectionToken, _ delivery: EdgeCall<Outer, Value>
    ) -> Bool {
        let known = overtakings.load(ordering: .relaxed)
        return delivery.changeContended(through: node) { [self] in
            point(at: node, choice, unlessOvertakenSince: known)
        }
    }
    /// Returns true, and notes the choice, unless the edge has been cut or re-pointed since. Called under the link's
    /// lock.
    @inlinable func isChosen(by choice: ConnectionToken) -> Bool {
        guard choice.isCurrent else { return false }
        choosing.store(choice.number, ordering: .relaxed)
        return true
    }
    /// Points the link at `node` if the choice stands and no later choice has overtaken it. Returns the next step for
    /// the result.
    @inlinable func point(
        at node: consuming Node<Value>, _ choice: ConnectionToken, unlessOvertakenSince known: UInt64? = nil
    ) -> Value?? {
        let value = link.point(at: consume node) {
            if let known, known != overtakings.load(ordering: .relaxed) { return false }
            return isChosen(by: choice)
        }
        guard let value else { return nil }
        return value == nil && !passesEmptiness ? nil : .some(value)
    }

    /// Leaves the node that `linking` has chosen.
    @usableFromInline func forget(_ linking: Connection) {
        link.letGoOfSource { choosing.load(ordering: .relaxed) == linking.number }
    }
    /// Leaves the inner node, because the outer node is empty.
    @usableFromInline func emptied(_ delivery: ErasedEdgeCall) -> NextEdge {
        guard passesEmptiness else { return .nothing }
        let delivery = EdgeCall<Never, Value>(delivery)
        let choice = delivery.choice, known = overtakings.load(ordering: .relaxed)
        return delivery.change { [self] in
            guard choice.isCurrent, known == overtakings.load(ordering: .relaxed) else { return nil }
            link.letGoOfSource { choosing.load(ordering: .relaxed) == choice.number }
            return .some(nil)
        }
    }
}
