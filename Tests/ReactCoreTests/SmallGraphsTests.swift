import ReactCore
import TestSupport
import Testing

/// Every graph of up to three nodes and four links × the node that is set × what a listener does while it is set.
///
/// What must come out of a set that no listener disturbs is told by a model of its own: it walks every path that passes
/// no node twice, depth first. For disturbed sets the promises are checked that hold whatever happens.
@Suite("Every small graph") struct SmallGraphsTests {
    struct Arrow: Hashable, CustomStringConvertible {
        let from: Int
        let to: Int
        var description: String { "\(from)→\(to)" }
    }

    /// What the listener of one node does when it hears the first value.
    enum Deed: CustomStringConvertible {
        case nothing
        case set(Int)
        case cut(Int)
        case add(Arrow)

        var description: String {
            switch self {
            case .nothing: "nothing"
            case .set(let node): "set node \(node)"
            case .cut(let link): "cut link \(link)"
            case .add(let arrow): "add \(arrow)"
            }
        }
    }

    struct Heard: Sendable, Equatable {
        let node: Int
        let value: Int
    }

    /// The graph under test. Its nodes carry numbers, and every number that was set has its text for a context.
    final class Graph {
        let listener = Lifetime()
        let nodes: [MutableNode<Int>]
        var arrows: [Arrow] = []
        let links = Locked<[Probe<Int>]>([])
        /// What the first listener of each node heard, in one order.
        let log = Recorder<Heard>()
        /// The same by a second listener of each node, attached after the one that does the deed.
        let second = Recorder<Heard>()
        let violations = Recorder<String>()

        init(nodes count: Int, arrows: [Arrow]) {
            nodes = (0..<count).map { _ in MutableNode<Int>() }
            for arrow in arrows { add(arrow) }
        }

        func add(_ arrow: Arrow) {
            arrows.append(arrow)
            let link = Probe("\(arrow)", from: nodes[arrow.from], to: nodes[arrow.to])
            links.withLock { $0.append(link) }
        }

        func listen(_ deed: @escaping @Sendable (Heard) -> Void) {
            for (index, node) in nodes.enumerated() {
                let (log, second, violations) = (log, second, violations)
                node.listened(by: listener).withSenderListAndContext { value, senders, context in
                    log.record(Heard(node: index, value: value))
                    let path = senders.senders
                    if Set(path).count != path.count { violations.record("passed a node twice: \(senders)") }
                    if path.first != node { violations.record("heard by another than the newest sender") }
                    if let context, context as? String != "\(value)" { violations.record("context of another value") }
                    if node.value != value { violations.record("delivered before it was stored") }
                }
                node.listened(by: listener).with { deed(Heard(node: index, value: $0)) }
                node.listened(by: listener).with { second.record(Heard(node: index, value: $0)) }
            }
        }

        func set(_ node: Int, to value: Int) { nodes[node].setValue(value, context: "\(value)") }

        /// Cuts every link: a ring would hold itself.
        func dismantle() {
            for node in nodes { node.removeUpstreamNodes() }
        }
    }

    /// The order in which nodes hear a value set at `start`, by definition: every path without a repeated node.
    func model(_ arrows: [Arrow], from start: Int, passed: Set<Int> = []) -> [Int] {
        [start]
            + arrows.filter { $0.from == start && !passed.contains($0.to) && $0.to != start }
            .flatMap { model(arrows, from: $0.to, passed: passed.union([start])) }
    }

    func arrows(nodes: Int) -> [Arrow] {
        (0..<nodes).flatMap { from in (0..<nodes).compactMap { $0 == from ? nil : Arrow(from: from, to: $0) } }
    }

    /// Runs `body` for every graph with `count` nodes: up to three links in every order, four in one order each
    /// if full sizes are asked for.
    func withEveryGraph(nodes count: Int, thinned: Bool = false, _ body: ([Arrow]) throws -> Void) rethrows {
        let possible = arrows(nodes: count)
        try withEvery("links", in: 0...(possible.isEmpty ? 0 : Scale.gate.isSmall ? 3 : 4)) { size in
            var graphs = sequences(of: possible, count: size)
            if size == 4 {
                graphs = graphs.filter { graph in
                    let places = graph.map { possible.firstIndex(of: $0)! }
                    return places == places.sorted()
                }
            }
            // There are six arrows between three nodes, so that each comes in each place.
            if thinned, size >= 2 {
                graphs = stride(from: 0, to: graphs.count, by: size == 2 ? 5 : 25).map { graphs[$0] }
            }
            try withEvery("graph", in: graphs, body)
        }
    }

