// MARK: - Simple access

// Every result is a snapshot, so it is safe to keep, and to edit the graph while walking it. An edge with only one end
// counts in `…Transforms`, and not in `…Nodes`.
extension AnyNode {
    /// The nodes that this node's values come from, in the order in which they were linked, each once.
    ///
    /// This is a snapshot, like all results about neighbours: it is safe to keep it, and to edit the graph while
    /// walking it. An edge with only one end counts among the transforms, and not among the nodes.
    ///
    ///     let price = MutableNode(20).named("price")
    ///     let double = price.map { $0 * 2 }
    ///     print(double.upstreamNodes)     // [Node(named: price, value: 20)]
    ///
    /// - Complexity: O(n) for n edges.
    public final var upstreamNodes: [AnyNode] { unique(upstreamTransforms.compactMap(\.source)) }
    /// The nodes that this node's values go to, in the order in which they were linked, each once. O(n) for n edges.
    public final var downstreamNodes: [AnyNode] { unique(downstreamTransforms.compactMap(\.destinationNode)) }
    /// The transforms that lead here, in the order in which `to` was set. O(n) for n edges.
    public final var upstreamTransforms: [AnyTransform] {
        vertex.locking { vertex.upstream.all }.map { unsafeDowncast($0, to: AnyTransform.self) }
    }
    /// The transforms that leave from here: first those with both ends, in order, then those that lead nowhere. O(n)
    /// for n edges.
    public final var downstreamTransforms: [AnyTransform] {
        vertex.downstreamEdges.compactMap { $0 as? AnyTransform }
    }
    /// The listen edges whose listener is still alive, in the order in which they were attached. O(n) for n edges.
    public final var listenEdges: [AnyListenEdge] {
        vertex.locking { vertex.listens.all }.map { unsafeDowncast($0, to: AnyListenEdge.self) }
            .filter { $0.destination != nil }
    }
    /// Returns the transforms that lead here from `node`.
    public final func upstreamTransforms(from node: AnyNode) -> [AnyTransform] {
        upstreamTransforms.filter { $0.source === node }
    }
    /// Returns the transforms that lead from here to `node`.
    public final func downstreamTransforms(to node: AnyNode) -> [AnyTransform] {
        downstreamTransforms.filter { $0.destination === node }
    }
    /// True if another node's values come here.
    ///
    /// - Complexity: O(1), unless the newest of the transforms has no `from`; then O(n) for n edges.
    public final var hasUpstreamNode: Bool {
        guard let newest = vertex.locking({ vertex.upstream.last }) else { return false }
        return newest.source != nil || upstreamTransforms.contains { $0.source != nil }
    }
    /// True if this node's values go to another node.
    ///
    /// - Complexity: O(1), unless the target of the newest transform is being deallocated; then O(n) for n edges.
    public final var hasDownstreamNode: Bool {
        guard let newest = vertex.locking({ vertex.transforms.last }) else { return false }
        return newest.currentDestination != nil || downstreamTransforms.contains { $0.destination != nil }
    }
    /// True if a listener that is still alive hears this node.
    ///
    /// - Complexity: O(1), unless the newest listener is gone and had no `Lifetime`; then O(n) for n listen edges.
    public final var hasListener: Bool {
        guard let newest = vertex.locking({ vertex.listens.last }) else { return false }
        return newest.currentDestination != nil || !listenEdges.isEmpty
    }

    private final func unique(_ nodes: [AnyNode]) -> [AnyNode] {
        var seen: Set<AnyNode> = []
        return nodes.filter { seen.insert($0).inserted }
    }
}

// MARK: - Disconnecting

// Disconnecting nodes that are not connected does nothing.
extension AnyNode {
    /// Disconnects, at both ends, all transforms that lead here from `node`. Does nothing if there are none.
    ///
    ///     let price = MutableNode(20)
    ///     let double = price.map { $0 * 2 }
    ///     double.removeUpstreamNode(price)
    ///     price.value = 30
    ///     print(double.current)        // 40
    public final func removeUpstreamNode(_ node: AnyNode) { upstreamTransforms(from: node).forEach { $0.cancel() } }
    /// Disconnects, at both ends, all transforms that lead here.
    public final func removeUpstreamNodes() { upstreamTransforms.forEach { $0.cancel() } }
    /// Disconnects, at both ends, all transforms that lead from here to `node`.
    public final func removeDownstreamNode(_ node: AnyNode) { downstreamTransforms(to: node).forEach { $0.cancel() } }
    /// Disconnects, at both ends, all transforms that leave from here.
    public final func removeDownstreamNodes() { downstreamTransforms.forEach { $0.cancel() } }
}
