import Foundation
import ReactCore
import ReactGraph
import TestSupport
import Testing

/// What grows with the graph grows with it alone. The limit is a hundred times what these take; a picture that takes a
/// look at every input for each of them takes hours.
@Suite("large pictures and the largest figures")
struct LargePicturesTests {
    /// `count` nodes that lead to one.
    private func fan(_ count: Int, firstID: Int = 0, operator name: String = "Combine") -> Snapshot {
        Snapshot(
            nodes: (0...count).map { Samples.node(firstID + $0, $0 == count ? nil : "n\($0)", "1") },
            edges: (0..<count).map { Samples.edge(name, firstID + $0, firstID + count) }
        )
    }

    @Test("a combination of very many is folded")
    func folding() {
        let count = Scale.gate.isSmall ? 5_000 : 200_000
        let dot = fan(count).dot(DiagramOptions(foldsCombinations: true))
        #expect(dot.contains("n\(count) [label=\"Combine\""))
        #expect(dot.utf8.count { $0 == UInt8(ascii: ">") } == count)
    }

    @Test("very many edges that came and as many that went are described, with any ids")
    func difference() {
        let count = Scale.gate.isSmall ? 5_000 : 30_000
        let diff = fan(count, firstID: 7, operator: "Zip").diff(since: fan(count, firstID: 3))
        #expect(diff.addedEdges.count == count && diff.removedEdges.count == count)
        let lines = diff.description.split(separator: "\n")
        #expect(lines.count { $0.hasSuffix(" -Zip-> Int") } == count)
        #expect(lines.count { $0.hasSuffix(" -Combine-> Int") } == count)
    }

    @Test("the largest text limit there is cuts nothing")
    func textLimit() {
        let graph = MutableNode("größer").graph
        #expect(graph.dot(DiagramOptions(textLimit: .max)) == graph.dot)
        let marks = "e" + String(repeating: "\u{301}", count: 300)
        let options = DiagramOptions(textLimit: .max)
        #expect(Snapshot(nodes: [Samples.node(0, marks, nil)]).dot(options).contains(marks))
    }

    @Test("the largest possible id can be drawn, and a node that is gone beside it has an id of its own")
    func largestID() throws {
        let json = """
            {"nodes":[{"id":9223372036854775807,"valueType":"Int","isMutable":true,"depth":0,"listenerCount":0}],"edges":[]}
            """
        let report = try JSONDecoder().decode(Snapshot.self, from: Data(json.utf8))
        #expect(report.dot.contains("n9223372036854775807 [label="))
        let earlier = Snapshot(nodes: [Samples.node(0, "a", "1"), Samples.node(1, "b", "2")])
        let dot = report.diff(since: earlier).dot
        for id in ["9223372036854775807", "0", "1"] { #expect(dot.contains("n\(id) [label=")) }
    }

    @Test("a node whose value is the node itself has a picture")
    func selfValue() {
        let node = MutableNode<AnyNode>().named("self")
        node.value = node
        defer { node.clean() }
        #expect(node.graph.nodes.map(\.value) == ["Node(named: self, value: …)"])
    }
}
