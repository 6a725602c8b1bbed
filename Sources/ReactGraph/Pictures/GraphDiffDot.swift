extension GraphDiff {
    /// The later graph in Graphviz's DOT language. Parts that are gone are drawn in their old places.
    /// Safe from any thread.
    ///
    /// New parts are green, with a `+`. Parts that are gone are grey and dotted, with a `−`. Changed nodes are orange,
    /// with a `~`, and show the old and the new value.
    public var dot: String { dot(DiagramOptions()) }

    /// Returns the later graph in Graphviz's DOT language, drawn by `options`. Safe from any thread.
    public func dot(_ options: DiagramOptions) -> String {
        var changes = Diagram.Changes()
        var nodes = later.nodes, edges = later.edges
        var laterIDs: [Int: Int] = [:]
        for (position, earlierPosition) in earlierPositions.enumerated() {
            guard let before = earlierPosition.map({ earlier.nodes[$0] }) else {
                changes.nodes[position] = .new
                continue
            }
            laterIDs[before.id] = nodes[position].id
            guard before.value != nodes[position].value else { continue }
            changes.nodes[position] = .changed
            changes.earlierValues[position] = .some(before.value)
        }
        for position in addedEdgePositions { changes.edges[position] = .new }

        // Parts that are gone are drawn last, under ids that the later graph does not use.
        let taken = Set(nodes.map(\.id)), greatest = taken.max() ?? -1
        let first = greatest < .max - removedNodes.count ? greatest + 1 : 0
        for (node, id) in zip(removedNodes, (first...).lazy.filter { !taken.contains($0) }) {
            changes.nodes[nodes.count] = .gone
            laterIDs[node.id] = id
            nodes.append(
                GraphSnapshot.Node(
                    id: id, name: node.name, valueType: node.valueType, value: node.value, isMutable: node.isMutable))
        }
        for edge in removedEdges {
            changes.edges[edges.count] = .gone
            let (from, to) = (edge.from.flatMap { laterIDs[$0] }, edge.to.flatMap { laterIDs[$0] })
            edges.append(GraphSnapshot.Edge(name: edge.name, from: from, to: to))
        }
        let both = GraphSnapshot(nodes: nodes, edges: edges, listeners: later.listeners, listenings: later.listenings)
        return Diagram(both, options: options, changes: changes).text(in: Dot(direction: options.direction))
    }
}
