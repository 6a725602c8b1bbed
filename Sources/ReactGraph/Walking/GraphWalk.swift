import ReactCore

/// The breadth-first walk behind `traverse` and snapshots, one step at a time.
///
/// - A node gets its position in `nodes` when the walk first finds it. Nodes are visited in that order.
/// - The ends of a transform are read once, when it is visited, and both become part of the walk. So every end of a
///   visited transform is a position in `nodes`, or `nil`, even while other threads link and cut.
/// - `nodes` and `transforms` retain their elements, so no address is reused while it marks an element as seen.
struct GraphWalk: IteratorProtocol {
    enum Step {
        case node(AnyNode, depth: Int)
        /// The ends are positions in `nodes`.
        case transform(AnyTransform, from: Int?, to: Int?)
    }

    private(set) var nodes: [AnyNode] = []
    private var transforms: [AnyTransform] = []

    /// The starting points of the graphs that are still to be walked, last first.
    private var starts: [AnyNode]
    private var depths: [Int] = []
    private var positions: [ObjectIdentifier: Int] = [:]
    private var seenTransforms: Set<ObjectIdentifier> = []

    /// The position of the next node to visit. The walk is visiting the transforms of the node before it.
    private var nextNode = 0
    private var upstream: ArraySlice<AnyTransform> = []
    private var downstream: ArraySlice<AnyTransform> = []

    init(from starts: [AnyNode]) {
        self.starts = starts.reversed()
    }

    mutating func next() -> Step? {
        let depth = nextNode == 0 ? 0 : depths[nextNode - 1]
        while let transform = upstream.popFirst() {
            if let step = visit(transform, sourceDepth: depth - 1, destinationDepth: depth) { return step }
        }
        while let transform = downstream.popFirst() {
            if let step = visit(transform, sourceDepth: depth, destinationDepth: depth + 1) { return step }
        }
        while nextNode == nodes.count {
            guard let start = starts.popLast() else { return nil }
            _ = position(of: start, depth: 0)
        }
        let node = nodes[nextNode]
        upstream = node.upstreamTransforms[...]
        downstream = node.downstreamTransforms[...]
        nextNode += 1
        return .node(node, depth: depths[nextNode - 1])
    }

    /// Returns the step for a transform. Returns `nil` if the transform was visited before, or was cut from both its
    /// nodes before the walk came to it.
    private mutating func visit(_ transform: AnyTransform, sourceDepth: Int, destinationDepth: Int) -> Step? {
        guard seenTransforms.insert(ObjectIdentifier(transform)).inserted else { return nil }
        transforms.append(transform)
        let source = transform.source
        let destination = transform.destination as? AnyNode
        if source == nil && destination == nil { return nil }
        return .transform(
            transform,
            from: source.map { position(of: $0, depth: sourceDepth) },
            to: destination.map { position(of: $0, depth: destinationDepth) }
        )
    }

    private mutating func position(of node: AnyNode, depth: Int) -> Int {
        // The walk found the transform at one of its ends.
        if nextNode > 0, node === nodes[nextNode - 1] { return nextNode - 1 }
        let key = ObjectIdentifier(node)
        if let known = positions[key] { return known }
        positions[key] = nodes.count
        nodes.append(node)
        depths.append(depth)
        return nodes.count - 1
    }
}
