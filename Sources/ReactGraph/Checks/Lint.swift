import ReactCore

extension AnyNode {
    /// Searches the connected graph for probable mistakes. The ids in the findings are those of `graph`.
    /// Safe from any thread.
    ///
    /// Finds everything that `GraphSnapshot.lint` finds. It also knows to which nodes an edge has led before, which
    /// nodes a body has read, and the values that are redacted, so it finds copies of them. A graph without listeners
    /// is no finding, because its values may be read.
    ///
    ///     let source = MutableNode(1), target = Node<Int>(), lifetime = Lifetime()
    ///     target.link(to: source)
    ///     target.link(to: source)
    ///     target.listened(by: lifetime).with { _ in }
    ///     for finding in source.lint() { print(finding.rule.rawValue) }       // parallelEdges
    ///
    /// A copy of a redacted value is found if its node is in the connected graph, and its text contains that of the
    /// redacted node.
    ///
    /// - Parameters:
    ///   - zipLimit: The greatest number of values that one side of a zip may be ahead.
    ///   - file: The file of the call, which the message of a trap names.
    ///   - line: The line of the call.
    /// - Returns: The findings, in the order of the rules, and within a rule in the order of the snapshot.
    /// - Precondition: `zipLimit >= 0`.
    /// - Complexity: O(nodes + edges + listeners), and O(redacted nodes · texts of the values).
    public func lint(zipLimit: Int = 10, file: StaticString = #fileID, line: UInt = #line) -> [LintFinding] {
        let live = LiveGraph(around: [self])
        return Linter(live.snapshot, live, zipLimit: zipLimit, file: file, line: line).findings
    }
}

extension GraphSnapshot {
    /// Searches the graph for probable mistakes, by all rules but `cutOff`, `unfollowedRead`, `copiedSecret` and
    /// `crowdedGraph`. A snapshot knows neither the edges that led to its nodes before, nor the reads of their bodies,
    /// nor the values that are redacted, nor the threads that set them. Safe from any thread.
    ///
    /// A snapshot does not know which edges carry no values either, so the two edges of `a.take(until: a)` count as
    /// parallel here.
    ///
    /// - Parameters:
    ///   - zipLimit: The greatest number of values that one side of a zip may be ahead.
    ///   - file: The file of the call, which the message of a trap names.
    ///   - line: The line of the call.
    /// - Returns: The findings, in the order of the rules, and within a rule in the order of the snapshot.
    /// - Precondition: `zipLimit >= 0`.
    /// - Complexity: O(nodes + edges + listeners).
    public func lint(zipLimit: Int = 10, file: StaticString = #fileID, line: UInt = #line) -> [LintFinding] {
        Linter(self, nil, zipLimit: zipLimit, file: file, line: line).findings
    }
}

/// Applies the rules to one snapshot, one after the other.
struct Linter {
    private let graph: GraphSnapshot
    /// The live nodes and edges of the snapshot; `nil` for a snapshot alone.
    private let live: LiveGraph?
    private let topology: GraphTopology
    private(set) var findings: [LintFinding] = []

    init(_ graph: GraphSnapshot, _ live: LiveGraph?, zipLimit: Int, file: StaticString, line: UInt) {
        require(
            zipLimit >= 0,
            "lint(zipLimit: \(zipLimit)): a side of a zip cannot be less than 0 values ahead. Make zipLimit 0 or more.",
            file: file, line: line)
        (self.graph, self.live, topology) = (graph, live, GraphTopology(graph))
        findParallelEdges()
        findZipsAhead(by: zipLimit)
        findLooseEnds()
        let combinations = graph.nodes.indices.compactMap { node in
            topology.combination(at: node, in: graph).map { (node: node, combination: $0) }
        }
        findLostInputs(combinations)
        findNodesCutOff()
        findEmptyInputs(combinations)
        findWaitingRings()
        guard let live else { return }
        findUnfollowedReads(live)
        findCopiedSecrets(live)
        findCrowdedGraphs(live)
    }
    private typealias Combinations = [(node: Int, combination: GraphTopology.Combination)]

