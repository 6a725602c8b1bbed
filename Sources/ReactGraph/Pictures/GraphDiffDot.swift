extension GraphDiff {
    /// The later graph in Graphviz's DOT language. Parts that are gone are drawn in their old places.
    /// Safe from any thread.
    ///
    /// New parts are green, with a `+`. Parts that are gone are grey and dotted, with a `−`. Changed nodes are orange,
    /// with a `~`, and show the old and the new value.
    public var dot: String { dot(DiagramOptions()) }

    /// Returns the later graph in Graphviz's DOT language, drawn by `options`. Safe from any thread.
    public func dot(_ options: DiagramOptions) -> String { diagram(options).dot }

    private func diagram(_ options: DiagramOptions) -> Diagram {
        var changes = Diagram.Changes()
        for (position, earlierPosition) in earlierPositions.enumerated() {
            guard let earlierPosition else {
                changes.nodes[position] = .new
                continue
            }
            let before = earlier.nodes[earlierPosition].value
            guard before != later.nodes[position].value else { continue }
            changes.nodes[position] = .changed
            changes.earlierValues[position] = .some(before)
        }
        for position in addedEdgePositions { changes.edges[position] = .new }

        // Parts that are gone are drawn last, under ids that the later graph does not use.
        var laterIDs: [Int: Int] = [:]
        for (position, earlierPosition) in earlierPositions.enumerated() {
            if let earlierPosition { laterIDs[earlier.nodes[earlierPosition].id] = later.nodes[position].id }
        }
        var nodes = later.nodes
        var freeIDs = FreeIDs(besides: later.nodes.map(\.id))
        for node in removedNodes {
            let id = freeIDs.next()
            changes.nodes[nodes.count] = .gone
            laterIDs[node.id] = id
            nodes.append(node.with(id: id))
        }
        var edges = later.edges
        for edge in removedEdges {
            changes.edges[edges.count] = .gone
            edges.append(
                GraphSnapshot.Edge(
                    name: edge.name,
                    from: edge.from.flatMap { laterIDs[$0] },
                    to: edge.to.flatMap { laterIDs[$0] }
                )
            )
        }
        let both = GraphSnapshot(nodes: nodes, edges: edges, listeners: later.listeners, listenings: later.listenings)
        return Diagram(both, options: options, changes: changes)
    }
}

/// Gives out ids that are not taken: first those above the greatest, up to `Int.max`, then the gaps from 0 on.
private struct FreeIDs {
    private let taken: Set<Int>
    private var candidate: Int

    init(besides taken: [Int]) {
        self.taken = Set(taken)
        candidate = taken.max() ?? -1
    }

    mutating func next() -> Int {
        repeat { candidate = candidate == .max ? 0 : candidate + 1 } while taken.contains(candidate)
        return candidate
    }
}

extension GraphSnapshot.Node {
    fileprivate func with(id: Int) -> Self {
        Self(
            id: id,
            name: name,
            valueType: valueType,
            value: value,
            isMutable: isMutable,
            depth: depth,
            listenerCount: listenerCount
        )
    }
}
