extension AnyNode {
    /// Does `body` as a transaction in the graph of the node: now, after a wait, or later. What `body` sends to the
    /// node is sent before it returns.
    ///
    /// - Parameters:
    ///   - leave: Called first, at once, if `body` is not done before this returns.
    ///   - body: The work.
    package final func inGraph(leaving leave: () -> Void = {}, _ body: @escaping () -> Void) {
        Engine.current.transaction { $0.perform(in: vertex, leaving: leave) { _ in body() } }
    }
}
extension AnyEdge {
    /// Does `body` in the graph of the edge's target, as `AnyNode.inGraph` does; at once if the edge leads to no node.
    package final func inGraphOfTarget(leaving leave: () -> Void = {}, _ body: @escaping () -> Void) {
        guard let target = vertices.target else { return body() }
        Engine.current.transaction { $0.perform(in: target, leaving: leave) { _ in body() } }
    }
}
