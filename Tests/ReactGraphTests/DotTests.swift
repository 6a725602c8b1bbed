import Foundation
import ReactGraph
import TestSupport
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("DOT")
struct DotTests {
    @Test("six small graphs, text for text")
    func golden() throws {
        try Golden.expect(Samples.chain.dot, is: "chain.dot")
        try Golden.expect(Samples.diamond.dot, is: "diamond.dot")
        try Golden.expect(Samples.ring.dot, is: "ring.dot")
        try Golden.expect(Samples.looseEnds.dot, is: "loose-ends.dot")
        try Golden.expect(
            Samples.form.dot(DiagramOptions(direction: .topToBottom, groupsByPrefix: true)),
            is: "form.dot"
        )
        try Golden.expect(Samples.hostile.dot(DiagramOptions(textLimit: 12)), is: "hostile.dot")
    }

    @Test(
        "direction",
        arguments: [
            (DiagramOptions.Direction.leftToRight, "rankdir=LR"), (.topToBottom, "rankdir=TB"),
            (.rightToLeft, "rankdir=RL"), (.bottomToTop, "rankdir=BT"),
        ]
    )
    func direction(_ direction: DiagramOptions.Direction, _ attribute: String) {
        #expect(Samples.chain.dot(DiagramOptions(direction: direction)).contains(attribute))
    }

    @Test("values can be left out")
    func withoutValues() {
        let dot = Samples.chain.dot(DiagramOptions(showsValues: false))
        #expect(dot.contains("label=\"price\""))
        #expect(!dot.contains("20"))
    }

    @Test("listeners can be left out")
    func withoutListeners() {
        let sample = Samples.diamond
        #expect(sample.dot.contains("l0 ["))
        #expect(!sample.dot(DiagramOptions(showsListeners: false)).contains("l0"))
    }

    @Test("combinations without a name can be folded")
    func folded() {
        let dot = Samples.diamond.dot(DiagramOptions(foldsCombinations: true))
        #expect(dot.contains("n3 [label=\"Combine\", shape=hexagon"))
        #expect(dot.contains("n1 -> n3 [label=\"\"]"))
        #expect(dot.contains("n3 -> n4 [label=\"Map\"]"))
        let mermaid = Samples.diamond.mermaid(DiagramOptions(foldsCombinations: true))
        #expect(mermaid.contains("n3{{\"Combine\"}}:::combination\n"))
        #expect(mermaid.contains("    n1 --> n3\n"))
        // Named combinations say more than their operator, and edges of several operators do not make one.
        #expect(Samples.form.dot(DiagramOptions(foldsCombinations: true)) == Samples.form.dot)
        #expect(Samples.looseEnds.dot(DiagramOptions(foldsCombinations: true)) == Samples.looseEnds.dot)
    }

    @Test("a text limit of 0 traps", .enabled(if: Scale.runsTraps))
    func noRoom() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = DiagramOptions(textLimit: 0)
        }
        let message = misuse(in: result?.standardErrorContent)
        #expect(message.contains("textLimit"))
        #expect(placeOfMisuse(in: result?.standardErrorContent) == "\(#fileID):\(#line - 5)")
    }
}

@Suite("Graphviz reads back the text that was written", .enabled(if: Graphviz.isAvailable))
struct GraphvizTests {
    @Test("counts and ends", arguments: Samples.all + [ring(of: 1), ring(of: 2), ring(of: 3)])
    func counts(_ sample: Sample) throws {
        let options = DiagramOptions(
            direction: .bottomToTop,
            showsValues: false,
            showsListeners: false,
            groupsByPrefix: true
        )
        let readings = try Graphviz.read([sample.graph.dot, sample.graph.dot(options)])
        try #require(readings.count == 2)
        check(readings[0], against: sample.graph)
        check(readings[1], against: sample.graph, showsListeners: false)
    }

    @Test("random graphs")
    func randomGraphs() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let graphs = (0..<(Scale.gate.isSmall ? 40 : 1_000)).map { _ in Snapshot.random(using: &generator) }
        let readings = try Graphviz.read(graphs.map(\.dot))
        #expect(readings.count == graphs.count)
        for (reading, graph) in zip(readings, graphs) {
            check(reading, against: graph, comment: "seed \(seed)")
        }
    }

    @Test("hostile text is drawn as it should be seen")
    func hostileText() throws {
        let reading = try Graphviz.read(Samples.hostile.dot)
        for (index, (_, shown)) in Samples.hostileTexts.enumerated() {
            #expect(reading.nodeText["n\(index)"] == [shown, shown])
            #expect(reading.nodeText["l\(index)"] == [shown])
        }
        let drawn = Set(reading.edges.map(\.text))
        #expect(drawn == Set(Samples.hostileTexts.map { [$0.shown] }))
    }

    @Test("the picture of hostile text is well-formed XML")
    func hostileSVG() throws {
        let svg = try Graphviz.render(Samples.hostile.dot, format: "svg")
        let parser = XMLParser(data: Data(svg.utf8))
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
    }

    @Test("nodes are framed by the prefix of their name")
    func clusters() throws {
        let reading = try Graphviz.read(Samples.form.dot(DiagramOptions(groupsByPrefix: true)))
        #expect(reading.clusters == ["login", "page"])
        #expect(try Graphviz.read(Samples.form.dot).clusters.isEmpty)
    }

    static func ring(of count: Int) -> Sample {
        let graph = Snapshot(
            nodes: (0..<count).map { Samples.node($0, nil, "0") },
            edges: (0..<count).map { Samples.edge("Link", $0, ($0 + 1) % count) }
        )
        return Sample(testDescription: "a ring of \(count)", graph: graph)
    }

    private func check(
        _ reading: Graphviz.Reading,
        against graph: Snapshot,
        showsListeners: Bool = true,
        comment: Testing.Comment? = nil
    ) {
        #expect(reading.nodes(named: "n").count == graph.nodes.count, comment)
        #expect(reading.nodes(named: "l").count == (showsListeners ? graph.listeners.count : 0), comment)
        let looseEnds = graph.edges.count { $0.from == nil || $0.to == nil }
        #expect(reading.nodes(named: "e").count == looseEnds, comment)

        /// `nil` stands for a loose end.
        func ends(_ from: String, _ to: String) -> [String] { [from, to].map { $0.hasPrefix("e") ? "-" : $0 } }
        func node(_ number: Int?) -> String { number.map { "n\($0)" } ?? "-" }
        var written = graph.edges.map { [node($0.from), node($0.to)] }
        if showsListeners { written += graph.listenings.map { ["n\($0.node)", "l\($0.listener)"] } }
        let read = reading.edges.map { ends($0.from, $0.to) }
        #expect(read.sorted { $0.joined() < $1.joined() } == written.sorted { $0.joined() < $1.joined() }, comment)
    }
}
