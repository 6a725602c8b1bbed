import ReactCore
import ReactOperators
import TestSupport
import Testing

@testable import ReactGraph

@Suite("The graph as it was") struct PastGraphTests {
    // In processes of their own: no other recorder keeps what has gone.
    @Test("the graph as it was may be asked for when edges that came later have gone") func goneEdges() async {
        await #expect(processExitsWith: .success) {
            let recorder = GraphRecorder()
            let node = MutableNode(1)
            let then = recorder.mark("then")
            do { _ = node.map { $0 + 1 } }
            recorder.stop()
            precondition(recorder.graph(of: node, at: then) == node.graph)
        }
    }
    @Test("if an edge's source is released after the recorder has stopped, the graph as it was has both")
    func goneSource() async {
        await #expect(processExitsWith: .success) {
            let recorder = GraphRecorder()
            let shown = Node<Int>(), link = LinkTransform<Int>()
            var source: MutableNode<Int>? = MutableNode(1)
            shown.link(to: source!, transform: link)
            let then = recorder.mark("then")
            link.from = nil
            recorder.stop()
            source = nil
            let edges = recorder.graph(of: shown, at: then).edges
            precondition(edges.map(\.name) == ["Link"] && edges.map(\.from) == [1] && edges.map(\.to) == [0])
        }
    }
    @Test("a combination has all its inputs in the graph as it was before they were cut", arguments: [1, 2])
    func cutInputs(count: Int) {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let a = MutableNode(1), b = MutableNode(2), both = combine(a, b), pairs = both.zip(b)
        let then = recorder.mark("then"), seen = pairs.graph
        for node in [b, a].prefix(count) { both.removeUpstreamNode(node) }
        if count > 1 { pairs.removeUpstreamNodes() }
        let past = recorder.graph(of: pairs, at: then)
        #expect(past.edges.map(\.inputCount) == seen.edges.map(\.inputCount))
        #expect(!past.lint().contains { $0.rule == .lostInput || $0.rule == .parallelEdges })
    }
    @Test("the graph as it was has the names of its listeners") func listenersThen() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let node = MutableNode(1), screen = Lifetime(named: "screen")
        node.listened(by: screen).with { _ in }
        let now = recorder.mark("now")
        #expect(recorder.graph(of: node, at: now).listeners == node.graph.listeners)
        #expect(node.graph.listeners.map(\.name) == ["screen"])
    }
    @Test("the graph as it was takes time that grows with the inputs that were linked and cut, not with their square")
    func manyInputs() async {
        await #expect(processExitsWith: .success) {
            let count = Scale.isSmall ? 10_000 : 40_000
            let recorder = GraphRecorder(capacity: 20 * count, values: false, sites: false)
            let sum = Node<Int>(), sources = (0..<count).map { _ in MutableNode<Int>() }
            let early = sources.map { sum.link(to: $0) }
            let then = recorder.mark("then"), seen = sum.graph
            let late = sources.map { sum.link(to: $0) }
            for link in early { link.cancel() }
            recorder.stop()
            limitWork()
            let past = recorder.graph(of: sum, at: then)
            precondition(past.edges.count == count && past.nodes == seen.nodes && past.edges == seen.edges)
            withExtendedLifetime(late) {}
        }
    }
}
