/// The difference between two snapshots of a graph.
///
///     let price = MutableNode(20).named("price")
///     let before = price.graph
///     price.value = 21
///     let discount = price.map { $0 / 2 }.named("discount")
///     print(price.graph.diff(since: before))      // ~ price: 20 → 21
///                                                 // + discount: 10
///                                                 // + price -Map-> discount
public struct GraphDiff: Sendable {
    /// A node that is in both snapshots with different values.
    public struct Change: Sendable, Equatable {
        /// The node as it was.
        public let earlier: GraphSnapshot.Node
        /// The node as it is.
        public let later: GraphSnapshot.Node
    }

    /// The graph as it was.
    public let earlier: GraphSnapshot
    /// The graph as it is.
    public let later: GraphSnapshot

    /// The nodes that only the later snapshot has.
    public let addedNodes: [GraphSnapshot.Node]
    /// The nodes that only the earlier snapshot has.
    public let removedNodes: [GraphSnapshot.Node]
    /// Nodes of both snapshots that have different values. Snapshots have values as text, so a change that the text
    /// does not show is missing here, as that of the fourth row of a table.
    public let changedNodes: [Change]
    /// The edges that only the later snapshot has. Their ends are ids of the later snapshot.
    public let addedEdges: [GraphSnapshot.Edge]
    /// The edges that only the earlier snapshot has. Their ends are ids of the earlier snapshot.
    public let removedEdges: [GraphSnapshot.Edge]

    /// True if no node and no edge came or went, and no node has another value. Names, listeners and mutability are not
    /// compared. To compare these too, compare the snapshots. Safe from any thread.
    public var isEmpty: Bool {
        addedNodes.isEmpty && removedNodes.isEmpty && changedNodes.isEmpty && addedEdges.isEmpty && removedEdges.isEmpty
    }

    /// For each position in the later snapshot, the position of its node in the earlier one; `nil` for a new node.
    let earlierPositions: [Int?]
    let addedEdgePositions: [Int]

    fileprivate init(earlier: GraphSnapshot, later: GraphSnapshot) {
        let positions = NodeMatching(earlier: earlier, later: later).earlierPositions
        let kept = Set(positions.compactMap { $0 })
        let (added, removed) = Self.unmatchedEdges(earlier: earlier, later: later, earlierPositions: positions)

        self.earlier = earlier
        self.later = later
        earlierPositions = positions
        addedEdgePositions = added
        addedNodes = later.nodes.indices.filter { positions[$0] == nil }.map { later.nodes[$0] }
        removedNodes = earlier.nodes.indices.filter { !kept.contains($0) }.map { earlier.nodes[$0] }
        changedNodes = zip(later.nodes, positions).compactMap { node, position in
            guard let before = position.map({ earlier.nodes[$0] }), before.value != node.value else { return nil }
            return Change(earlier: before, later: node)
        }
        addedEdges = added.map { later.edges[$0] }
        removedEdges = removed.map { earlier.edges[$0] }
    }

    /// Returns the edges without a counterpart, by position. Edges match if their names and both ends are equal. Of
    /// several equal edges, as many match as both snapshots have.
    private static func unmatchedEdges(
        earlier: GraphSnapshot, later: GraphSnapshot, earlierPositions: [Int?]
    ) -> (added: [Int], removed: [Int]) {
        struct Key: Hashable { let name: String, from: Int?, to: Int? }
        var unmatched: [Key: [Int]] = [:]
        for (index, edge) in earlier.edges.enumerated().reversed() {
            unmatched[Key(name: edge.name, from: edge.from, to: edge.to), default: []].append(index)
        }
        let position = later.positionOfNode
        /// Returns the end as an id of the earlier snapshot. No id is negative, so −1 stands for a new node.
        func earlierEnd(_ end: Int?) -> Int? {
            end.map { earlierPositions[position($0)].map { earlier.nodes[$0].id } ?? -1 }
        }
        let added = later.edges.indices.filter { index in
            let edge = later.edges[index]
            let key = Key(name: edge.name, from: earlierEnd(edge.from), to: earlierEnd(edge.to))
            return unmatched[key]?.popLast() == nil
        }
        return (added, unmatched.values.joined().sorted())
    }
}

extension GraphSnapshot {
    /// Returns the difference since `earlier`: the nodes and edges that came, went, or changed value.
    /// Safe from any thread.
    ///
    /// Snapshots of one process identify each node, as long as the nodes live. If either snapshot was decoded or
    /// written by hand, nodes are matched by type and name, where these are unique. The other nodes are matched by
    /// their links to matched nodes. Unnamed nodes of one type with equal links are matched by their values, and if
    /// these are equal too, by order.
    ///
    /// - Complexity: O(n log n) for n nodes, edges and listeners of both.
    public func diff(since earlier: GraphSnapshot) -> GraphDiff { GraphDiff(earlier: earlier, later: self) }
}

extension GraphDiff: CustomStringConvertible {
    /// A line for each difference: `~` for a changed value, `+` for a new node or edge, and `-` for one that is gone.
    /// Safe from any thread.
    public var description: String {
        func text(_ value: String?) -> String { value?.caption(limit: 40) ?? "(empty)" }
        func line(_ node: GraphSnapshot.Node) -> String { "\(node.title.caption(limit: 40)): \(text(node.value))" }
        func lines(_ sign: String, _ edges: [GraphSnapshot.Edge], in graph: GraphSnapshot) -> [String] {
            let position = graph.positionOfNode
            func end(_ id: Int?) -> String {
                id.map { graph.nodes[position($0)].title.caption(limit: 40) } ?? "(nothing)"
            }
            return edges.map { "\(sign) \(end($0.from)) -\($0.name.caption(limit: 40))-> \(end($0.to))" }
        }
        var differences = changedNodes.map {
            "~ \($0.later.title.caption(limit: 40)): \(text($0.earlier.value)) → \(text($0.later.value))"
        }
        differences += removedNodes.map { "- \(line($0))" }
        differences += addedNodes.map { "+ \(line($0))" }
        differences += lines("-", removedEdges, in: earlier)
        differences += lines("+", addedEdges, in: later)
        return differences.joined(separator: "\n")
    }
}
