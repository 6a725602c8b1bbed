import ReactCore

/// The graphs of this process as they are.
struct PresentGraph: WalkedGraph {
    func identity(of node: AnyNode) -> ObjectIdentifier { ObjectIdentifier(node) }
    func identity(of edge: AnyTransform) -> ObjectIdentifier { ObjectIdentifier(edge) }
    func edges(of node: AnyNode) -> (upstream: [AnyTransform], downstream: [AnyTransform]) {
        (node.upstreamTransforms, node.downstreamTransforms)
    }
    func ends(of edge: AnyTransform) -> (source: AnyNode?, target: AnyNode?) {
        (edge.source, edge.destination as? AnyNode)
    }
}
