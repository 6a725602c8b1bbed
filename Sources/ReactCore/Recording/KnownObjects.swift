extension RecordedObjects {
    /// What is known of the nodes and edges that were at those addresses, or that the thread has made, or of all, in the order in which
    /// they came. It holds those that are still there.
    package static func known(
        nodesAt nodeAddresses: Set<UInt>? = nil, edgesAt edgeAddresses: Set<UInt>? = nil, by thread: UInt64? = nil
    ) -> (nodes: [Node], edges: [Edge]) {
        var (nodes, edges) = state.withLock { state in
            (
                state.nodes.wanted(at: nodeAddresses, by: thread) {
                    $0.object = Unmanaged<Vertex>.at($0.address)._withUnsafeGuaranteedRef(\.handle)
                },
                state.edges.wanted(at: edgeAddresses, by: thread) {
                    $0.object = Unmanaged<AnyEdge>.at($0.address).whileAlive
                }
            )
        }
        nodes.sort { $0.id < $1.id }
        edges.sort { $0.id < $1.id }
        for place in nodes.indices {
            if let node = nodes[place].node { nodes[place].name = node.name }
        }
        for place in edges.indices {
            guard let edge = edges[place].edge else { continue }
            edges[place].name = edge.name
            edges[place].source = edge.source?.vertex.address ?? 0
            edges[place].target = (edge.destination as? AnyNode)?.vertex.address ?? 0
        }
        return (nodes, edges)
    }
}

extension RecordedObjects.Node {
    /// `nil` once it has gone.
    package var node: AnyNode? { object.map { unsafeDowncast($0, to: AnyNode.self) } }
}
extension RecordedObjects.Edge {
    /// `nil` once it has gone.
    package var edge: AnyEdge? { object.map { unsafeDowncast($0, to: AnyEdge.self) } }
}

extension Unmanaged {
    /// Precondition: the object's memory is still there.
    fileprivate static func at(_ address: UInt) -> Unmanaged {
        .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
    }
}
