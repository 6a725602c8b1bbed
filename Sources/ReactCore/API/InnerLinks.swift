import Synchronization

// Some operators have a second edge to their result, which they point at one node after the other.

extension Delivery {
    /// Has `link` lead to where this delivery's edge leads, which may have been given another target.
    @inlinable package func lead(_ link: Transform<Output, Output>) {
        guard let target = raw.target else { return }
        if link.target.load(ordering: .relaxed)?.toOpaque() != target.toOpaque() { leadElsewhere(link) }
    }
    @usableFromInline @inline(never) func leadElsewhere(_ link: Transform<Output, Output>) {
        if let node = raw.target?.takeUnretainedValue().handle { link.to = unsafeDowncast(node, to: Node<Output>.self) }
    }
}

extension Delivery {
    @usableFromInline package var choice: EdgeChoice { EdgeChoice(edge: raw.edge, number: linking.number) }

    /// Notes that what the delivery brings is to come through `node` as well.
    @inlinable package func visit(_ node: AnyNode) -> ExtraVisit {
        raw.propagation._withUnsafeGuaranteedRef { $0.visit(node.vertex) }
    }
    /// The same as `end(turnWith:)`, for a value that has come by `visit` as well.
    @inlinable package func end(turnWith change: Output??, by visit: ExtraVisit) -> Sent {
        if case .some(.some) = change {
            raw.propagation._withUnsafeGuaranteedRef { $0.beginRunOfCall(by: visit) }
        }
        return end(turnWith: change)
    }
}

extension Delivery {
    /// The edge's two ends, as users hold them.
    package var sourceNode: Node<Input>? {
        raw.source.takeUnretainedValue().handle.map { unsafeDowncast($0, to: Node<Input>.self) }
    }
    package var targetNode: Node<Output>? {
        raw.target?.takeUnretainedValue().handle.map { unsafeDowncast($0, to: Node<Output>.self) }
    }
    /// Whether the value was at the target just before it came to the source.
    package var comesStraightBack: Bool {
        guard let target = targetNode else { return false }
        return senders.senders.dropFirst().first === target
    }
}
