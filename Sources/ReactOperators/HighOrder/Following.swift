import ReactCore
import Synchronization

/// What `flatten` and `case` stand on: a result that follows one node after the other, by an inner link that is pointed
/// at each in turn.
///
///     outer ──edge──▶ result
///     inner ──link──▶ result          the link leaves from whatever node the edge chose last
///
/// The edge holds this as its state, this holds the link, and the link its inner node; the result holds both edges.
///
/// The link is pointed elsewhere in the result's turn, and the value that it finds there goes through the edge instead:
/// with the context and the senders of the value that chose the inner node. So the result never shows an older value of
/// that node after a newer one; nor does a value arrive there that waited for its turn while another node was chosen.
/// Where the edge is given another target, the link follows it there.
@usableFromInline final class Following<Value: Sendable>: OperatorState {
    @usableFromInline let link: Transform<Value, Value>
    @usableFromInline let passesEmptiness: Bool
    /// The linking of the edge that chose the node which the link leaves from. Guarded by the link's lock.
    @usableFromInline let choosing = Atomic<UInt64>(0)
    /// How many choices did not wait for the result's turn, for it was delivering what they were made of: so they may have overtaken
    /// others, which stand no longer. Written under the link's lock, and for one linking by one delivery at a time.
    @usableFromInline let overtakings = Atomic<UInt64>(0)

    @inlinable convenience init(passingEmptiness: Bool) {
        self.init(InnerLink(passingEmptiness: passingEmptiness), passingEmptiness: passingEmptiness)
    }
    @inlinable init(_ link: Transform<Value, Value>, passingEmptiness: Bool) {
        self.link = link
        passesEmptiness = passingEmptiness
    }

    /// Makes `result` follow what `forward` chooses of `outer`'s values.
    @inlinable func begin<Outer>(
        _ name: StaticString, from outer: Node<Outer>, to result: Node<Value>, state: (any OperatorState)? = nil,
        _ forward: @escaping @Sendable (RawDelivery) -> Sent
    ) {
        let edge = StatefulTransform<Outer, Value>(name: name, state: state ?? self, forward: forward)
        edge.to = result
        link.to = result
        edge.from = outer
    }

    /// Follows `node` from now on, and passes its present value on as what the delivery brings.
    @inlinable func follow<Outer>(_ node: consuming Node<Value>, _ delivery: Delivery<Outer, Value>) -> Sent {
        delivery.lead(link)
        let choice = delivery.choice
        switch delivery.takeTurnIfIdle() {
        case .mine:
            let visit = delivery.visit(.passUnretained(node))
            return delivery.end(turnWith: point(at: consume node, choice), by: visit)
        case .someone: if waitForTurn(of: node, choice, delivery) { return .nothing }
        case .refused: break
        }
        // A value that came through the result stops, but the choice that it made stands.
        _ = link.point(at: consume node) {
            guard isChosen(by: choice) else { return false }
            overtakings.add(1, ordering: .relaxed)
            return true
        }
        return .nothing
    }
    @inlinable @inline(never) func waitForTurn<Outer>(
        of node: Node<Value>, _ choice: EdgeChoice, _ delivery: Delivery<Outer, Value>
    ) -> Bool {
        let known = overtakings.load(ordering: .relaxed)
        return delivery.changeContended(through: node) { [self] in
            point(at: node, choice, unlessOvertakenSince: known)
        }
    }
    /// Whether the choice stands, which is noted then: not where the edge has been cut or given another end since. Asked under the
    /// link's lock.
    @inlinable func isChosen(by choice: EdgeChoice) -> Bool {
        guard choice.isCurrent else { return false }
        choosing.store(choice.number, ordering: .relaxed)
        return true
    }
    /// Points the link at `node`, if the choice stands, and none that was made later has overtaken it; says what becomes of the result.
    @inlinable func point(
        at node: consuming Node<Value>, _ choice: EdgeChoice, unlessOvertakenSince known: UInt64? = nil
    ) -> Value?? {
        let value = link.point(at: consume node) {
            if let known, known != overtakings.load(ordering: .relaxed) { return false }
            return isChosen(by: choice)
        }
        guard let value else { return nil }
        return value == nil && !passesEmptiness ? nil : .some(value)
    }

    /// Lets go of the node that was chosen by `linking`.
    @usableFromInline func forget(_ linking: Linking) {
        link.letGoOfSource { choosing.load(ordering: .relaxed) == linking.number }
    }
    /// Where the outer node holds none, there is nothing to follow.
    @usableFromInline func emptied(_ delivery: RawDelivery) -> Sent {
        guard passesEmptiness else { return .nothing }
        let delivery = Delivery<Never, Value>(delivery)
        let choice = delivery.choice, known = overtakings.load(ordering: .relaxed)
        return delivery.change { [self] in
            guard choice.isCurrent, known == overtakings.load(ordering: .relaxed) else { return nil }
            link.letGoOfSource { choosing.load(ordering: .relaxed) == choice.number }
            return .some(nil)
        }
    }
}
