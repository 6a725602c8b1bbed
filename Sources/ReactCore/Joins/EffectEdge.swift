/// The edge from the node of an effect to its listener. It holds the join until the effect ends, even while the body
/// reads nothing.
///
/// Unchecked, as `AnyEdge` is: its field changes under the edge's lock.
package final class EffectEdge: ListenEdge<Void>, @unchecked Sendable {
    @exclusivity(unchecked) private var join: Join?

    package init(_ join: Join) {
        self.join = join
        super.init { _ in .nothing }
    }
    override var asksForSenders: Bool { false }
    override func forwardEmpty(_ delivery: ErasedEdgeCall) -> NextEdge { .nothing }
    override func didDisconnect(_ connection: Connection) {
        // An edge that gets another listener keeps its node.
        let ended = lock.locking { fromNode == nil ? join.take() : nil }
        if let body = ended?.body { IterativeRelease.letGo(of: .passRetained(body.end())) }
    }
}
