import Synchronization

// Some operators have a second edge to their result, which they point at one node after the other.

/// Such an edge. It remembers nothing; but it may pass emptiness on. Unchecked, as `AnyEdge` is: it adds a constant.
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
    /// Has `link` lead to where this delivery's edge leads, which may have been given another target; unless that was given another
    /// one since.
    @inlinable package func lead(_ link: Transform<Output, Output>) {
        guard let target = raw.target else { return }
        if link.target.load(ordering: .relaxed)?.toOpaque() != target.toOpaque() { leadElsewhere(link) }
    }
    @usableFromInline @inline(never) func leadElsewhere(_ link: Transform<Output, Output>) {
        if let node = raw.target?.takeUnretainedValue().handle { link.setTarget(node) { isCurrent } }
    }
}

extension Delivery {
    /// Notes that what the delivery brings is to come through `node` as well; who calls holds that.
    @inlinable @inline(__always) package func visit<Value>(_ node: Unmanaged<Node<Value>>) -> Int32 {
        node._withUnsafeGuaranteedRef { node in
            raw.propagation._withUnsafeGuaranteedRef { $0.visit(node.vertex) }
        }
    }
    /// The same as `end(turnWith:)`, for a value that has come by `visit` as well.
    @inlinable package func end(turnWith change: Output??, by visit: Int32) -> Sent {
        if case .some(.some) = change {
            raw.propagation._withUnsafeGuaranteedRef { $0.beginRunOfCall(by: visit) }
        }
        return end(turnWith: change)
    }
}

extension Delivery {
    /// Whether the edge is still catching up with what its source held when it was linked.
    @usableFromInline package var isTakingOver: Bool {
        raw.edge._withUnsafeGuaranteedRef { $0.link.load(ordering: .relaxed) & LinkWord.replaying != 0 }
    }
    /// The node that the edge leaves from, as users hold it: also where what is delivered is a copy of its value.
    package var from: Node<Input>? {
        raw.edge._withUnsafeGuaranteedRef { $0.source }.map { unsafeDowncast($0, to: Node<Input>.self) }
    }
    /// The node that it leads to, as users hold it.
    package var targetNode: Node<Output>? {
        raw.target?.takeUnretainedValue().handle.map { unsafeDowncast($0, to: Node<Output>.self) }
    }
}
