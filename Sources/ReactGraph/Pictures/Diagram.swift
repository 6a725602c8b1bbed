/// A graph as it is drawn, in any language: the contents of each box, and its marks. Only the writers decide on the
/// syntax and the looks.
struct Diagram {
    /// The fate of a part of the graph since an earlier snapshot.
    enum Mark { case new, gone, changed }

    struct Box {
        let id: String
        /// The name or the operator, and the value if that is shown.
        let lines: [String]
        let isMutable: Bool
        let isEmpty: Bool
        /// True if several edges meet here.
        let isCombination: Bool
        let isInRing: Bool
        let mark: Mark?
    }
    struct Arrow {
        let from: String
        let to: String
        let label: String
        let isInRing: Bool
        let mark: Mark?
    }
    struct Listener {
        let id: String
        let title: String
    }
    struct Listening {
        let from: String
        let to: String
        let label: String?
    }
    struct Group {
        let title: String
        var boxes: [Box]
    }

    let options: DiagramOptions
    /// Boxes in frames. `boxes` has those without a frame.
    private(set) var groups: [Group] = []
    private(set) var boxes: [Box] = []
    private(set) var arrows: [Arrow] = []
    /// Points that stand for the missing ends of arrows.
    private(set) var looseEnds: [String] = []
    private(set) var listeners: [Listener] = []
    private(set) var listenings: [Listening] = []

    init(_ graph: GraphSnapshot, options: DiagramOptions, changes: Changes = Changes()) {
        self.options = options
        let topology = GraphTopology(graph, where: { changes.edges[$0] != .gone })
        var rings = [Int?](repeating: nil, count: graph.nodes.count)
        for (index, members) in topology.rings.enumerated() {
            for node in members { rings[node] = index }
        }
        let joints = graph.nodes.indices.map { Joint(at: $0, graph, topology, options) }
        addBoxes(graph, joints, rings, changes)
        addArrows(graph, topology, joints, rings, changes)
        if options.showsListeners { addListeners(graph) }
    }

    private mutating func addBoxes(
        _ graph: GraphSnapshot, _ joints: [Joint], _ rings: [Int?], _ changes: Changes
    ) {
        var groupIndex: [String: Int] = [:]
        for (position, node) in graph.nodes.enumerated() {
            let mark = changes.nodes[position]
            let operatorName = joints[position].foldedOperator
            let box = Box(
                id: "n\(node.id)",
                lines: [mark.prefix + (operatorName ?? node.title).caption(limit: options.textLimit)]
                    + (options.showsValues && operatorName == nil
                        ? [detail(of: node, before: changes.earlierValues[position])] : []),
                isMutable: node.isMutable,
                isEmpty: node.value == nil,
                isCombination: joints[position].isCombination,
                isInRing: rings[position] != nil,
                mark: mark
            )
            if options.groupsByPrefix, let prefix = node.namePrefix {
                if let index = groupIndex[prefix] {
                    groups[index].boxes.append(box)
                } else {
                    groupIndex[prefix] = groups.count
                    groups.append(Group(title: prefix.caption(limit: options.textLimit), boxes: [box]))
                }
            } else {
                boxes.append(box)
            }
        }
    }

    private mutating func addArrows(
        _ graph: GraphSnapshot, _ topology: GraphTopology, _ joints: [Joint], _ rings: [Int?], _ changes: Changes
    ) {
        for (index, edge) in graph.edges.enumerated() {
            if edge.from == nil || edge.to == nil { looseEnds.append("e\(index)") }
            let (source, destination) = (topology.sources[index], topology.destinations[index])
            let ring = source.flatMap { rings[$0] }
            let mark = changes.edges[index]
            let isFolded = destination.flatMap { joints[$0].foldedOperator } == edge.name
            arrows.append(
                Arrow(
                    from: edge.from.map { "n\($0)" } ?? "e\(index)",
                    to: edge.to.map { "n\($0)" } ?? "e\(index)",
                    label: mark.prefix + (isFolded ? "" : edge.name.caption(limit: options.textLimit)) + edge.queue,
                    isInRing: ring != nil && ring == destination.flatMap { rings[$0] } && mark != .gone,
                    mark: mark
                )
            )
        }
    }

    private func nonEmpty(_ name: String?) -> String? { name?.isEmpty == false ? name : nil }
    private mutating func addListeners(_ graph: GraphSnapshot) {
        listeners = graph.listeners.map {
            Listener(id: "l\($0.id)", title: (nonEmpty($0.name) ?? $0.type).caption(limit: options.textLimit))
        }
        listenings = graph.listenings.map {
            Listening(
                from: "n\($0.node)",
                to: "l\($0.listener)",
                label: nonEmpty($0.name)?.caption(limit: options.textLimit)
            )
        }
    }

    /// The edges that meet at a node, found once a node, not once an edge.
    private struct Joint {
        let isCombination: Bool
        /// The name of the operator that is drawn in place of a folded node; `nil` if the node is not folded.
        let foldedOperator: String?

        init(at node: Int, _ graph: GraphSnapshot, _ topology: GraphTopology, _ options: DiagramOptions) {
            let edges = topology.edges(into: node)
            isCombination = edges.count > 1 || edges.contains { ["Combine", "Zip"].contains(graph.edges[$0].name) }
            let name = edges.first.map { graph.edges[$0].name }
            let isFolded =
                options.foldsCombinations && graph.nodes[node].name == nil && isCombination
                && edges.allSatisfy { graph.edges[$0].name == name }
            foldedOperator = isFolded ? name : nil
        }
    }

    /// Returns the value; for a changed node, the old and the new value.
    private func detail(of node: GraphSnapshot.Node, before earlier: String??) -> String {
        func text(_ value: String?) -> String { value?.caption(limit: options.textLimit) ?? "(empty)" }
        guard let earlier else { return text(node.value) }
        return "\(text(earlier)) → \(text(node.value))"
    }
}

extension Diagram {
    /// The changes, by position in the snapshot that is drawn.
    struct Changes {
        var nodes: [Int: Mark] = [:]
        var edges: [Int: Mark] = [:]
        /// The values of changed nodes before the change.
        var earlierValues: [Int: String?] = [:]
    }
}

extension Diagram.Mark? {
    /// The sign of a mark, so that it does not show in colour alone.
    fileprivate var prefix: String {
        switch self {
        case nil: ""
        case .new: "+ "
        case .gone: "− "
        case .changed: "~ "
        }
    }
}

extension GraphSnapshot.Node {
    /// The part of the name before the first dot.
    fileprivate var namePrefix: String? {
        guard let name, let dot = name.firstIndex(of: "."), dot != name.startIndex else { return nil }
        return String(name[..<dot])
    }
}

extension GraphSnapshot.Edge {
    /// The number of values that wait here, if any do.
    fileprivate var queue: String {
        guard let waitingCount, waitingCount > 0 else { return "" }
        return " (\(waitingCount) waiting)"
    }
}
