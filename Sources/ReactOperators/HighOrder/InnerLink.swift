import ReactCore
import Synchronization

// Some operators have a second edge to their result, which they point at one node after another.

/// Such an edge, and the choice that it follows. It passes pulses on, and may pass emptiness on.
///
/// Unchecked, because only the owner of the region of the operator's other edge uses `choosing`.
@usableFromInline final class InnerLink<Value: Sendable>: @unchecked Sendable {
    @usableFromInline let edge: StatefulTransform<Value, Value>
    /// The generation of the connection of the operator's other edge that chose the source.
    @exclusivity(unchecked) @usableFromInline var choosing: UInt64 = 0

    @inlinable init(passingEmptiness: Bool) {
        edge = StatefulTransform(name: "Link", state: InnerLinkState<Value>(passingEmptiness: passingEmptiness)) {
            let delivery = EdgeCall<Value, Value>($0)
            return delivery.send(delivery.value)
        }
    }
    /// Returns true if the link leaves from `node` by the choice of the same connection, and brings that node's value
    /// itself.
    @usableFromInline func brings(valueOf node: Node<Value>, for token: ConnectionToken) -> Bool {
        edge.brings(valueOf: node) { choosing == token.generation }
    }
    /// True if the link has no connection yet, because the graph of its node is busy, and that node is empty.
    @usableFromInline var waitsAtEmptyNode: Bool { !edge.isConnected && edge.source?.isEmpty ?? false }
    /// Returns true, and notes the choice, unless the edge that chose has been cut or re-pointed since. Called under
    /// the edge's lock.
    @inlinable func isChosen(by token: ConnectionToken) -> Bool {
        guard token.isStillConnected else { return false }
        choosing = token.generation
        return true
    }
}

@usableFromInline final class InnerLinkState<Value: Sendable>: OperatorState {
    private let passesEmptiness: Bool

    @usableFromInline init(passingEmptiness: Bool) { passesEmptiness = passingEmptiness }
    @usableFromInline var facts: OperatorFacts { [.passesPulses, .isPointedAbout] }
    @usableFromInline func emptied(_ delivery: ErasedEdgeCall) -> NextEdge {
        if passesEmptiness { EdgeCall<Value, Value>(delivery).sendEmpty() }
        return .nothing
    }
}

extension EdgeCall {
    /// Leads `link` to the target of this delivery's edge, which may have changed. Does nothing if the edge has been
    /// given another target since.
    @inlinable func lead(_ link: Transform<Output, Output>) {
        guard let target = raw.target else { return }
        if link.knownTarget?.toOpaque() != target.toOpaque() { leadElsewhere(link) }
    }
    @usableFromInline @inline(never) func leadElsewhere(_ link: Transform<Output, Output>) {
        if let node = raw.target?.takeUnretainedValue().handle { link.setTarget(node) { isStillConnected } }
    }
    /// Adds `node` to the trail of this delivery's value. The caller retains `node`.
    @inlinable @inline(__always) func addEntry<Value>(for node: Unmanaged<Node<Value>>) -> Int32 {
        node._withUnsafeGuaranteedRef { node in
            raw.engine._withUnsafeGuaranteedRef { $0.addEntry(for: node.vertex) }
        }
    }
    /// Ends the turn with `change`, as `end(turnWith:)` does, for a value whose trail has the entry `entry` as well.
    @inlinable func end(turnWith change: Output??, by entry: Int32) -> NextEdge {
        if case .some(.some) = change { raw.engine._withUnsafeGuaranteedRef { $0.beginPassOfCall(by: entry) } }
        return end(turnWith: change)
    }
}
