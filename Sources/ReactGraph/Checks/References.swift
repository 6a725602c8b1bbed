import ReactCore

extension LiveGraph {
    /// Returns true for each node that has a reference from outside the graph and this walk. A reference to an edge
    /// that comes from the node counts too.
    ///
    /// References from the graph are known. A node is held once by each transform that comes from it and by each listen
    /// edge. A transform is held by the nodes at its ends. Any further reference, except that of this walk, is from
    /// outside. For transforms, weak and unowned references count too, because the `Cancelable` of a link has one, and
    /// its owner can still cut the link.
    ///
    /// The number of references of the walk and of the counting itself depends on the optimiser. It is measured on a
    /// link that has no other reference.
    func referencesFromOutside() -> [Bool] {
        let usual = Self.usualReferences
        var own = snapshot.nodes.map(\.listenerCount)
        for (edge, transform) in zip(snapshot.edges, transforms) where transform.holdsSource {
            if let source = edge.from { own[source] += 1 }
        }
        var isReferred = zip(Self.references(to: nodes), own).map { count, own in count > usual.node + own }
        for (edge, count) in zip(snapshot.edges, Self.references(to: transforms)) {
            if let source = edge.from, count > usual.transform { isReferred[source] = true }
        }
        return isReferred
    }

    /// The reference counts of a node without edges, and of a transform with two ends, without any reference from
    /// outside.
    private static var usualReferences: (node: Int, transform: Int) {
        let (source, destination) = (Node<Int>(), Node<Int>())
        destination.link(to: source)
        return withExtendedLifetime((source, destination)) {
            (references(to: [Node<Int>()])[0], references(to: destination.upstreamTransforms)[0])
        }
    }

    @inline(never)
    private static func references(to nodes: [AnyNode]) -> [Int] {
        nodes.map { node in least { Int(_getRetainCount(node)) } }
    }

    @inline(never)
    private static func references(to transforms: [AnyTransform]) -> [Int] {
        transforms.map { transform in
            least {
                Int(
                    _getRetainCount(transform) + _getWeakRetainCount(transform)
                        + _getUnownedRetainCount(transform))
            }
        }
    }
    /// Returns the least of nine counts. Another thread that changes the graph, or only its heights, refers to a node
    /// or a transform for a moment. That reference must not count as one from outside.
    private static func least(_ count: () -> Int) -> Int {
        (0..<8).reduce(count()) { least, _ in min(least, count()) }
    }
}
