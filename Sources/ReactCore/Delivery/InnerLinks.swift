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

/// An edge, as it was linked when it made a choice. Used while the edge is held: in its call, or in what waits for a turn of it.
@usableFromInline package struct EdgeChoice {
    @usableFromInline let edge: Unmanaged<AnyEdge>
    @usableFromInline package let number: UInt64

    @usableFromInline init(edge: Unmanaged<AnyEdge>, number: UInt64) {
        self.edge = edge
        self.number = number
    }
    /// Whether the edge is still linked so.
    @usableFromInline package var isCurrent: Bool { edge._withUnsafeGuaranteedRef { $0.isLinked(by: number) } }
}

extension Delivery {
    @usableFromInline package var choice: EdgeChoice { EdgeChoice(edge: raw.edge, number: linking.number) }

    /// The same as `end(turnWith:)`, for a value that has come through `node` as well.
    @inlinable package func end(turnWith change: Output??, through node: AnyNode) -> Sent {
        if case .some(.some) = change {
            raw.propagation._withUnsafeGuaranteedRef { $0.beginRunOfCall(through: node.vertex) }
        }
        return end(turnWith: change)
    }
}