    private mutating func findCrowdedGraphs(_ live: LiveGraph) {
        let most = 10_000
        guard live.nodes.count > most else { return }
        let graphs = Dictionary(grouping: live.nodes.indices) { live.nodes[$0].vertex.addressOfRegion }
        for nodes in graphs.values.sorted(by: { $0[0] < $1[0] })
        where nodes.count > most && live.nodes[nodes[0]].vertex.hasBeenWaitedFor {
            add(
                .crowdedGraph, nodes: [nodes[0]],
                "\(nodes.count) nodes are one graph with \(name(nodes[0])), and threads have waited for one another there.",
                remedy: "Put deliver(on: .atOnce) before parts that need not change in the same set.")
        }
    }

    private mutating func findUnfollowedReads(_ live: LiveGraph) {
        for node in graph.nodes.indices {
            guard let read = live.nodes[node].vertex.unfollowedRead else { continue }
            add(
                .unfollowedRead, nodes: [node],
                "The body of \(name(node)) has read \(read) by `value` or `current`, and no node by its argument: it is "
                    + "never called again.",
                remedy: "Write `try read(node)`, or `read.untracked(node)` if it shall not follow.")
        }
    }

    private mutating func findParallelEdges() {
        struct Key: Hashable { let name: String, from: Int, to: Int }
        var groups: [Key: [Int]] = [:]
        // Two edges are right if one node is two inputs of a combination, or both carries values and tells an operator
        // when to stop.
        for (index, edge) in graph.edges.enumerated()
        where edge.inputCount == nil && live?.transforms[index].bringsValues ?? true {
            guard let from = topology.sources[index], let to = topology.destinations[index] else { continue }
            groups[Key(name: edge.name, from: from, to: to), default: []].append(index)
        }
        for (key, group) in groups.sorted(by: { $0.value[0] < $1.value[0] }) where group.count > 1 {
            add(
                .parallelEdges, nodes: Set([key.from, key.to]).sorted(), edges: group,
                "\(group.count) edges named \(key.name.quoted) lead from \(name(key.from)) to \(name(key.to)): each value "
                    + "goes there \(group.count == 2 ? "twice" : "\(group.count) times").",
                remedy:
                    "Cancel all but one; if they are meant to differ, give each transform a name that says its purpose."
            )
        }
    }

    private mutating func findZipsAhead(by limit: Int) {
        // The inputs that are behind, of each zip: many of its other inputs may be ahead.
        let late = graph.edges.indices.filter { graph.edges[$0].waitingCount == 0 && topology.sources[$0] != nil }
        let behind = Dictionary(grouping: late) { topology.destinations[$0] }
            .mapValues { names($0.map { topology.sources[$0]! }) }
        for (index, edge) in graph.edges.enumerated() {
            guard let count = edge.waitingCount, count > limit else { continue }
            let source = topology.sources[index], destination = topology.destinations[index]
            let others = destination.flatMap { behind[$0] } ?? "the other side"
            add(
                .zipAhead, nodes: Set([source, destination].compactMap(\.self)).sorted(), edges: [index],
                "\(source.map(name) ?? "one side") is \(count) values ahead in the zip that leads to "
                    + "\(destination.map(name) ?? "no node"): they are kept for later values of \(others).",
                remedy: "Set \(others) as often, cut the zip, or use combine if only the newest values matter.")
        }
    }

    private mutating func findLooseEnds() {
        for (index, edge) in graph.edges.enumerated() where (edge.from == nil) != (edge.to == nil) {
            let node = (topology.sources[index] ?? topology.destinations[index])!
            add(
                .looseEnd, nodes: [node], edges: [index],
                edge.from == nil
                    ? "\(edge.name.quoted) leads to \(name(node)), but from no node: no value arrives by it."
                    : "\(edge.name.quoted) leads from \(name(node)), but to no node: its values are lost.",
                remedy: edge.from == nil ? "Set its from, or set its to to nil." : "Set its to, or set its from to nil."
            )
        }
    }

