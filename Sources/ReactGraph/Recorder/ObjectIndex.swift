import ReactCore

/// Finds the nodes and edges on record, and their names.
///
/// A place is the position of a node in `nodes`, or of an edge in `edges`; `nil` stands for an unknown one.
struct ObjectIndex {
    typealias Node = ObjectRegistry.Node
    typealias Edge = ObjectRegistry.Edge

    let nodes: [Node]
    let edges: [Edge]
    /// True if the recorder wants the places in the program. Another recorder may want them while this one does not.
    let showsSites: Bool
    /// The places of each edge's ends, as last seen.
    private(set) var ends: [(source: Int?, target: Int?)] = []
    /// The edges that lead to each node.
    private(set) var upstream: [Int: [Int]] = [:]
    /// The nodes that each node's values came from at some time on record.
    private(set) var pastSources: [Int: Set<Int>] = [:]
    /// For each node, the nodes that may have got its values unchanged, at some time on record.
    private var passedOn: [Int: Set<Int>] = [:]
    /// Nodes with values from nodes that are no longer known. They are secret if any node of the process is redacted.
    private var unknownOrigins: Set<Int> = []
    /// Places by serial number.
    private let nodePlaces: [UInt: Int]
    private let edgePlaces: [UInt: Int]

    /// Takes nodes and edges in the order in which they came.
    init(_ objects: (nodes: [Node], edges: [Edge]), showsSites: Bool) {
        (nodes, edges) = objects
        self.showsSites = showsSites
        nodePlaces = Dictionary(uniqueKeysWithValues: objects.nodes.indices.map { (objects.nodes[$0].serial, $0) })
        edgePlaces = Dictionary(uniqueKeysWithValues: objects.edges.indices.map { (objects.edges[$0].serial, $0) })
        ends = edges.map { (node($0.source), node($0.target)) }
        for (edge, ends) in ends.enumerated() {
            if let target = ends.target { upstream[target, default: []].append(edge) }
        }
    }

    /// Returns the place of a node or an edge by its serial number; `nil` if that is 0, or the object is no longer
    /// known.
    func node(_ serial: UInt) -> Int? { nodePlaces[serial] }
    func edge(_ serial: UInt) -> Int? { edgePlaces[serial] }
    func place(of node: AnyNode) -> Int? { nodePlaces[node.serial] }
    func place(of edge: AnyEdge) -> Int? { edgePlaces[edge.serial] }

    /// Notes the ends that an event tells of an edge, which may have been cut since.
    mutating func note(_ event: EventLog.Event) {
        let target = event.node
        guard let edge = event.edge else {
            // A value came by an edge that is no longer known.
            guard let target, event.kind == .stored || event.kind == .arrived else { return }
            guard let source = event.source else {
                unknownOrigins.insert(target)
                return
            }
            passedOn[source, default: []].insert(target)
            return
        }
        guard let source = event.source, event.kind != .switched else { return }
        ends[edge].source = ends[edge].source ?? source
        guard let target, !edges[edge].isListening else { return }
        pastSources[target, default: []].insert(source)
        if passesOn(edge) { passedOn[source, default: []].insert(target) }
        if ends[edge].target == nil {
            ends[edge].target = target
            upstream[target, default: []].append(edge)
        }
    }

    /// Returns true if the edge may bring the values of its source unchanged. An edge that has gone may have done so.
    private func passesOn(_ edge: Int) -> Bool { edges[edge].edge?.passesOn ?? true }
    /// The walk upstream from the nodes on record; `nil` if no node of the process is redacted.
    private var walk: RedactionWalk?
    /// The nodes whose values must not be shown: those on record, by place, and those that are reached only from them.
    private var secrets: (places: Set<Int>, others: Set<AnyNode>) = ([], [])

