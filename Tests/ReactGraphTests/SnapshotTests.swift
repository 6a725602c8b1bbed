import Foundation
import ReactCore
import ReactGraph
import TestSupport
import Testing

@Suite("a snapshot is plain data")
struct SnapshotTests {
    @Test("a snapshot comes back from JSON unchanged", arguments: Samples.all)
    func roundTrip(_ sample: Sample) throws {
        let data = try JSONEncoder().encode(sample.graph)
        #expect(try JSONDecoder().decode(Snapshot.self, from: data) == sample.graph)
    }

    @Test("listeners may be left out of JSON")
    func withoutListeners() throws {
        let json = """
            {"nodes": [{"id": 3, "valueType": "Int", "isMutable": true, "depth": 0, "listenerCount": 0}],
             "edges": [{"name": "Link", "from": 3}]}
            """
        let graph = try JSONDecoder().decode(Snapshot.self, from: Data(json.utf8))
        #expect(graph.nodes == [Samples.node(3, nil, nil, isMutable: true)])
        #expect(graph.edges == [Samples.edge("Link", 3, nil)])
    }

    @Test(
        "JSON that is no graph is refused, and says why",
        arguments: [
            (#"[{"id": 1}, {"id": 1}]"#, "[]", "the node id 1 is negative or taken twice"),
            (#"[{"id": -1}]"#, "[]", "the node id -1 is negative or taken twice"),
            (
                #"[{"id": 1}]"#, #"[{"name": "Link", "from": 1, "to": 2}]"#,
                "edge 0 ends at node 2, which does not exist"
            ),
            (
                #"[{"id": 1}]"#, #"[{"name": "Combine", "to": 1, "inputCount": -9223372036854775808}]"#,
                "edge 0 has a negative count"
            ),
        ]
    )
    func badJSON(_ nodes: String, _ edges: String, _ complaint: String) {
        let rest = #""valueType": "Int", "isMutable": true, "depth": 0, "listenerCount": 0}"#
        let json = #"{"nodes": \#(nodes.replacingOccurrences(of: "}", with: ", \(rest)")), "edges": \#(edges)}"#
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Snapshot.self, from: Data(json.utf8))
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(context.debugDescription == "This is no graph: \(complaint).")
    }

    @Test("a printed snapshot shows values of its moment, and no live ones") func printed() {
        let node = MutableNode("then")
        let graph = node.graph
        node.value = "now"
        var dumped = ""
        dump(graph, to: &dumped)
        for text in [String(describing: graph), String(reflecting: graph), dumped] {
            #expect(text.contains("then") && !text.contains("now"))
        }
    }

    @Test("an edge to a node that does not exist traps", .enabled(if: Scale.runsTraps))
    func badEnd() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = GraphSnapshot(nodes: [], edges: [.init(name: "Link", from: 0, to: nil)])
        }
        let message = misuse(in: result?.standardErrorContent)
        #expect(message.contains("edge"))
        #expect(placeOfMisuse(in: result?.standardErrorContent) == "\(#fileID):\(#line - 5)")
    }
}
