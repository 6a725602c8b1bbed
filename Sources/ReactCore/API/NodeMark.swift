import Synchronization

/// A mark of a node: an edge that calls a closure with each value that the node stores, and with each emptying, before
/// the node's other edges are called. Journals and `expectRuns` use marks.
///
/// A mark stands at the front of the node's list, and has no listener. So a node without a mark pays nothing. The lists
/// that users read leave out edges whose listener has gone, and so marks. Observers do not see them. A mark does not
/// hold its node, and ends with it.
///
/// Unchecked, as `AnyEdge` is: `marked` changes under the edge's lock alone.
package final class NodeMark: AnyListenEdge, @unchecked Sendable {
    @exclusivity(unchecked) private var marked: Unmanaged<Vertex>?
    private let isOver = Atomic(false)
    fileprivate let heard: @Sendable (MarkedStore) -> Void

    package init(_ heard: @escaping @Sendable (MarkedStore) -> Void) {
        self.heard = heard
        super.init { NodeMark.hear(MarkedStore(call: $0, isEmptying: false)) }
    }
    override var isMark: Bool { true }
    override var asksForSenders: Bool { false }
    override var isConnectableToListener: Bool { marked != nil }
    override var sourceNotHeld: Unmanaged<Vertex>? { marked }
    override func leadNowhere(_ deferred: inout DeferredReleases) { marked = nil }
    override func forwardEmpty(_ delivery: ErasedEdgeCall) -> NextEdge {
        NodeMark.hear(MarkedStore(call: delivery, isEmptying: true))
    }
    private static func hear(_ store: MarkedStore) -> NextEdge {
        store.call.edge._withUnsafeGuaranteedRef { unsafeDowncast($0, to: NodeMark.self).heard(store) }
        return .nothing
    }

    /// Marks `node`, when its graph is this thread's. Then `read` is called with its vertex.
    package func begin(at node: AnyNode, reading read: @escaping @Sendable (Vertex) -> Void = { _ in }) {
        Engine.hasMarks.store(true, ordering: .releasing)
        node.inGraph { [self] in
            guard !isOver.load(ordering: .acquiring) else { return }
            _ = reconnect(mayBeHalfConnected: false, catchesUp: false, reading: { $0.listens.moveLastToFront() }) { _ in
                marked = .passUnretained(node.vertex)
            }
            read(node.vertex)
        }
    }
    /// Ends the mark, as `cancel()` ends a listening.
    package func end() {
        isOver.store(true, ordering: .releasing)
        cutAndWait()
    }
}

/// A value that a marked node has stored, or an emptying. Valid during the call of the mark.
package struct MarkedStore {
    package let call: ErasedEdgeCall
    package let isEmptying: Bool

    /// The value. Precondition: the node has values of this type, and was not emptied.
    package func value<Value: Sendable>(as type: Value.Type) -> Value { EdgeCall<Value, Never>(call).value }
    package var isPulse: Bool { call.engine._withUnsafeGuaranteedRef { $0.callBringsPulse } }
    package var origin: SetOrigin { call.engine._withUnsafeGuaranteedRef { $0.originOfDelivery } }
    /// The vertex where the delivery began that has led to this store; `nil` if that is not known.
    package var beginning: Vertex? { call.engine._withUnsafeGuaranteedRef { $0.beginningOfDelivery } }
    /// The transaction during which the value was stored.
    package var transaction: Transaction { Transaction(of: call.engine) }
}
