import ReactCore

extension AnyNode {
    /// A sequence that ends when all that is under way in the node's graph is over. It does not hold the node.
    var endOfPresentWork: AsyncStream<Void> {
        AsyncStream { end in LateWork.afterPresentWork(at: self) { end.finish() } }
    }
}
