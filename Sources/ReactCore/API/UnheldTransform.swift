/// A transform that does not hold the node that it leaves from, and is cut when that goes.
///
/// Unchecked, because what it adds changes in `relink` alone, under the edge's lock.
package final class UnheldTransform<Input: Sendable, Output: Sendable>: Transform<Input, Output>, @unchecked Sendable {
    /// There while the edge is linked: its handle cuts that when it goes.
    private var unheld: Unmanaged<Vertex>?

    @usableFromInline package override init(name: String, forward: @escaping @Sendable (RawDelivery) -> Sent) {
        super.init(name: name, forward: forward)
    }
    override var unheldOrigin: Unmanaged<Vertex>? { unheld }
    override var heedsSource: Bool { false }

    /// Sets both ends, which it has none of yet.
    func lead(from source: AnyNode, to node: AnyNode) {
        _ = relink(replays: false) {
            unheld = .passUnretained(source.vertex)
            setTarget(node.vertex, &$0)
        }
    }
    override func linkingEnds() { unheld = nil }
    override func forwardEmpty(_ delivery: RawDelivery) -> Sent { .nothing }
}
