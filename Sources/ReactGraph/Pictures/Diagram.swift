/// A graph, or the difference of two, as it is drawn: the contents of each part, and its marks. A `DiagramLanguage`
/// decides on the syntax and the looks alone.
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
        /// The title of the frame around it.
        let frame: String?
    }
    struct Arrow {
        let from: String
        let to: String
        let label: String
        let isInRing: Bool
        let mark: Mark?
    }
    /// The changes, by position in the snapshot that is drawn.
    struct Changes {
        var nodes: [Int: Mark] = [:]
        var edges: [Int: Mark] = [:]
        /// The values of changed nodes before the change.
        var earlierValues: [Int: String?] = [:]
    }

    private let graph: GraphSnapshot
    private let options: DiagramOptions
    let boxes: [Box]
    let arrows: [Arrow]

    init(_ graph: GraphSnapshot, options: DiagramOptions, changes: Changes = Changes()) {
        (self.graph, self.options) = (graph, options)
        let topology = GraphTopology(graph, where: { changes.edges[$0] != .gone })
        var rings = [Int?](repeating: nil, count: graph.nodes.count)
        for (index, members) in topology.rings.enumerated() {
            for node in members { rings[node] = index }
        }
        // The edges that meet at a node are looked at once a node, not once an edge. The name is that of the operator
        // that is drawn in place of a folded node.
        let joints = graph.nodes.indices.map { node -> (isCombination: Bool, foldedOperator: String?) in
            let edges = topology.incoming[node].map { graph.edges[$0] }, names = edges.map(\.name)
            let isCombination = names.count > 1 || edges.contains { $0.inputCount ?? 0 > 1 }
            let isFolded =
                options.foldsCombinations && graph.nodes[node].name == nil && isCombination
                && names.allSatisfy { $0 == names[0] }
            return (isCombination, isFolded ? names[0] : nil)
        }
        boxes = graph.nodes.enumerated().map { position, node in
            let mark = changes.nodes[position], operatorName = joints[position].foldedOperator
            let old = changes.earlierValues[position].map { "\(options.text(ofValue: $0)) → " } ?? ""
            return Box(
                id: "n\(node.id)",
                lines: [mark.prefix + options.text(operatorName ?? node.title)]
                    + (options.showsValues && operatorName == nil ? [old + options.text(ofValue: node.value)] : []),
                isMutable: node.isMutable, isEmpty: node.value == nil, isCombination: joints[position].isCombination,
                isInRing: rings[position] != nil, mark: mark, frame: options.groupsByPrefix ? node.namePrefix : nil)
        }
        arrows = graph.edges.enumerated().map { index, edge in
            let (source, destination) = (topology.sources[index], topology.destinations[index])
            let ring = source.flatMap { rings[$0] }, mark = changes.edges[index]
            let isFolded = destination.flatMap { joints[$0].foldedOperator } == edge.name
            return Arrow(
                from: edge.from.map { "n\($0)" } ?? "e\(index)", to: edge.to.map { "n\($0)" } ?? "e\(index)",
                label: mark.prefix + (isFolded ? "" : options.text(edge.name)) + edge.queue,
                isInRing: ring != nil && ring == destination.flatMap { rings[$0] } && mark != .gone, mark: mark)
        }
    }

    /// Writes the diagram, a statement a line.
    func text(in language: some DiagramLanguage) -> String {
        var lines = language.head
        let framed = Dictionary(grouping: boxes, by: \.frame)
        for (index, frame) in boxes.compactMap(\.frame).uniqued.enumerated() {
            let (begin, end) = language.frame(index, options.text(frame))
            lines += begin + (framed[frame] ?? []).map { "    \(language.box($0))" } + end
        }
        lines += (framed[nil] ?? []).map(language.box)
        for (index, edge) in graph.edges.enumerated() where edge.from == nil || edge.to == nil {
            lines.append(language.looseEnd("e\(index)"))
        }
        lines += arrows.map(language.arrow)
        if options.showsListeners {
            func named(_ name: String?) -> String? { name.flatMap { $0.isEmpty ? nil : options.text($0) } }
            lines += graph.listeners.map { language.listener("l\($0.id)", named($0.name) ?? options.text($0.type)) }
            lines += graph.listenings.map { language.listening("n\($0.node)", "l\($0.listener)", named($0.name)) }
        }
        return language.document(lines.map { "    \($0)\n" }.joined(), self)
    }
}

/// A language in which diagrams are written. Each part is a statement. All texts are cut, and none is escaped.
protocol DiagramLanguage {
    /// The statements on all parts.
    var head: [String] { get }
    /// Returns the statements around the boxes of a frame.
    func frame(_ index: Int, _ title: String) -> (begin: [String], end: [String])
    func box(_ box: Diagram.Box) -> String
    /// Returns the point that stands for the missing end of an arrow.
    func looseEnd(_ id: String) -> String
    func arrow(_ arrow: Diagram.Arrow) -> String
    func listener(_ id: String, _ title: String) -> String
    func listening(_ node: String, _ listener: String, _ label: String?) -> String
    /// Returns the whole text. `statements` are those of all parts.
    func document(_ statements: String, _ diagram: Diagram) -> String
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

extension DiagramOptions {
    fileprivate func text(_ text: String) -> String { text.caption(limit: textLimit) }
    fileprivate func text(ofValue value: String?) -> String { value.map(text) ?? "(empty)" }
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
    fileprivate var queue: String { waitingCount.map { $0 > 0 ? " (\($0) waiting)" : "" } ?? "" }
}
