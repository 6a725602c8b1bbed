import ReactCore

extension LiveGraph {
    /// Which of the nodes something other than the graph and this walk refers to: itself, or by way of a transform that
    /// comes from it.
    ///
    /// References from the graph are known: a node is held once by each transform that comes from it and by each listen
    /// edge, and a transform by the nodes at its ends. Any further reference, except the one of this walk, is from
    /// outside. For transforms, weak and unowned references count too: the `Cancelable` of a link has one, and its
    /// owner can still cut the link.
    ///
    /// The references of the walk and of the counting itself depend on the optimiser. They are measured, with a link
    /// that is known to have no other reference.
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

    /// The counts for a node with no edges, and for a transform with two ends, without any reference from outside.
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
    /// The least of some counts: another thread that changes the graph, or only the ranks in it, refers to a node or a
    /// transform for a moment, and would be taken for someone who holds it.
    private static func least(_ count: () -> Int) -> Int {
        (0..<8).reduce(count()) { least, _ in min(least, count()) }
    }
}
