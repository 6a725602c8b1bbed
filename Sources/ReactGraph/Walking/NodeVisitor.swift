import ReactCore

/// Visits each node and each transform of a graph once. Either method may end the walk by returning `.stop`.
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
/// At the end, `depth` is the number of steps to the furthest node downstream of `source`.
public protocol NodeVisitor {
    /// Called for each node, on the thread that calls `traverse`. `depth` counts from the node that the walk began at:
    /// positive downstream, negative upstream.
    mutating func visit(_ node: AnyNode, depth: Int) -> VisitResult
    /// Called for each transform, on the thread that calls `traverse`. It comes after the node at which the walk found
    /// it, and before the node at its other end, unless that node was visited before.
    mutating func visit(_ transform: AnyTransform) -> VisitResult
}

extension NodeVisitor {
    /// Continues the walk. Called on the thread of `traverse`.
    public mutating func visit(_ node: AnyNode, depth: Int) -> VisitResult { .continue }
    /// Continues the walk. Called on the thread of `traverse`.
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
    /// Walks the whole connected graph from this node, breadth first, upstream and downstream. Rings are allowed. The
    /// walk never recurses. Safe from any thread.
    ///
    /// The walk follows a node's upstream transforms first, then its downstream transforms, each in the order in which
    /// they were linked. So it walks one graph always in one order. If several ways lead to a node, its depth is that
    /// of the shortest, and of equally short ways that of the first.
    ///
    /// Other threads, and the visitor itself, may edit the graph during the walk. The walk follows each node's edges as
    /// they are when it comes to them. Visited nodes stay alive until the walk ends.
    ///
    /// - Complexity: O(nodes + transforms).
    public func traverse<V: NodeVisitor>(_ visitor: inout V) {
        var walk = GraphWalk(PresentGraph(), from: [self])
        while let step = walk.next() {
            let result =
                switch step {
                case .node(let node, let depth): visitor.visit(node, depth: depth)
                case .edge(let transform, from: _, to: _): visitor.visit(transform)
                }
            if result == .stop { return }
        }
    }
}
