/// The breadth-first walk behind `traverse`, snapshots, and graphs of the past, one step at a time.
///
/// - A node gets its position in `nodes` when the walk first finds it. Nodes are visited in that order.
/// - The ends of an edge are read once, when it is visited, and both become part of the walk. So every end of a visited
///   edge is a position in `nodes`, or `nil`, even while other threads link and cut.
/// - The walk retains all nodes and edges, so no address is reused while it marks an element as seen.
struct GraphWalk<Graph: WalkedGraph>: IteratorProtocol {
    typealias Node = Graph.Node
    typealias Edge = Graph.Edge
    enum Step {
        case node(Node, depth: Int)
        /// The ends are positions in `nodes`.
        case edge(Edge, from: Int?, to: Int?)
    }

    private(set) var nodes: [Node] = []
    private let graph: Graph

    /// The starting points of the graphs that are still to be walked, last first.
    private var starts: [Node]
    private var depths: [Int] = []
    private var positions: [Node: Int] = [:]
    private var seenEdges: Set<Edge> = []

    /// The position of the next node to visit. The walk is visiting the edges of the node before it.
    private var nextNode = 0
    private var upstream: ArraySlice<Edge> = []
    private var downstream: ArraySlice<Edge> = []

    init(_ graph: Graph, from starts: [Node]) { (self.graph, self.starts) = (graph, starts.reversed()) }

    mutating func next() -> Step? {
        let depth = nextNode == 0 ? 0 : depths[nextNode - 1]
        while let edge = upstream.popFirst() {
            if let step = visit(edge, sourceDepth: depth - 1, targetDepth: depth) { return step }
        }
        while let edge = downstream.popFirst() {
            if let step = visit(edge, sourceDepth: depth, targetDepth: depth + 1) { return step }
        }
        while nextNode == nodes.count {
            guard let start = starts.popLast() else { return nil }
            _ = position(of: start, depth: 0)
        }
        let node = nodes[nextNode], (upstream, downstream) = graph.edges(of: node)
        (self.upstream, self.downstream) = (upstream[...], downstream[...])
        nextNode += 1
        return .node(node, depth: depths[nextNode - 1])
    }

    /// Returns the step for an edge. Returns `nil` if the edge was visited before, or was cut from both its nodes
    /// before the walk came to it.
    private mutating func visit(_ edge: Edge, sourceDepth: Int, targetDepth: Int) -> Step? {
        guard seenEdges.insert(edge).inserted else { return nil }
        let (source, target) = graph.ends(of: edge)
        if source == nil && target == nil { return nil }
        return .edge(
            edge, from: source.map { position(of: $0, depth: sourceDepth) },
            to: target.map { position(of: $0, depth: targetDepth) })
    }

    private mutating func position(of node: Node, depth: Int) -> Int {
        // The walk found the edge at one of its ends.
        if nextNode > 0, node == nodes[nextNode - 1] { return nextNode - 1 }
        if let known = positions[node] { return known }
        positions[node] = nodes.count
        nodes.append(node)
        depths.append(depth)
        return nodes.count - 1
    }
}