    /// Returns true if the value of the node at a place must not be shown. A value of an unknown node may be a secret.
    func isSecret(_ place: Int?) -> Bool { place.map(secrets.places.contains) ?? AnyNode.someAreRedacted }
    /// Returns those of `nodes` whose present value, or whose values on record, must not be shown. Decides in one walk.
    func secrets(among nodes: [AnyNode]) -> Set<AnyNode> {
        guard let walk = RedactionWalk(among: nodes) else { return [] }
        return Set(
            nodes.filter { node in
                walk.isRedacted(node) || place(of: node).map(secrets.places.contains) ?? secrets.others.contains(node)
            })
    }
    /// Describes values with the secrets that were decided, because a value may be a node, or hold one.
    func describing<Result>(_ body: () -> Result) -> Result { RedactionWalk.$current.withValue(walk, operation: body) }
    /// Decides, once for a reading, which values must not be shown. Call it after all events are noted.
    ///
    /// Finds the redacted nodes, and all nodes to which values of these came at any time on record, because the records
    /// hold such values. Some of these nodes are not on record, and neither are the edges that lead to them.
    mutating func decideSecrets() {
        walk = RedactionWalk(among: nodes.compactMap(\.node))
        guard AnyNode.someAreRedacted else { return }
        var found: [Int] = nodes.indices.filter { place in
            let isRedacted = nodes[place].node.map { walk?.isRedacted($0) ?? false } ?? nodes[place].wasRedacted
            return isRedacted || unknownOrigins.contains(place)
        }
        guard !found.isEmpty else { return }
        var downstream = passedOn
        for (edge, ends) in ends.enumerated() {
            guard let source = ends.source, let target = ends.target, passesOn(edge) else { continue }
            downstream[source, default: []].insert(target)
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
        secrets = (places, others)
    }

    func isListening(_ edge: Int?) -> Bool { edge.map { edges[$0].isListening } ?? false }

    // MARK: Texts

    /// Returns true if the node's values are text, which is quoted.
    func isText(_ node: Int?) -> Bool { node.map { ObjectIndex.isText(nodes[$0].type) } ?? false }
    static func isText(_ type: Any.Type) -> Bool {
        type == String.self || type == Substring.self || type == Character.self
    }

    func label(of node: Int?) -> String { label(of: node, depth: 0) }
    private func label(of node: Int?, depth: Int) -> String {
        guard let node else { return "a node" }
        if let name = nodes[node].name { return ObjectIndex.quoted(name) }
        if depth < 2, let edges = upstream[node], let first = edges.first {
            let sources = sources(of: edges)
            if isOperatorsOwn(node) { return labels(of: sources, depth: depth + 1) }
            let texts = sources.prefix(3).map { label(of: $0, depth: depth + 1) } + (sources.count > 3 ? ["…"] : [])
            return "\(self.edges[first].name)(\(texts.joined(separator: ", ")))"
        }
        let place = place(ofNode: node).map { " (\($0))" } ?? ""
        return ObjectIndex.unnamed(nodes[node].type) + place
    }
    private func labels(of nodes: [Int?], depth: Int) -> String {
        (nodes.prefix(3).map { label(of: $0, depth: depth) } + (nodes.count > 3 ? ["others"] : [])).list
    }
    /// Returns the nodes that the edges leave from. In the place of a node that an operator has made for itself stand
    /// the operator's inputs.
    private func sources(of edges: [Int], depth: Int = 0) -> [Int?] {
        edges.flatMap { edge in
            guard let source = ends[edge].source, isOperatorsOwn(source), depth < 4, let edges = upstream[source] else {
                return [ends[edge].source]
            }
            return sources(of: edges, depth: depth + 1)
        }.uniqued
    }
    private func isOperatorsOwn(_ node: Int) -> Bool { nodes[node].node?.isOperatorsOwn ?? false }
    /// The label of a node that need not be on record.
    func label(of node: AnyNode) -> String {
        place(of: node).map { label(of: $0) } ?? node.name.map(ObjectIndex.quoted)
            ?? ObjectIndex.unnamed(node.valueType)
    }
    /// The label of an edge that need not be on record.
    func label(of edge: AnyEdge) -> String {
        if let place = place(of: edge) { return label(ofEdge: place) }
        let target = (edge.destination as? AnyNode)?.name.map { " \(ObjectIndex.quoted($0))" } ?? ""
        return edge.name + target
    }
    private static func quoted(_ name: String) -> String { "'\(name.caption(limit: 60))'" }
    private static func unnamed(_ type: Any.Type) -> String { "an unnamed Node<\(type)>" }
    func place(ofNode node: Int) -> String? { text(of: nodes[node].site) }
    func place(ofEdge edge: Int) -> String? { text(of: edges[edge].site) }
    private func text(of site: CallSite?) -> String? { showsSites ? site?.description : nil }

    /// `Filter 'cheap' (Shop.swift:31)`; `Listen of Screen (…)`.
    func label(ofEdge edge: Int?, isPlaced: Bool = true) -> String {
        guard let edge else { return "an edge" }
        let known = edges[edge]
        let place = isPlaced ? place(ofEdge: edge).map { " (\($0))" } ?? "" : ""
        if known.isListening {
            let listener = known.listenerType.map { " of \($0)" } ?? ""
            let name = known.listenerName.map { " \(ObjectIndex.quoted($0))" } ?? ""
            return "\(known.name)\(listener)\(name)\(place)"
        }
        if let target = ends[edge].target, nodes[target].name != nil {
            return "\(known.name) \(label(of: target))\(place)"
        }
        // A combination is named by all of its inputs.
        let isInput = (known.edge as? AnyTransform)?.inputCount != nil
        let inputs = ends[edge].target.flatMap { isInput ? upstream[$0] : nil } ?? [edge]
        let sources = sources(of: inputs.filter { edges[$0].name == known.name })
        return "\(known.name) of \(labels(of: sources, depth: 1))\(place)"
    }
    func reference(to node: Int?) -> GraphEvent.Node? {
        guard let node else { return nil }
        return GraphEvent.Node(id: Int(nodes[node].serial), name: nodes[node].name, label: label(of: node))
    }
    func reference(toEdge edge: Int?) -> GraphEvent.Edge? {
        guard let edge else { return nil }
        return GraphEvent.Edge(
            id: Int(edges[edge].serial), name: edges[edge].name, place: place(ofEdge: edge), label: label(ofEdge: edge))
    }
}
