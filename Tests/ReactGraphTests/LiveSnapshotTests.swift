import Foundation
import ReactCore
import ReactOperators
import TestSupport
import Testing

@testable import ReactGraph

private final class Screen: Listener { let lifetime = Lifetime() }

@Suite("the snapshot of a live graph")
struct LiveSnapshotTests {
    @Test("tells each node's name, type, value and mutability")
    func nodes() {
        let price = MutableNode(20).named("price")
        let text = price.map { "\($0) €" }
        let none = text.filter { $0.isEmpty }
        #expect(
            price.graph
                == Snapshot(
                    nodes: [
                        Samples.node(0, "price", "20", isMutable: true),
                        Samples.node(1, nil, "20 €", type: "String", depth: 1),
                        Samples.node(2, nil, nil, type: "String", depth: 2),
                    ],
                    edges: [Samples.edge("Map", 0, 1), Samples.edge("Filter", 1, 2)]))
        withExtendedLifetime(none) {}
    }

    @Test("several graphs can be one snapshot, each once")
    func severalGraphs() {
        let a = MutableNode(1).named("a"), b = a.map { $0 + 1 }.named("b")
        let c = MutableNode(3).named("c"), d = c.map { $0 + 1 }.named("d")
        let graph = GraphSnapshot(of: [d, b, a, c])
        #expect(graph.nodes.map(\.name) == ["d", "c", "b", "a"])
        #expect(graph.nodes.map(\.depth) == [0, -1, 0, -1])
        #expect(graph.edges == [Samples.edge("Map", 1, 0), Samples.edge("Map", 3, 2)])
        #expect(GraphSnapshot(of: []) == Snapshot(nodes: []))
    }

    @Test("equal sets have one text, in a snapshot and in a past graph, however they were made")
    func sets() {
        let first = Set(0..<20)
        var other = Set<Int>(minimumCapacity: 1_000)
        for number in 0..<20 { other.insert(number) }
        let node = MutableNode(first).named("tags"), before = node.graph
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true), mark = recorder.mark("before")
        node.value = other
        #expect("\(first)" != "\(other)" && node.graph == before)
        #expect(node.graph.diff(since: recorder.graph(of: node, at: mark)).isEmpty)
    }

    @Test("a node that holds nil is not empty")
    func optional() {
        let node = MutableNode<Int?>(nil)
        #expect(node.graph.nodes[0].value == "nil")
        #expect(node.graph.nodes[0].valueType == "Optional<Int>")
    }

    @Test("tells each listener once, and each listening")
    func listeners() {
        let a = MutableNode(1), b = a.map { $0 }
        let screen = Screen(), lifetime = Lifetime()
        a.listened(by: screen).with { _ in }
        b.listened(by: screen).with { _ in }
        b.listened(by: screen).with { _ in }
        let edge = ListenEdge<Int>(name: "audit")
        b.listened(by: lifetime).with(edge: edge)
        let graph = a.graph
        #expect(graph.listeners == [.init(id: 0, type: "Screen"), .init(id: 1, type: "Lifetime")])
        #expect(
            graph.listenings == [
                .init(node: 0, listener: 0), .init(node: 1, listener: 0), .init(node: 1, listener: 0),
                .init(name: "audit", node: 1, listener: 1),
            ])
        #expect(graph.nodes.map(\.listenerCount) == [1, 3])
    }

    @Test("a listener that is gone is not in it")
    func goneListener() {
        let node = MutableNode(1)
        var screen: Screen? = Screen()
        node.listened(by: screen!).with { _ in }
        #expect(node.graph.listeners.count == 1)
        screen = nil
        #expect(node.graph.listeners.isEmpty)
        #expect(node.graph.nodes[0].listenerCount == 0)
    }

    @Test("an end that is not connected is nil")
    func looseEnds() {
        let node = MutableNode(1)
        let (into, outOf) = (LinkTransform<Int>(), LinkTransform<Int>())
        (into.to, outOf.from) = (node, node)
        #expect(node.graph.edges == [Samples.edge("Link", nil, 0), Samples.edge("Link", 0, nil)])
    }

    @Test("two graphs made in the same way have equal snapshots, to the byte")
    func stable() throws {
        func make() throws -> Data {
            let a = MutableNode(1).named("a"), b = MutableNode(2)
            let sum = combine(a, b).mapEach { $0 + $1 }
            let branches = (0..<20).map { index in sum.map { $0 * index } }
            let all = Node<Int>()
            for branch in branches { all.link(to: branch) }
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            defer { withExtendedLifetime(all) {} }
            return try encoder.encode(a.graph)
        }
        #expect(try make() == make())
    }

    @Test("two nodes that follow each other are a ring")
    func ring() {
        let a = MutableNode(1), b = MutableNode(2)
        a.link(to: b)
        let back = b.link(to: a)
        #expect(a.graph.cycles == [[0, 1]])
        back.cancel()
        #expect(a.graph.cycles.isEmpty)
    }

    @Test("while other threads set, link and cut, every end of every edge is in it")
    func threads() async {
        let sources = (0..<8).map { MutableNode($0).named("source \($0)") }
        let middle = sources.map { source in source.map { $0 + 1 } }
        let hub = Node<Int>()
        for node in middle { hub.link(to: node) }
        let seed = UInt64.random(in: 0...UInt64.max)
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<3 {
                group.addTask {
                    var generator = SeededGenerator(seed: seed &+ UInt64(thread))
                    let screen = Screen()
                    for round in 0..<400 {
                        let source = sources.randomElement(using: &generator)!
                        source.value = round
                        let target = MutableNode<Int>()
                        let link = target.link(to: middle.randomElement(using: &generator)!)
                        let derived = target.map { $0 * 2 }
                        derived.listened(by: screen).with { _ in }
                        if Bool.random(using: &generator) { link.cancel() } else { target.removeUpstreamNodes() }
                        let back = source.link(to: middle.randomElement(using: &generator)!)
                        back.cancel()
                        source.name = "round \(round)"
                    }
                }
            }
            group.addTask {
                for _ in 0..<200 {
                    let graph = hub.graph
                    let ids = graph.nodes.indices
                    #expect(graph.nodes.map(\.id) == Array(ids), "seed \(seed)")
                    for edge in graph.edges {
                        #expect(edge.from != nil || edge.to != nil, "seed \(seed)")
                        #expect(edge.from.map(ids.contains) ?? true, "seed \(seed)")
                        #expect(edge.to.map(ids.contains) ?? true, "seed \(seed)")
                    }
                    for listening in graph.listenings {
                        #expect(ids.contains(listening.node), "seed \(seed)")
                        #expect(graph.listeners.indices.contains(listening.listener), "seed \(seed)")
                    }
                    for finding in graph.lint() { #expect(finding.nodes.allSatisfy(ids.contains), "seed \(seed)") }
                    _ = hub.lint()
                }
            }
        }
    }

    @Test("a difference tells which of several look-alikes is gone, though a new one took its place")
    func difference() {
        let source = MutableNode(1)
        var forks = (0..<3).map { _ in source.fork() }
        let before = source.graph
        forks.remove(at: 1)
        forks.append(source.fork())
        let after = source.graph
        let diff = after.diff(since: before)
        #expect(diff.removedNodes == [before.nodes[2]])
        #expect(diff.addedNodes == [after.nodes[3]])
        #expect(diff.changedNodes.isEmpty)
        #expect(diff.removedEdges == [before.edges[1]])
        #expect(diff.addedEdges == [after.edges[2]])
        source.value = 2
        #expect(source.graph.diff(since: after).changedNodes.count == 4)
        withExtendedLifetime(forks) {}
    }

    @Test("the example in the documentation of GraphDiff")
    func example() {
        let price = MutableNode(20).named("price")
        let before = price.graph
        price.value = 21
        let discount = price.map { $0 / 2 }.named("discount")
        #expect(
            price.graph.diff(since: before).description == """
                ~ price: 20 → 21
                + discount: 10
                + price -Map-> discount
                """)
        withExtendedLifetime(discount) {}
    }
}
