extension RecordedObjects {
    /// What is known of those nodes and edges that are wanted: by address, those that have gone first, oldest first.
    /// It holds those that are still there.
    package static func known(
        _ wantsNode: (UInt, Node) -> Bool, _ wantsEdge: (UInt, Edge) -> Bool
    ) -> (nodes: [UInt: [Node]], edges: [UInt: [Edge]]) {
        var (nodes, edges) = known(wantsNode, wantsEdge) {
            Vertex.at($0).handle
        } edge: {
            AnyEdge.at($0).whileAlive
        }
        for (address, known) in nodes {
            guard let last = known.last, let node = last.node else { continue }
            nodes[address]![known.count - 1].name = node.name
        }
        for (address, known) in edges {
            guard let last = known.last, let edge = last.edge else { continue }
            let place = known.count - 1
            edges[address]![place].name = edge.name
            edges[address]![place].source = edge.source?.vertex.address ?? 0
            edges[address]![place].target = (edge.destination as? AnyNode)?.vertex.address ?? 0
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

extension Vertex {
    /// Precondition: the vertex is still there.
    fileprivate static func at(_ address: UInt) -> Vertex {
        Unmanaged<Vertex>.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped).takeUnretainedValue()
    }
}
extension AnyEdge {
    fileprivate static func at(_ address: UInt) -> Unmanaged<AnyEdge> {
        .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
    }
}
