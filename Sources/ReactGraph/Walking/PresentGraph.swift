import ReactCore

/// The graphs of this process as they are.
struct PresentGraph: WalkedGraph {
    func edges(of node: AnyNode) -> (upstream: [AnyTransform], downstream: [AnyTransform]) {
        (node.upstreamTransforms, node.downstreamTransforms)
    }
    func ends(of edge: AnyTransform) -> (source: AnyNode?, target: AnyNode?) {
        (edge.source, edge.destination as? AnyNode)
    }
    func listenings(of node: AnyNode) -> [(name: String, listener: AnyObject?, type: Any.Type)] {
        node.listenEdges.compactMap { edge in edge.destination.map { (edge.name, $0, type(of: $0)) } }
    }
    func described(_ edge: AnyTransform, from: Int?, to: Int?) -> GraphSnapshot.Edge? {
        if from == nil, edge.isPointedAbout { return nil }
        return GraphSnapshot.Edge(
            of: edge, name: edge.name, from: from, to: to, waitingCount: edge.waitingCount, inputCount: edge.inputCount)
    }
}