    private mutating func findLostInputs(_ combinations: Combinations) {
        for (node, combination) in combinations where combination.lostCount > 0 {
            let lost = GraphTopology.lost(combination.lostCount, of: combination.inputCount)
            add(
                .lostInput, nodes: [node], "\(combination.operatorName) \(name(node)) \(lost).",
                remedy: "Make it anew of the inputs that are left; or, if nobody needs it, cut those off too.")
        }
    }

    private mutating func findNodesCutOff() {
        for (index, node) in graph.nodes.enumerated()
        where !node.isMutable && live?.nodes[index].vertex.hasLostUpstream ?? false
            && topology.incoming[index].isEmpty && (node.listenerCount > 0 || !topology.outgoing[index].isEmpty)
        {
            add(
                .cutOff, nodes: [index],
                "\(name(index)) cannot be set, and nothing leads to it any more: its listeners and the nodes downstream hear "
                    + "nothing more.",
                remedy: "Link it again, or let go of those that follow it.")
        }
    }

    private mutating func findEmptyInputs(_ combinations: Combinations) {
        for (node, combination) in combinations where graph.nodes[node].value == nil {
            let edges = combination.edges.filter {
                graph.nodes[topology.sources[$0]!].value == nil && graph.misses($0, live?.transforms)
            }
            let inputs = edges.map { topology.sources[$0]! }.uniqued
            guard !inputs.isEmpty else { continue }
            let isOne = inputs.count == 1
            add(
                .waitsForEmpty, nodes: [node] + inputs, edges: edges,
                "\(name(node)) is empty, because \(combination.operatorName) waits for \(names(inputs)), "
                    + "which \(isOne ? "is" : "are") empty.",
                remedy: isOne
                    ? "Set the empty node, or give it a value from the start."
                    : "Set the empty nodes, or give them values from the start.")
        }
    }

    private mutating func findWaitingRings() {
        for ring in topology.rings {
            let members = Set(ring)
            let inside = ring.flatMap { topology.outgoing[$0] }.filter {
                members.contains(topology.destinations[$0]!)
            }.sorted()
            let edges = inside.filter { graph.edges[$0].waiting == .passesLater }
            guard let first = edges.first else { continue }
            let asks = inside.contains { graph.edges[$0].waiting == .asks }
            let way = "\(names(ring)) form a ring through \(graph.edges[first].name.quoted)"
            add(
                .waitingRing, nodes: ring, edges: edges,
                asks
                    ? "\(way) and “UpToDate”: each change of the answer is a value on its way, which changes the answer again, "
                        + "so the graph never comes to rest."
                    : "\(way): a value that comes back stops at the node where it came from, because it has passed that "
                        + "node before.",
                remedy: asks
                    ? "Ask for upToDate() at a node behind the waiting edge, and lead the answer somewhere else."
                    : "To answer a value with a new one, cut the ring, and set the node in a listener of the result, or let a "
                        + "node follow(_:in:) a sequence.")
        }
    }

    private mutating func findCopiedSecrets(_ live: LiveGraph) {
        for (secret, copy) in live.copiedSecrets {
            add(
                .copiedSecret, nodes: [secret, copy],
                "\(name(copy)) shows the value of \(name(secret)), which is redacted: a listener, an effect or a function "
                    + "has copied it, or it came from there.",
                remedy: "Call redacted() on \(name(copy)), too.")
        }
    }

    private mutating func add(
        _ rule: LintFinding.Rule, nodes: [Int], edges: [Int] = [], _ message: String, remedy: String
    ) {
        let ids = nodes.map { graph.nodes[$0].id }
        findings.append(LintFinding(rule: rule, nodes: ids, edges: edges, message: message, remedy: remedy))
    }

    private func name(_ position: Int) -> String {
        let node = graph.nodes[position]
        return "\(node.title.quoted) (node \(node.id))"
    }

    /// Returns the names of the first four nodes, and the number of the others.
    private func names(_ positions: [Int]) -> String {
        let shown = positions.prefix(4).map(name)
        return (positions.count > 4 ? shown + ["\(positions.count - 4) more"] : shown).list
    }
}
