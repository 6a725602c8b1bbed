import ReactGraph
import TestSupport
import Testing

@Suite("the difference of two snapshots")
struct DiffTests {
    private let earlier = Snapshot(
        nodes: [
            Samples.node(0, "a", "1", isMutable: true), Samples.node(1, nil, "2"), Samples.node(2, nil, "3"),
            Samples.node(3, nil, "4"), Samples.node(4, "old", nil),
        ],
        edges: [
            Samples.edge("Map", 0, 1), Samples.edge("Map", 0, 2), Samples.edge("Map", 0, 3), Samples.edge("Fork", 1, 4),
        ]
    )
    /// Without the second of three nodes that look alike, and with other ids and another order.
    private let later = Snapshot(
        nodes: [
            Samples.node(7, "a", "10", isMutable: true), Samples.node(5, nil, "4"), Samples.node(6, nil, "2"),
            Samples.node(8, "new", "5"),
        ],
        edges: [Samples.edge("Map", 7, 5), Samples.edge("Map", 7, 6), Samples.edge("Filter", 6, 8)]
    )

    @Test("nodes and edges that came, went, or changed value")
    func difference() {
        let diff = later.diff(since: earlier)
        #expect(diff.changedNodes.map(\.earlier) == [earlier.nodes[0]])
        #expect(diff.changedNodes.map(\.later) == [later.nodes[0]])
        #expect(diff.addedNodes == [later.nodes[3]])
        #expect(diff.removedNodes == [earlier.nodes[2], earlier.nodes[4]])
        #expect(diff.addedEdges == [later.edges[2]])
        #expect(diff.removedEdges == [earlier.edges[1], earlier.edges[3]])
        #expect(
            diff.description == """
                ~ a: 1 → 10
                - Int: 3
                - old: (empty)
                + new: 5
                - a -Map-> Int
                - Int -Fork-> old
                + Int -Filter-> new
                """
        )
    }

    @Test("a graph does not differ from itself", arguments: Samples.all)
    func same(_ sample: Sample) {
        #expect(sample.graph.diff(since: sample.graph).isEmpty)
    }

    @Test("as many more came than went as there are more")
    func balance() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let (one, other) = (Snapshot.random(using: &generator), Snapshot.random(using: &generator))
            let diff = other.diff(since: one)
            #expect(
                diff.addedNodes.count - diff.removedNodes.count == other.nodes.count - one.nodes.count, "seed \(seed)")
            #expect(
                diff.addedEdges.count - diff.removedEdges.count == other.edges.count - one.edges.count, "seed \(seed)")
        }
    }

    @Test("of parallel edges, as many came as there are more")
    func parallelEdges() {
        func graph(_ count: Int) -> Snapshot {
            Snapshot(
                nodes: [Samples.node(0, "a", nil), Samples.node(1, "b", nil)],
                edges: Array(repeating: Samples.edge("Link", 0, 1), count: count)
            )
        }
        #expect(graph(3).diff(since: graph(1)).addedEdges.count == 2)
        #expect(graph(1).diff(since: graph(3)).removedEdges.count == 2)
    }

    @Test("an edge that lost its end is another edge")
    func looseEnd() {
        let nodes = [Samples.node(0, "a", nil), Samples.node(1, "b", nil)]
        let diff = Snapshot(nodes: nodes, edges: [Samples.edge("Link", 0, nil)])
            .diff(since: Snapshot(nodes: nodes, edges: [Samples.edge("Link", 0, 1)]))
        #expect(diff.addedEdges == [Samples.edge("Link", 0, nil)])
        #expect(diff.removedEdges == [Samples.edge("Link", 0, 1)])
    }

    @Test("a node of another type is another node, even if it has that name")
    func otherType() {
        let diff = Snapshot(nodes: [Samples.node(0, "a", "1", type: "String")])
            .diff(since: Snapshot(nodes: [Samples.node(0, "a", "1")]))
        #expect(diff.addedNodes.count == 1 && diff.removedNodes.count == 1)
    }

    @Test("its picture, text for text")
    func golden() throws {
        try Golden.expect(later.diff(since: earlier).dot, is: "diff.dot")
    }

    @Test("its picture has all of both graphs", .enabled(if: Graphviz.isAvailable))
    func picture() throws {
        let reading = try Graphviz.read(later.diff(since: earlier).dot)
        #expect(reading.nodes.count == 6)
        #expect(reading.edges.count == 5)
        #expect(reading.nodeText["n7"] == ["~ a", "1 → 10"])
        #expect(reading.nodeText["n8"] == ["+ new", "5"])
        #expect(reading.nodeText["n5"] == ["Int", "4"])
        #expect(Set(reading.nodeText.values.map(\.first)).isSuperset(of: ["− Int", "− old"]))
    }
}
