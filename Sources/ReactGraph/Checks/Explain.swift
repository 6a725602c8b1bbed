import ReactCore

extension AnyNode {
    /// Returns a sentence or two for people: type and value of this node, and the nodes that its values come from. For
    /// a node that is empty or does not change, a sentence says which nodes it waits for. Safe from any thread.
    ///
    ///     let price = MutableNode<Int>().named("price")
    ///     let label = price.map { "\($0) €" }.named("label")
    ///     for sentence in label.explain().split(separator: ". ") {
    ///         print(sentence)     // “label” is a node of String, and is empty
    ///                             // Its values come from “price”, by Map
    ///                             // It waits for “price”, which is empty.
    ///     }
    ///
    /// - Complexity: O(nodes + edges + listeners) of the connected graph.
    public func explain() -> String { Explanation(LiveGraph(around: [self])).text }
}

/// The sentences about the first node of a snapshot.
private struct Explanation {
    private let graph: GraphSnapshot
    private let transforms: [AnyTransform]
    /// The edges that carry values.
    private let topology: GraphTopology
    private let node = 0
    /// The nodes that operators have made for themselves. The sentences look through them.
    private let ownNodes: Set<Int>
    /// The edges that lead to the node, nearest first. They go back to the first node that has a name, or that does not
    /// have exactly one upstream edge.
    private var way: [Int] = []
    /// The node at the far end of `way`.
    private var origin = 0

    init(_ live: LiveGraph) {
        graph = live.snapshot
        transforms = live.transforms
        topology = GraphTopology(graph) { live.transforms[$0].bringsValues }
        ownNodes = Set(live.nodes.indices.filter { live.nodes[$0].isOperatorsOwn })
        var seen: Set<Int> = [node]
        while topology.incoming[origin].count == 1, let edge = topology.incoming[origin].first {
            let source = topology.sources[edge]!
            way.append(edge)
            origin = source
            guard graph.nodes[source].name == nil, seen.insert(source).inserted else { break }
        }
    }

    var text: String { [identity, source, wait].compactMap { $0 }.joined(separator: " ") }

    private var identity: String {
        let subject = graph.nodes[node]
        let kind = "\(subject.isMutable ? "mutable node" : "node") of \(subject.valueType)"
        let title = subject.name.map { "\($0.quoted) is a \(kind)" } ?? "This is a \(kind)"
        return title + (subject.value.map { ", and holds \($0.caption(limit: 40))." } ?? ", and is empty.")
    }

    /// The nodes at the beginning of `way`: one node with a name, or all nodes whose edges meet there.
    private var inputs: [Int] {
        guard graph.nodes[origin].name == nil || way.isEmpty else { return [origin] }
        let edges = topology.incoming[origin]
        return edges.isEmpty && !way.isEmpty ? [origin] : edges.flatMap { sources(of: $0) }
    }
    /// Returns the node that an edge leaves from; if an operator has made that for itself, the operator's inputs.
    private func sources(of edge: Int) -> [Int] {
        let source = topology.sources[edge]!
        guard ownNodes.contains(source) else { return [source] }
        return topology.incoming[source].flatMap { sources(of: $0) }
    }

    private var source: String? {
        let inputs = inputs.uniqued
        guard !inputs.isEmpty else {
            return graph.nodes[node].isMutable
                ? "Nothing leads to it: it changes when it is set."
                : "Nothing leads to it, and it cannot be set: it changes only if it is linked to another node."
        }
        let meeting = inputs == [origin] ? [] : Set(topology.incoming[origin].map { graph.edges[$0].name }).sorted()
        // All edges of an operator have its name, which stands once.
        let later = way.reversed().filter { edge in
            let source = topology.sources[edge]!
            return !ownNodes.contains(source) || topology.incoming[source].isEmpty
        }
        let operators = meeting + later.map { graph.edges[$0].name }
        return "Its values come from \(list(inputs.map(name))), by \(list(operators.map { $0.caption(limit: 40) }))."
    }

