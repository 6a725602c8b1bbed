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
    public func lint(
        zipLimit: Int = 10, file: StaticString = #fileID, line: UInt = #line
    ) -> [LintFinding] {
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
    public func lint(
        zipLimit: Int = 10, file: StaticString = #fileID, line: UInt = #line
    ) -> [LintFinding] {
        Linter(self, nil, zipLimit: zipLimit, file: file, line: line).findings
    }
}

/// Applies the rules to one snapshot. Each rule returns a list of findings.
struct Linter {
    private let graph: GraphSnapshot
    /// The live nodes and edges of the snapshot; `nil` for a snapshot alone.
    private let live: LiveGraph?
    private let topology: GraphTopology
    private let zipLimit: Int

    init(_ graph: GraphSnapshot, _ live: LiveGraph?, zipLimit: Int, file: StaticString, line: UInt) {
        require(
            zipLimit >= 0,
            "lint(zipLimit: \(zipLimit)): a side of a zip cannot be less than 0 values ahead. Make zipLimit 0 or more.",
            file: file, line: line)
        (self.graph, self.live, self.zipLimit) = (graph, live, zipLimit)
        topology = GraphTopology(graph)
    }

    var findings: [LintFinding] {
        parallelEdges + zipsAhead + looseEnds + lostInputs + cutOff + waiting + waitingRings + unfollowedReads
            + copiedSecrets + crowdedGraphs
    }

    private var crowdedGraphs: [LintFinding] {
        let most = 10_000
        guard let live, live.nodes.count > most else { return [] }
        let graphs = Dictionary(grouping: live.nodes.indices) { live.nodes[$0].vertex.addressOfRegion }
        return graphs.values.filter { $0.count > most && live.nodes[$0[0]].vertex.hasBeenWaitedFor }.map { nodes in
            finding(
                .crowdedGraph, nodes: [nodes[0]],
                message:
                    "\(nodes.count) nodes are one graph with \(name(nodes[0])), and threads have waited for one another there.",
                remedy: "Put deliver(on: .atOnce) before parts that need not change in the same set."
            )
        }.sorted { $0.nodes[0] < $1.nodes[0] }
    }

    private var unfollowedReads: [LintFinding] {
        graph.nodes.indices.compactMap { node in
            live?.nodes[node].vertex.unfollowedRead.map { read in
                finding(
                    .unfollowedRead, nodes: [node],
                    message:
                        "The body of \(name(node)) has read \(read) by `value` or `current`, and no node by its argument: it is "
                        + "never called again.",
                    remedy: "Write `try read(node)`, or `read.untracked(node)` if it shall not follow."
                )
            }
        }
    }

