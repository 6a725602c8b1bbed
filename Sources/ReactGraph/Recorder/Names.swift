import ReactCore

/// The nodes and edges that are on record, and what they are called.
struct Names {
    typealias Node = RecordedObjects.Node
    typealias Edge = RecordedObjects.Edge

    let nodes: [Node]
    let edges: [Edge]
    /// Where each edge leads, as last seen; -1 for nowhere.
    private(set) var ends: [(source: Int, target: Int)] = []
    /// The edges that lead to each node.
    private(set) var upstream: [Int: [Int]] = [:]
    /// The nodes that each node's values came from at some time on record.
    private(set) var pastSources: [Int: Set<Int>] = [:]
    /// Where each node's values may have come to as they are, at some time on record.
    private var passedOn: [Int: Set<Int>] = [:]
    /// By address, oldest first.
    private let nodesAt: [UInt: [Int]]
    private let edgesAt: [UInt: [Int]]

    /// Takes what is known in the order in which it came.
    init(_ objects: (nodes: [Node], edges: [Edge])) {
        (nodes, edges) = objects
        nodesAt = Dictionary(grouping: objects.nodes.indices) { objects.nodes[$0].address }
        edgesAt = Dictionary(grouping: objects.edges.indices) { objects.edges[$0].address }
        ends = edges.map { edge in
            (edge.source == 0 ? -1 : node(at: edge.source, .max), edge.target == 0 ? -1 : node(at: edge.target, .max))
        }
        for (edge, ends) in ends.enumerated() where ends.target >= 0 { upstream[ends.target, default: []].append(edge) }
    }

    /// What was at an address at some time: of what was there one after the other, the first that had not gone.
    private static func pick(_ places: [Int]?, _ hasGoneBefore: (Int) -> Bool) -> Int {
        guard let places else { return -1 }
        let place = places.endOfPrefix(while: hasGoneBefore)
        return place < places.count ? places[place] : places.last ?? -1
    }
    func node(at address: UInt, _ time: UInt64) -> Int {
        Self.pick(nodesAt[address]) { nodes[$0].gone < time }
    }
    func edge(at address: UInt, _ time: UInt64) -> Int {
        Self.pick(edgesAt[address]) { edges[$0].gone < time }
    }
    func place(of node: AnyNode) -> Int? {
        nodesAt[node.recordAddress]?.last.flatMap { nodes[$0].node === node ? $0 : nil }
    }
    func place(of edge: AnyEdge) -> Int? {
        edgesAt[edge.recordAddress]?.last.flatMap { edges[$0].edge === edge ? $0 : nil }
    }

    /// An event says where an edge led, which may have been cut since.
    mutating func note(_ edge: Int, from source: Int, to target: Int) {
        if target >= 0, !edges[edge].isListening {
            pastSources[target, default: []].insert(source)
            if passesOn(edge) { passedOn[source, default: []].insert(target) }
        }
        if ends[edge].source < 0 { ends[edge].source = source }
        if ends[edge].target < 0, target >= 0, !edges[edge].isListening {
            ends[edge].target = target
            upstream[target, default: []].append(edge)
        }
    }

    /// Whether the edge may bring the values of its source as they are: one that has gone may have.
    private func passesOn(_ edge: Int) -> Bool { edges[edge].edge?.passesOn ?? true }
    /// The nodes whose values must not be shown: those that are redacted, and those to which values came from such, at any time on
    /// record, for it holds what they were then. Some are not on record, nor are the edges by which they are reached.
    var secrets: (places: Set<Int>, others: Set<AnyNode>) {
        var found: [Int] = nodes.indices.filter { nodes[$0].node?.isRedacted ?? nodes[$0].wasRedacted }
        guard !found.isEmpty else { return ([], []) }
        var downstream = passedOn
        for (edge, ends) in ends.enumerated() where ends.source >= 0 && ends.target >= 0 && passesOn(edge) {
            downstream[ends.source, default: []].insert(ends.target)
        }
        var places = Set(found), others: Set<AnyNode> = []
        while let place = found.popLast() {
            for next in downstream[place] ?? [] where places.insert(next).inserted { found.append(next) }
            var live = [nodes[place].node].compactMap(\.self)
            while let node = live.popLast() {
                for case let next as AnyNode in node.downstreamTransforms.lazy.filter(\.passesOn).map(\.destination) {
                    if let place = self.place(of: next) {
                        if places.insert(place).inserted { found.append(place) }
                    } else if others.insert(next).inserted {
                        live.append(next)
                    }
                }
            }
        }
        return (places, others)
    }

    func isListening(_ edge: Int) -> Bool { edge >= 0 && edges[edge].isListening }

    // MARK: Texts

    func label(of node: Int) -> String { label(of: node, depth: 0) }
    private func label(of node: Int, depth: Int) -> String {
        guard node >= 0 else { return "a node" }
        if let name = nodes[node].name { return "'\(name.caption(limit: 60))'" }
        if depth < 2, let edges = upstream[node], let first = edges.first {
            let sources = edges.prefix(3).map { label(of: ends[$0].source, depth: depth + 1) }
            let more = edges.count > 3 ? ", …" : ""
            return "\(self.edges[first].name)(\(sources.joined(separator: ", "))\(more))"
        }
        let place = place(ofNode: node).map { " (\($0))" } ?? ""
        return "a Node<\(nodes[node].type)>\(place)"
    }
    func place(ofNode node: Int) -> String? { (nodes[node].site as? Site)?.description }
    func place(ofEdge edge: Int) -> String? { (edges[edge].site as? Site)?.description }

    /// `Filter 'cheap' (Shop.swift:31)`; `Listen of Screen (…)`.
    func label(ofEdge edge: Int) -> String {
        guard edge >= 0 else { return "an edge" }
        let known = edges[edge]
        let place = place(ofEdge: edge).map { " (\($0))" } ?? ""
        if known.isListening {
            let listener = known.listenerType.map { " of \($0)" } ?? ""
            return "\(known.name)\(listener)\(place)"
        }
        let target = ends[edge].target
        if target >= 0, nodes[target].name != nil { return "\(known.name) \(label(of: target))\(place)" }
        return "\(known.name) of \(label(of: ends[edge].source, depth: 1))\(place)"
    }
    func reference(to node: Int) -> GraphEvent.Node? {
        guard node >= 0 else { return nil }
        return GraphEvent.Node(id: nodes[node].id, name: nodes[node].name, label: label(of: node))
    }
    func reference(toEdge edge: Int) -> GraphEvent.Edge? {
        guard edge >= 0 else { return nil }
        return GraphEvent.Edge(
            id: edges[edge].id, name: edges[edge].name, place: place(ofEdge: edge), label: label(ofEdge: edge))
    }
}
