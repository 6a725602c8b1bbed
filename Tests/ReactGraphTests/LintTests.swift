import ReactGraph
import TestSupport
import Testing

@Suite("lint of a snapshot")
struct LintTests {
    private func findings(
        _ rule: LintFinding.Rule,
        in graph: Snapshot,
        zipLimit: Int = 10
    ) -> [LintFinding] {
        graph.lint(zipLimit: zipLimit).filter { $0.rule == rule }
    }

    @Test("a zip of many inputs that are all ahead takes time as their number", .timeLimit(.minutes(10)))
    func wideZip() {
        let count = 30_000
        let graph = Snapshot(
            nodes: (0...count).map { Samples.node($0, "n\($0)", "1") },
            edges: (1...count).map {
                .init(name: "Zip", from: $0, to: 0, waitingCount: $0 % 3 == 0 ? 0 : 11, inputCount: count)
            })
        let found = findings(.zipAhead, in: graph)
        #expect(found.count == count / 3 * 2)
        #expect(
            found.allSatisfy {
                $0.message.hasSuffix("of “n3” (node 3), “n6” (node 6), “n9” (node 9), “n12” (node 12) and 9996 more.")
            })
    }

    @Test("edges with one operator between the same two nodes are found")
    func parallel() throws {
        let finding = try #require(findings(.parallelEdges, in: Samples.looseEnds).first)
        #expect(finding.nodes == [0, 1])
        #expect(finding.edges == [0, 1])
        #expect(
            finding.message
                == "2 edges named “Link” lead from “input” (node 0) to “output” (node 1): each value goes there twice."
        )
        #expect(
            finding.remedy
                == "Cancel all but one; if they are meant to differ, give each transform a name that says its purpose."
        )
        #expect(finding.description == "parallelEdges: \(finding.message) \(finding.remedy)")
    }

    @Test("other operators, other directions and other nodes are not parallel")
    func notParallel() {
        let graph = Snapshot(
            nodes: (0..<3).map { Samples.node($0, nil, "1") },
            edges: [
                Samples.edge("Map", 0, 1), Samples.edge("Link", 0, 1), Samples.edge("Map", 1, 0),
                Samples.edge("Map", 0, 2), Samples.edge("Link", nil, 1), Samples.edge("Link", nil, 1),
            ]
        )
        #expect(findings(.parallelEdges, in: graph).isEmpty)
    }

    @Test("a zip with more values waiting than the limit is found, one with as many is not")
    func zipAhead() {
        #expect(findings(.zipAhead, in: Samples.looseEnds, zipLimit: 11).map(\.edges) == [[4]])
        #expect(findings(.zipAhead, in: Samples.looseEnds, zipLimit: 11).map(\.nodes) == [[0, 1]])
        #expect(findings(.zipAhead, in: Samples.looseEnds, zipLimit: 12).isEmpty)
    }

    @Test("transforms with one end are found, those with two are not")
    func looseEnds() {
        let found = findings(.looseEnd, in: Samples.looseEnds)
        #expect(found.map(\.edges) == [[2], [3]])
        #expect(found.map(\.nodes) == [[0], [1]])
        #expect(found.map(\.remedy) == ["Set its from, or set its to to nil.", "Set its to, or set its from to nil."])
        #expect(found[0].message == "“Decode” leads to “input” (node 0), but from no node: no value arrives by it.")
        #expect(findings(.looseEnd, in: Samples.ring).isEmpty)
    }

    @Test("a snapshot from a report tells of lost inputs and of combinations that wait")
    func combinations() {
        let edges = [0, 1].map { Snapshot.Edge(name: "Combine", from: $0, to: 2, inputCount: 3) }
        let graph = Snapshot(
            nodes: [Samples.node(0, "a", "1"), Samples.node(1, "b", nil), Samples.node(2, "c", nil, listeners: 1)],
            edges: edges
        )
        #expect(graph.lint().map(\.rule) == [.lostInput, .waitsForEmpty])
        #expect(graph.lint().map(\.nodes) == [[2], [2, 1]])
        let set = Snapshot(nodes: graph.nodes.map { Samples.node($0.id, $0.name, "1", listeners: 1) }, edges: edges)
        #expect(set.lint().map(\.rule) == [.lostInput])
    }

    @Test("a negative limit traps", .enabled(if: Scale.runsTraps))
    func negativeLimit() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = GraphSnapshot(nodes: []).lint(zipLimit: -1)
        }
        let message = misuse(in: result?.standardErrorContent)
        #expect(message.contains("zipLimit"))
        #expect(placeOfMisuse(in: result?.standardErrorContent) == "\(#fileID):\(#line - 5)")
    }
}
