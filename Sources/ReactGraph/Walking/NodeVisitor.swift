import ReactCore

/// Sees each node and each transform of a graph once. Either method may end the walk by returning `.stop`.
///
///     struct Longest: NodeVisitor {
///         var depth = 0
///         mutating func visit(_ node: AnyNode, depth: Int) -> VisitResult {
///             self.depth = max(self.depth, depth)
///             return .continue
///         }
///     }
///
///     let source = MutableNode(1)
///     let end = source.map { $0 + 1 }.filter { $0 > 0 }
///     var longest = Longest()
///     source.traverse(&longest)
///     print(longest.depth)        // 2
///
/// Here, `depth` is in the end how many steps the furthest node downstream of `source` is away.
public protocol NodeVisitor {
    /// `depth` counts from the node that the walk began at: downstream is positive, upstream negative.
    mutating func visit(_ node: AnyNode, depth: Int) -> VisitResult
    /// Comes after the node at which the walk found the transform, and before the node that it leads to.
    mutating func visit(_ transform: AnyTransform) -> VisitResult
}

extension NodeVisitor {
    /// Goes on.
    public mutating func visit(_ node: AnyNode, depth: Int) -> VisitResult { .continue }
    /// Goes on.
    public mutating func visit(_ transform: AnyTransform) -> VisitResult { .continue }
}

/// The decision of a visitor: go on or stop.
public enum VisitResult: Sendable {
    /// The walk goes on.
    case `continue`
    /// The walk ends.
    case stop
}

extension AnyNode {
    /// Walks the whole connected graph from this node, breadth first, both ways. Never recurses; rings are fine.
    ///
    /// Of each node first the upstream transforms are followed and then the downstream ones, each in the order in which
    /// they were linked, so one graph is always walked in one order. A node that can be reached by several ways counts
    /// the depth of the shortest, and of equally short ones the first.
    ///
    /// Safe while other threads edit the graph, and the visitor itself may edit it. The walk follows each node's edges
    /// as they are when it comes to them. Visited nodes stay alive until the walk ends.
    ///
    /// - Complexity: O(nodes + transforms).
    public func traverse<V: NodeVisitor>(_ visitor: inout V) {
        var walk = GraphWalk(from: [self])
        while let step = walk.next() {
            let result =
                switch step {
                case .node(let node, let depth): visitor.visit(node, depth: depth)
                case .transform(let transform, from: _, to: _): visitor.visit(transform)
                }
            if result == .stop { return }
        }
    }
}
