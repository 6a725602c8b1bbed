import Synchronization

// Some operators have a second edge to their result, which they point at one node after another.

/// The second edge of such an operator. It is stateless, but may pass emptiness on. Unchecked, as `AnyEdge` is: it adds
/// a constant.
@usableFromInline package final class InnerLink<Value: Sendable>: OperatorTransform<Value, Value>, @unchecked Sendable {
    @usableFromInline let passesEmptiness: Bool

    @inlinable package init(passingEmptiness: Bool) {
        passesEmptiness = passingEmptiness
        super.init(name: "Link") {
            let delivery = Delivery<Value, Value>($0)
            return delivery.send(delivery.value)
        }
    }
    override package var isPointedAbout: Bool { true }
    override func forwardEmpty(_ delivery: RawDelivery) -> Sent {
        if passesEmptiness { Delivery<Value, Value>(delivery).sendEmpty() }
        return .nothing
    }
}

extension Delivery {
    /// Leads `link` to the target of this delivery's edge, which may have changed. Does nothing if the edge has been
    /// given another target since.
    @inlinable package func lead(_ link: Transform<Output, Output>) {
        guard let target = raw.target else { return }
        if link.target.load(ordering: .relaxed)?.toOpaque() != target.toOpaque() { leadElsewhere(link) }
    }
    @usableFromInline @inline(never) func leadElsewhere(_ link: Transform<Output, Output>) {
        if let node = raw.target?.takeUnretainedValue().handle { link.setTarget(node) { isCurrent } }
    }
}

extension Delivery {
    /// Adds `node` to the trail of this delivery's value. The caller retains `node`.
    @inlinable @inline(__always) package func visit<Value>(_ node: Unmanaged<Node<Value>>) -> Int32 {
        node._withUnsafeGuaranteedRef { node in
            raw.propagation._withUnsafeGuaranteedRef { $0.visit(node.vertex) }
        }
    }
    /// Ends the turn with `change`, as `end(turnWith:)` does, for a value whose trail has the entry `visit` as well.
    @inlinable package func end(turnWith change: Output??, by visit: Int32) -> Sent {
        if case .some(.some) = change {
            raw.propagation._withUnsafeGuaranteedRef { $0.beginRunOfCall(by: visit) }
        }
        return end(turnWith: change)
    }
}

extension Delivery {
    /// True during the edge's initial delivery.
    @usableFromInline package var isTakingOver: Bool {
        raw.edge._withUnsafeGuaranteedRef { $0.link.load(ordering: .relaxed) & LinkWord.replaying != 0 }
    }
    /// The handle of the node that the edge leaves from, even if the delivered value is a copy.
    package var from: Node<Input>? {
        raw.edge._withUnsafeGuaranteedRef { $0.source }.map { unsafeDowncast($0, to: Node<Input>.self) }
    }
    /// The handle of the node that the edge leads to.
    package var targetNode: Node<Output>? {
        raw.target?.takeUnretainedValue().handle.map { unsafeDowncast($0, to: Node<Output>.self) }
    }
}
