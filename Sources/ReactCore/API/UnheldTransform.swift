/// A transform that does not hold the node that it leaves from, and is cut when that goes.
///
/// Unchecked, because what it adds changes in `relink` alone, under the edge's lock.
package final class UnheldTransform<Input: Sendable, Output: Sendable>: Transform<Input, Output>, @unchecked Sendable {
    /// There while the edge is linked: its handle cuts that when it goes.
    private var unheld: Unmanaged<Vertex>?

    @usableFromInline package override init(name: StaticString, forward: @escaping @Sendable (RawDelivery) -> Sent) {
        super.init(name: name, forward: forward)
    }
    override package var holdsSource: Bool { false }
    /// What it leads back is a part of what the node holds then.
    override package var passesOn: Bool { true }
    override var unheldOrigin: Unmanaged<Vertex>? { unheld }
    override var heedsSource: Bool { false }

    /// Links `source` to `node`, as something of that node's which does not hold `source`: it goes when that does. The present value is
    /// not sent. Precondition: nobody else knows the transform, which has no ends yet.
    package func lead(from source: Node<Input>, to node: Node<Output>) {
        _ = relink(replays: false) {
            unheld = .passUnretained(source.vertex)
            setTarget(node.vertex, &$0)
        }
    }
    /// Where the edge is to lead elsewhere, its source is held meanwhile, and so cuts the new linking as well when it goes.
    override func setTarget(_ node: AnyNode?, if condition: () -> Bool = { true }) {
        guard let node, let origin = source else { return super.setTarget(node, if: condition) }
        var isUnheld = false
        relink(if: {
            isUnheld = unheld?.toOpaque() == Unmanaged.passUnretained(origin.vertex).toOpaque()
            return condition() && !leads(to: node.vertex)
        }) {
            if isUnheld { unheld = .passUnretained(origin.vertex) }
            setTarget(node.vertex, &$0)
        }.perform(self)
        withExtendedLifetime(origin) {}
    }
    override func linkingEnds() { unheld = nil }
    override func forwardEmpty(_ delivery: RawDelivery) -> Sent { .nothing }
}
