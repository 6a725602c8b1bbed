import ReactCore
import ReactGraph
import Testing

@Suite("Mermaid")
struct MermaidTests {
    @Test("small graphs, text for text")
    func golden() throws {
        try Golden.expect(Samples.diamond.mermaid, is: "diamond.mmd")
        try Golden.expect(Samples.ring.mermaid, is: "ring.mmd")
        try Golden.expect(Samples.looseEnds.mermaid, is: "loose-ends.mmd")
        try Golden.expect(
            Samples.form.mermaid(DiagramOptions(direction: .topToBottom, groupsByPrefix: true)),
            is: "form.mmd"
        )
        try Golden.expect(Samples.hostile.mermaid(DiagramOptions(textLimit: 12)), is: "hostile.mmd")
    }

    @Test("an arrow for each edge, a dotted one for each listen edge, a box for each node", arguments: Samples.all)
    func counts(_ sample: Sample) {
        let lines = sample.graph.mermaid.split(separator: "\n")
        #expect(lines.count { $0.contains(" -->") || $0.contains(" ==>") } == sample.graph.edges.count)
        #expect(lines.count { $0.contains("-.->") } == sample.graph.listenings.count)
        let boxes = lines.count {
            $0.hasSuffix(":::mutable") || $0.hasSuffix(":::immutable") || $0.hasSuffix(":::combination")
        }
        #expect(boxes == sample.graph.nodes.count)
    }

    @Test(
        "no text is taken for a list, a heading, a link or code of Markdown",
        arguments: [
            ("1. Payment", "1#46; Payment"), ("2) Delivery", "2#41; Delivery"), ("3.", "3#46;"),
            ("===", "#61;#61;#61;"), ("www.example.com", "www#46;example#46;com"), ("    code", "#32;   code"),
            ("(0.5, 20.0)", "(0.5, 20.0)"), ("f(x)", "f(x)"),
        ])
    func markdown(text: String, label: String) {
        let graph = Snapshot(
            nodes: [Samples.node(0, text, text), Samples.node(1, nil, "1")], edges: [Samples.edge(text, 0, 1)])
        #expect(graph.mermaid.contains("n0(\"\(label)<br/>\(label)\")"))
        #expect(graph.mermaid.contains("|\"\(label)\"|"))
    }

    @Test("a name that is a statement of Mermaid's is none in a label, and a name of nothing leaves no label empty")
    func statements() {
        let node = MutableNode(1).named("direction LR"), listener = Lifetime(named: "")
        _ = node.listened(by: listener).with(edge: ListenEdge<Int>(name: ""))
        let chart = node.graph.mermaid
        #expect(chart.contains("#100;irection LR") && !chart.contains("direction LR"))
        #expect(chart.contains("([\"Lifetime\"])") && !chart.contains("\"\""))
        withExtendedLifetime(listener) {}
    }

    @Test("no hostile text gets out of its quotes", arguments: Samples.hostileTexts.indices)
    func hostileText(_ index: Int) throws {
        let label = try #require(
            Samples.hostile.mermaid.split(separator: "\n").first { $0.hasPrefix("    l\(index)([") }
        )
        let parts = label.split(separator: "\"", omittingEmptySubsequences: false)
        #expect(parts.count == 3)
        #expect(parts[1].unicodeScalars.allSatisfy { !"<>&`\\{}[]|%*_".unicodeScalars.contains($0) })
        #expect(parts[1].unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
}
