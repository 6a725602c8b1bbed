/// What travels beside a value: anything the setter wants its receivers to see.
public typealias NodeContext = any Sendable

/// A node whose value type is not known: what traversal and debugging work with.
///
/// Two references are equal when they are the same node. All members are safe from any thread.
///
/// A node is the handle of a vertex, which is what the engine works on. When the handle goes, the node's upstream edges
/// are taken out of their sources, and with them goes what nobody else holds.
///
/// Unchecked, because its one stored property is a constant, and the vertex is safe from any thread.
public class AnyNode: Hashable, Identifiable, CustomStringConvertible, @unchecked Sendable {
    @usableFromInline final let vertex: Vertex

    @usableFromInline init(_ vertex: Vertex) {
        self.vertex = vertex
        vertex.beginHandle(self)
        if Recording.isOn { RecordedObjects.made(self) }
        #if DEBUG
        LiveObjects.nodes.add(1, ordering: .relaxed)
        #endif
    }
    deinit {
        Unmanaged.passUnretained(vertex)._withUnsafeGuaranteedRef {
            $0.endHandle()
            // Whoever holds an operator's transform may hold the vertex by that.
            if let source = $0.abandon() { $0.forgetValue(afterTurnOf: source) }
        }
        #if DEBUG
        LiveObjects.nodes.subtract(1, ordering: .releasing)
        #endif
    }

    /// A name for debugging and graphs; `nil` until set. Safe from any thread.
    public final var name: String? {
        get { vertex.locking { vertex.rare?.name } }
        set { vertex.locking { vertex.rareLocked.name = newValue } }
    }
    /// Sets `name` and returns the node, for chains.
    ///
    ///     let total = MutableNode(12).named("total")
    ///     print(total)        // Node(named: total, value: 12)
    @discardableResult public final func named(_ name: String) -> Self {
        self.name = name
        return self
    }

    /// Whether the node may be set from outside.
    public final var isMutable: Bool { vertex.locking { vertex.isMutable } }
    /// Whether the node holds nothing. A node of an optional type that holds `nil` is not empty.
    ///
    ///     let choice = MutableNode<Int?>()
    ///     choice.value = nil
    ///     print(choice.isEmpty)       // false
    public final var isEmpty: Bool { vertex.locking { vertex.holdsNothing } }
    /// The value as text, `nil` while empty. It is made by the value's own `description`, with no lock held.
    ///
    /// A node that was `redacted()` says only that. Nodes that are, or are in, the value are described in turn; where that would
    /// come round to this one, or go more than four deep, a `…` stands for the value.
    public final var valueDescription: String? { vertex.shownValue() }
    /// The type of the values, such as `Int`.
    public final var valueType: Any.Type { vertex.valueType }

    /// Whether the two are the same node.
    public static func == (lhs: AnyNode, rhs: AnyNode) -> Bool { lhs === rhs }
    /// Hashes the node's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    /// `Node(named: total, value: 12)`, and `Node<Int>(12)` for a node without a name; `empty` stands for no value.
    public var description: String { vertex.description }
}

// MARK: - Simple access

// Every answer is a snapshot: safe to keep, safe to edit the graph while walking it.
// An edge with only one end set counts in `…Transforms`, and not in `…Nodes`.
extension AnyNode {
    /// The nodes that this one's values come from, in the order in which they were linked, each once.
    ///
    /// As all that is told of neighbours, it is a snapshot: safe to keep, and to edit the graph while walking it. An edge with
    /// only one end set counts among the transforms, and not among the nodes.
    ///
    ///     let price = MutableNode(20).named("price")
    ///     let double = price.map { $0 * 2 }
    ///     print(double.upstreamNodes)     // [Node(named: price, value: 20)]
    ///
    /// - Complexity: O(edges).
    public final var upstreamNodes: [AnyNode] { unique(upstreamTransforms.compactMap(\.source)) }
    /// The nodes that this one's values go to, in the order in which they were linked, each once. O(edges).
    public final var downstreamNodes: [AnyNode] { unique(downstreamTransforms.compactMap(\.destinationNode)) }
    /// The transforms that lead here, in the order in which `to` was set. O(edges).
    public final var upstreamTransforms: [AnyTransform] {
        vertex.locking { vertex.upstream.all }.map { unsafeDowncast($0, to: AnyTransform.self) }
    }
    /// The transforms that leave from here: those that are linked, in order, then those that lead nowhere. O(edges).
    public final var downstreamTransforms: [AnyTransform] {
        vertex.downstreamEdges.compactMap { $0 as? AnyTransform }
    }
    /// The listen edges whose listener is still alive, in the order of attaching. O(edges).
    public final var listenEdges: [AnyListenEdge] {
        vertex.locking { vertex.listens.all }.map { unsafeDowncast($0, to: AnyListenEdge.self) }
            .filter { $0.destination != nil }
    }
    /// The transforms that lead here from `node`.
    public final func upstreamTransforms(from node: AnyNode) -> [AnyTransform] {
        upstreamTransforms.filter { $0.source === node }
    }
    /// The transforms that lead from here to `node`.
    public final func downstreamTransforms(to node: AnyNode) -> [AnyTransform] {
        downstreamTransforms.filter { $0.destination === node }
    }
    /// Whether some node's values come here.
    public final var hasUpstreamNode: Bool { upstreamTransforms.contains { $0.source != nil } }
    /// Whether this node's values go to some node.
    public final var hasDownstreamNode: Bool { downstreamTransforms.contains { $0.destination != nil } }
    /// Whether a listener that is still alive hears this node.
    public final var hasListener: Bool { !listenEdges.isEmpty }

    private final func unique(_ nodes: [AnyNode]) -> [AnyNode] {
        var seen: Set<AnyNode> = []
        return nodes.filter { seen.insert($0).inserted }
    }
}

// MARK: - Disconnecting

// Removing what is not connected does nothing.
extension AnyNode {
    /// Disconnects, at both ends, all transforms that lead here from `node`. Does nothing where there are none.
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