    @Test(
        "a set that nobody disturbs is heard along every path that passes no node twice, depth first",
        arguments: 1...3
    )
    func undisturbed(nodes count: Int) {
        withEveryGraph(nodes: count) { arrows in
            let graph = Graph(nodes: count, arrows: arrows)
            graph.listen { _ in }
            for start in 0..<count {
                graph.set(start, to: start + 1)
                let heard = graph.log.take()
                let expected = model(arrows, from: start).map { Heard(node: $0, value: start + 1) }
                #expect(heard == expected, "set node \(start) \(Trace.current)")
                #expect(graph.second.take() == expected, "set node \(start) \(Trace.current)")
            }
            #expect(graph.violations.events == [], "\(Trace.current)")
            graph.dismantle()
        }
    }

    @Test("the promises hold, whichever changes a listener makes meanwhile", arguments: 1...3)
    func disturbed(nodes count: Int) throws {
        try withLifetimeTracking { tracker in
            withEveryGraph(nodes: count, thinned: Scale.gate.isSmall) { arrows in
                let deeds =
                    (0..<count).map { Deed.set($0) } + arrows.indices.map { Deed.cut($0) }
                    + self.arrows(nodes: count).map { Deed.add($0) }
                withEvery("deed", in: deeds) { deed in
                    withEvery("by the listener of", in: 0..<count) { actor in
                        withEvery("set", in: 0..<count) { start in
                            check(arrows, nodes: count, start: start, actor: actor, deed: deed, tracker: tracker)
                        }
                    }
                }
            }
        }
    }

    private func check(
        _ arrows: [Arrow],
        nodes count: Int,
        start: Int,
        actor: Int,
        deed: Deed,
        tracker: LifetimeTracker
    ) {
        let graph = Graph(nodes: count, arrows: arrows)
        let payload = tracker.track("captured by a listener")
        let done = Locked(false)
        let (nodes, links) = (graph.nodes, graph.links)
        graph.listen { heard in
            withExtendedLifetime(payload) {}
            guard heard == Heard(node: actor, value: 1), !done.value else { return }
            done.value = true
            switch deed {
            case .nothing: break
            case .set(let node): nodes[node].setValue(2, context: "2")
            case .cut(let index):
                let link = links.value[index]
                link.from = nil
                _ = link.log.take()
            case .add(let arrow):
                let link = Probe("\(arrow)", from: nodes[arrow.from], to: nodes[arrow.to])
                links.withLock { $0.append(link) }
            }
        }
        graph.set(start, to: 1)
        let heard = graph.log.events

        func holds(_ condition: Bool, _ promise: String) {
            guard !condition else { return }
            Issue.record("\(promise) \(Trace.current); heard \(heard.map { "\($0.node):\($0.value)" })")
        }
        for node in 0..<count {
            let first = heard.filter { $0.node == node }.map(\.value)
            let second = graph.second.events.filter { $0.node == node }.map(\.value)
            holds(first == second, "every listener of node \(node) hears the same, in the same order")
            holds(first.last == nodes[node].value, "what node \(node) heard last is what it holds")
        }
        holds(graph.violations.events == [], "\(graph.violations.events)")
        var after = arrows
        switch deed {
        case .nothing: break
        case .set(let node):
            if done.value { holds(heard.contains(Heard(node: node, value: 2)), "the set inside is not lost") }
        case .cut(let index):
            guard done.value else { break }
            holds(links.value[index].log.events.allSatisfy { $0.hasSuffix("reset") }, "a cut edge hears nothing more")
            after.remove(at: index)
        case .add(let arrow):
            guard done.value else { break }
            holds(nodes[arrow.from].isEmpty || !nodes[arrow.to].isEmpty, "an added edge takes the value over")
            after.append(arrow)
        }

        // Afterwards the graph is as sound as one that was built that way.
        _ = graph.log.take()
        graph.set(start, to: 3)
        let expected = model(after, from: start).map { Heard(node: $0, value: 3) }
        holds(graph.log.events == expected, "the next set is heard as by a graph built that way")
        graph.dismantle()
    }
}
