import ReactCore
import ReactGraph
import ReactOperators
import TestSupport
import Testing

/// Notes what it sees, and stops where it is told to.
private struct Log: NodeVisitor {
    var seen: [String] = []
    var stopsAt: String?
    var whenVisited: (AnyNode) -> Void = { _ in }

    mutating func visit(_ node: AnyNode, depth: Int) -> VisitResult {
        whenVisited(node)
        return note("\(node.name ?? "?") \(depth)")
    }
    mutating func visit(_ transform: AnyTransform) -> VisitResult { note("-\(transform.name)->") }

    private mutating func note(_ entry: String) -> VisitResult {
        seen.append(entry)
        return entry == stopsAt ? .stop : .continue
    }
}

@Suite("the walk")
struct WalkTests {
    @Test("from the middle of a chain, both ways, breadth first")
    func chain() {
        let a = MutableNode(1).named("a")
        let b = a.map { $0 + 1 }.named("b")
        let c = b.filter { $0 > 0 }.named("c")
        let d = c.fork().named("d")
        var log = Log()
        b.traverse(&log)
        #expect(log.seen == ["b 0", "-Map->", "-Filter->", "a -1", "c 1", "-Fork->", "d 2"])
        withExtendedLifetime(d) {}
    }

    @Test("each node and each transform of a diamond once")
    func diamond() {
        let top = MutableNode(1).named("top")
        let left = top.map { $0 * 2 }.named("left")
        let right = top.map { $0 * 3 }.named("right")
        let bottom = combine(left, right).named("bottom")
        var log = Log()
        top.traverse(&log)
        #expect(
            log.seen == [
                "top 0", "-Map->", "-Map->", "left 1", "-Combine->", "right 1", "-Combine->", "bottom 2",
            ])
        withExtendedLifetime(bottom) {}
    }

    @Test("rings, by the shortest way to each node")
    func ring() {
        let nodes = ["a", "b", "c", "d"].map { MutableNode(0).named($0) }
        for (index, node) in nodes.enumerated() { nodes[(index + 1) % 4].link(to: node) }
        defer { nodes.forEach { $0.removeUpstreamNodes() } }
        var log = Log()
        nodes[0].traverse(&log)
        #expect(log.seen.filter { !$0.hasPrefix("-") } == ["a 0", "d -1", "b 1", "c -2"])
        #expect(log.seen.count { $0 == "-Link->" } == 4)
    }

    @Test("transforms with one end are seen, from either end")
    func looseEnds() {
        let node = MutableNode(1).named("node")
        let (into, outOf) = (LinkTransform<Int>(), LinkTransform<Int>())
        (into.name, outOf.name) = ("Into", "OutOf")
        (into.to, outOf.from) = (node, node)
        var log = Log()
        node.traverse(&log)
        #expect(log.seen == ["node 0", "-Into->", "-OutOf->"])
    }

    @Test("either visit may stop it", arguments: ["b 1", "-Filter->"])
    func stop(_ entry: String) {
        let a = MutableNode(1).named("a")
        let b = a.map { $0 }.named("b")
        let c = b.filter { _ in true }.named("c")
        var log = Log(stopsAt: entry)
        a.traverse(&log)
        #expect(log.seen == Array(["a 0", "-Map->", "b 1", "-Filter->", "c 2"].prefix { $0 != entry }) + [entry])
        withExtendedLifetime(c) {}
    }

    @Test("a visitor may cut the edges that it walks along")
    func cutting() {
        let a = MutableNode(1).named("a")
        let b = a.map { $0 }.named("b")
        let c = b.map { $0 }.named("c")
        var log = Log(whenVisited: { $0.removeDownstreamNodes() })
        a.traverse(&log)
        #expect(log.seen == ["a 0"])
        #expect(!b.hasUpstreamNode && b.hasDownstreamNode)
        withExtendedLifetime(c) {}
    }

    @Test("a chain of thousands of nodes on a stack of 128 KB")
    func deep() throws {
        let source = MutableNode(0), count = Scale.gate.isSmall ? 4_000 : 20_000
        var end: Node<Int> = source
        for _ in 1..<count { end = end.fork() }
        let graph = try runOnSmallStack(bytes: 128 << 10) { [end] in end.graph }
        #expect(graph.nodes.count == count)
        #expect(graph.nodes.last?.depth == 1 - count)
        #expect(graph.edges.count == count - 1)
    }
}
