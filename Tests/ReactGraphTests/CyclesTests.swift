import ReactGraph
import TestSupport
import Testing

@Suite("cycles")
struct CyclesTests {
    @Test("a ring, and nothing that only hangs on it")
    func ring() {
        #expect(Samples.ring.cycles == [[0, 1, 2]])
        #expect(Samples.diamond.cycles.isEmpty)
    }

    @Test("a node that leads to itself is no ring of two or more")
    func selfLoop() {
        let graph = Snapshot(nodes: [Samples.node(0, nil, nil)], edges: [Samples.edge("Link", 0, 0)])
        #expect(graph.cycles.isEmpty)
    }

    @Test("rings that share a node are one")
    func figureEight() {
        let ends = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (4, 5), (5, 4)]
        let graph = Snapshot(
            nodes: (0..<6).map { Samples.node($0, nil, nil) },
            edges: ends.map { Samples.edge("Link", $0, $1) }
        )
        #expect(graph.cycles == [[0, 1, 2], [4, 5]])
    }

    @Test("ids need not be positions")
    func sparseIDs() {
        let graph = Snapshot(
            nodes: [40, 7, 30].map { Samples.node($0, nil, nil) },
            edges: [(30, 40), (40, 30), (7, 40)].map { Samples.edge("Link", $0, $1) }
        )
        #expect(graph.cycles == [[40, 30]])
    }

    @Test("on random graphs, the nodes that reach one another, by trying every pair")
    func randomGraphs() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let graph = Snapshot.random(using: &generator, nodes: 1...12)
            #expect(graph.cycles == ringsByBruteForce(graph), "seed \(seed)")
        }
    }

    @Test("a long ring does not overflow a stack of 128 KB")
    func deep() throws {
        let count = Scale.gate.scaled(200_000)
        let graph = Snapshot(
            nodes: (0..<count).map { Samples.node($0, nil, nil) },
            edges: (0..<count).map { Samples.edge("Link", $0, ($0 + 1) % count) }
        )
        let cycles = try runOnSmallStack(bytes: 128 << 10) { graph.cycles }
        #expect(cycles == [Array(0..<count)])
    }

    private func ringsByBruteForce(_ graph: Snapshot) -> [[Int]] {
        let count = graph.nodes.count
        var reaches = Array(repeating: Array(repeating: false, count: count), count: count)
        for edge in graph.edges {
            if let from = edge.from, let to = edge.to { reaches[from][to] = true }
        }
        for via in 0..<count {
            for from in 0..<count where reaches[from][via] {
                for to in 0..<count where reaches[via][to] { reaches[from][to] = true }
            }
        }
        let rings = (0..<count).map { node in
            (0..<count).filter { $0 == node || reaches[node][$0] && reaches[$0][node] }
        }
        return (0..<count).filter { rings[$0].count > 1 && rings[$0][0] == $0 }.map { rings[$0] }
    }
}
