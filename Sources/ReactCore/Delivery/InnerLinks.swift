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
