/// A transform that does not retain its source, and is cut when the source is deallocated.
///
/// Unchecked, because its field changes only in `relink`, under the edge's lock.
package final class UnheldTransform<Input: Sendable, Output: Sendable>: Transform<Input, Output>, @unchecked Sendable {
    /// The source. It exists while the edge is connected, because its handle cuts the edge before it goes.
    private var unheld: Unmanaged<Vertex>?

    @usableFromInline package override init(name: StaticString, forward: @escaping @Sendable (RawDelivery) -> Sent) {
        super.init(name: name, forward: forward)
    }
    override package var holdsSource: Bool { false }
    /// The edge leads back a value that is then a part of the node's value.
    override package var passesOn: Bool { true }
    override var unheldOrigin: Unmanaged<Vertex>? { unheld }
    override var heedsSource: Bool { false }

    /// Links `source` to `node` without retaining `source`: the transform belongs to `node`, and goes when `source`
    /// does. Does not send the present value. Precondition: the transform has no ends yet, and nobody else refers to
    /// it.
    package func lead(from source: Node<Input>, to node: Node<Output>) {
        _ = relink(replays: false) {
            unheld = .passUnretained(source.vertex)
            setTarget(node.vertex, &$0)
        }
    }
    /// Retains the source while the edge gets another target, so that the source cuts the new connection as well when
    /// it goes.
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