    private var parallelEdges: [LintFinding] {
        struct Key: Hashable { let name: String, from: Int?, to: Int? }
        // Two edges are right if one node is two inputs of a combination, or both carries values and tells an operator
        // when to stop.
        let candidates = graph.edges.indices.filter { index in
            let edge = graph.edges[index]
            return edge.inputCount == nil && (live?.transforms[index].bringsValues ?? true) && edge.from != nil
                && edge.to != nil
        }
        let groups = Dictionary(grouping: candidates) { index in
            Key(name: graph.edges[index].name, from: topology.sources[index], to: topology.destinations[index])
        }
        return groups.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }.map { group in
            let edge = group[0]
            let ends = Set([topology.sources[edge]!, topology.destinations[edge]!]).sorted()
            return finding(
                .parallelEdges, nodes: ends, edges: group,
                message:
                    "\(group.count) edges named \(graph.edges[edge].name.quoted) lead from \(name(topology.sources[edge]!)) to "
                    + "\(name(topology.destinations[edge]!)): each value goes there "
                    + "\(group.count == 2 ? "twice" : "\(group.count) times").",
                remedy:
                    "Cancel all but one; if they are meant to differ, give each transform a name that says its purpose."
            )
        }
    }

    private var zipsAhead: [LintFinding] {
        // The inputs that are behind, of each zip: many of its other inputs may be ahead.
        var behind: [Int: String] = [:]
        func inputsBehind(at node: Int) -> String {
            if let known = behind[node] { return known }
            let late = topology.edges(into: node).filter { graph.edges[$0].waitingCount == 0 }
            let text = late.isEmpty ? "the other side" : names(late.compactMap { topology.sources[$0] })
            behind[node] = text
            return text
        }
        return graph.edges.indices.compactMap { index in
            let edge = graph.edges[index]
            guard let count = edge.waitingCount, count > zipLimit else { return nil }
            let ends = Set([topology.sources[index], topology.destinations[index]].compactMap { $0 }).sorted()
            let source = topology.sources[index].map(name) ?? "one side"
            let destination = topology.destinations[index].map(name) ?? "no node"
            let others = topology.destinations[index].map(inputsBehind) ?? "the other side"
            return finding(
                .zipAhead, nodes: ends, edges: [index],
                message:
                    "\(source) is \(count) values ahead in the zip that leads to \(destination): they are kept for "
                    + "later values of \(others).",
                remedy: "Set \(others) as often, cut the zip, or use combine if only the newest values matter."
            )
        }
    }

    private var looseEnds: [LintFinding] {
        graph.edges.indices.compactMap { index in
            let edge = graph.edges[index]
            guard (edge.from == nil) != (edge.to == nil) else { return nil }
            let node = (topology.sources[index] ?? topology.destinations[index])!
            return finding(
                .looseEnd, nodes: [node], edges: [index],
                message: edge.from == nil
                    ? "\(edge.name.quoted) leads to \(name(node)), but from no node: no value arrives by it."
                    : "\(edge.name.quoted) leads from \(name(node)), but to no node: its values are lost.",
                remedy: edge.from == nil
                    ? "Set its from, or set its to to nil." : "Set its to, or set its from to nil."
            )
        }
    }

    private var lostInputs: [LintFinding] {
        graph.nodes.indices.compactMap { node in
            guard let combination = topology.combination(at: node, in: graph), combination.lostCount > 0 else {
                return nil
            }
            return finding(
                .lostInput, nodes: [node],
                message:
                    "\(combination.operatorName) \(name(node)) "
                    + "\(GraphTopology.lost(combination.lostCount, of: combination.inputCount)).",
                remedy: "Make it anew of the inputs that are left; or, if nobody needs it, cut those off too."
            )
        }
    }

    private var cutOff: [LintFinding] {
        graph.nodes.indices.compactMap { node in
            guard !graph.nodes[node].isMutable, live?.nodes[node].vertex.hasLostUpstream ?? false,
                topology.edges(into: node).isEmpty,
                graph.nodes[node].listenerCount > 0 || !topology.edges(outOf: node).isEmpty
            else { return nil }
            return finding(
                .cutOff, nodes: [node],
                message:
                    "\(name(node)) cannot be set, and nothing leads to it any more: its listeners and the nodes downstream hear "
                    + "nothing more.",
                remedy: "Link it again, or let go of those that follow it."
            )
        }
    }

    private var waiting: [LintFinding] {
        graph.nodes.indices.compactMap { node in
            guard graph.nodes[node].value == nil, let combination = topology.combination(at: node, in: graph) else {
                return nil
            }
            let edges = combination.edges.filter {
                graph.nodes[topology.sources[$0]!].value == nil && graph.misses($0, live?.transforms)
            }
            guard !edges.isEmpty else { return nil }
            var seen: Set<Int> = []
            let inputs = edges.map { topology.sources[$0]! }.filter { seen.insert($0).inserted }
            return finding(
                .waitsForEmpty, nodes: [node] + inputs, edges: edges,
                message:
                    "\(name(node)) is empty, because \(combination.operatorName) waits for \(names(inputs)), "
                    + "which \(inputs.count == 1 ? "is" : "are") empty.",
                remedy:
                    "Set \(inputs.count == 1 ? "the empty node, or give it a value" : "the empty nodes, or give them values") from the start."
            )
        }
    }

    private var waitingRings: [LintFinding] {
        topology.rings.compactMap { ring in
            let members = Set(ring)
            let edges = ring.flatMap { topology.edges(outOf: $0) }.filter {
                graph.edges[$0].waiting == .passesLater && members.contains(topology.destinations[$0]!)
            }.sorted()
            guard let first = edges.first else { return nil }
            let asks = ring.flatMap { topology.edges(outOf: $0) }.contains {
                graph.edges[$0].waiting == .asks && members.contains(topology.destinations[$0]!)
            }
            let way = "\(names(ring)) form a ring through \(graph.edges[first].name.quoted)"
            return finding(
                .waitingRing, nodes: ring, edges: edges,
                message: way
                    + (asks
                        ? " and “UpToDate”: each change of the answer is a value on its way, which changes the answer again, so "
                            + "the graph never comes to rest."
                        : ": a value that comes back stops at the node where it came from, because it has passed that node "
                            + "before."),
                remedy: asks
                    ? "Ask for upToDate() at a node behind the waiting edge, and lead the answer somewhere else."
                    : "To answer a value with a new one, cut the ring, and set the node in a listener of the result, or let a "
                        + "node follow(_:in:) a sequence.")
        }
    }

    private var copiedSecrets: [LintFinding] {
        (live?.copiedSecrets ?? []).map { secret, copy in
            finding(
                .copiedSecret, nodes: [secret, copy],
                message:
                    "\(name(copy)) shows the value of \(name(secret)), which is redacted: a listener, an effect or a function "
                    + "has copied it, or it came from there.",
                remedy: "Call redacted() on \(name(copy)), too."
            )
        }
    }

    private func finding(
        _ rule: LintFinding.Rule, nodes: [Int], edges: [Int] = [], message: String, remedy: String
    ) -> LintFinding {
        LintFinding(rule: rule, nodes: nodes.map { graph.nodes[$0].id }, edges: edges, message: message, remedy: remedy)
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