    /// The sentence on the nodes that the node waits for before it gets a value, or its next value.
    private var wait: String? {
        let combinations = ([node] + way.map { topology.sources[$0]! }).compactMap {
            topology.combination(at: $0, in: graph)
        }
        if let combination = combinations.first(where: { $0.lostCount > 0 }) {
            let lost = GraphTopology.lost(combination.lostCount, of: combination.inputCount)
            return "\(combination.operatorName) \(lost): make it anew of the inputs that are left."
        }
        guard graph.nodes[node].value == nil else { return combinations.lazy.compactMap(partners).first }
        guard !topology.incoming[node].isEmpty else { return nil }
        let (empty, conjunction) = emptyOrigins
        if !empty.isEmpty {
            let some = conjunction == .some ? "; it does not need all of them" : ""
            return "It waits for \(list(empty.map(name), conjunction))\(emptiness(of: empty))\(some)."
        }
        let names = Set(topology.incoming[node].map { graph.edges[$0].name }).sorted()
        let before = topology.incoming[node].flatMap { sources(of: $0) }.map(name)
        return "\(list(before)) \(before.count == 1 ? "has" : "have") a value, which \(list(names)) has not passed on."
    }

    /// Returns a sentence on the inputs that a combination or zip waits for before its next value, if it has fired
    /// before.
    private func partners(of combination: GraphTopology.Combination) -> String? {
        let missing = combination.edges.filter { graph.misses($0, transforms) }.map { topology.sources[$0]! }
        let fullest = combination.edges.max { graph.edges[$0].waitingCount ?? 0 < graph.edges[$1].waitingCount ?? 0 }
        let most = fullest.flatMap { graph.edges[$0].waitingCount }
        guard !missing.isEmpty, most != 0 else { return nil }
        let source = fullest.flatMap { topology.sources[$0] }.map(name) ?? "another node"
        let end = most.map { ", and keeps \($0 == 1 ? "one value" : "\($0) values") of \(source)" }
        return "\(combination.operatorName) waits for \(list(missing.map(name)))\(end ?? emptiness(of: missing))."
    }
    private func emptiness(of positions: [Int]) -> String {
        guard positions.allSatisfy({ graph.nodes[$0].value == nil }) else { return "" }
        return ", which \(positions.count == 1 ? "is" : "are") empty"
    }

    /// The empty nodes because of which the node is empty: the empty nodes upstream that have no empty node upstream
    /// themselves. If all of them stand in rings, it is the empty nodes next to the node. The conjunction tells if all
    /// of them are needed, or any one is enough.
    private var emptyOrigins: (nodes: [Int], Conjunction) {
        var origins: [Int] = []
        var conjunctions: Set<Conjunction> = []
        var nearest: Set<Int> = []
        var seen: Set<Int> = [node]
        var pending = [node]
        while let position = pending.popLast() {
            var empty: Set<Int> = []
            var isNeeded = false
            for edge in topology.incoming[position] {
                let source = topology.sources[edge]!
                let needs = graph.edges[edge].inputCount != nil || transforms[edge].isWaitedFor
                guard graph.nodes[source].value == nil, !needs || graph.misses(edge, transforms) else { continue }
                empty.insert(source)
                isNeeded = isNeeded || needs
            }
            if empty.isEmpty, position != node { origins.append(position) }
            if position == node { nearest = empty }
            if empty.count > 1 { conjunctions.insert(isNeeded ? .and : .or) }
            for source in empty where seen.insert(source).inserted { pending.append(source) }
        }
        if origins.isEmpty { origins = Array(nearest) }
        return (origins.sorted(), conjunctions.count == 1 ? conjunctions.first! : conjunctions.isEmpty ? .and : .some)
    }
    /// The number of the named nodes that are needed: all, one, or some.
    private enum Conjunction { case and, or, some }

    private func name(_ position: Int) -> String {
        let node = graph.nodes[position]
        return node.name?.quoted ?? "a node of \(ownNodes.contains(position) ? "its own" : node.valueType)"
    }

    /// Returns `a, b and c`. Of more than five texts it names the first four.
    private func list(_ texts: [String], _ conjunction: Conjunction = .and) -> String {
        let shown = texts.count > 5 ? Array(texts.prefix(4)) + ["\(texts.count - 4) more"] : texts
        guard let last = shown.last, shown.count > 1, conjunction == .or else { return shown.list }
        return shown.dropLast().joined(separator: ", ") + " or " + last
    }
}
