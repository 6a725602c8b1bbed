import ReactCore
import ReactGraph
import ReactOperators
import TestSupport
import Testing

@Suite("Crowded graphs") struct CrowdedGraphTests {
    @Test("lint tells of more than 10,000 nodes that are one graph, once a thread has waited there")
    func crowded() {
        let settings = MutableNode(0).named("settings")
        let nodes = (0..<10_001).map { _ in settings.map { $0 } }
        #expect(!settings.lint().contains { $0.rule == .crowdedGraph })
        let busy = BusyGraph(of: settings, setting: 1)
        settings.value = 2
        busy.end()
        let findings = settings.lint().filter { $0.rule == .crowdedGraph }
        #expect(
            findings.map(\.description) == [
                "crowdedGraph: 10002 nodes are one graph with “settings” (node 0), and threads have waited for one another there. "
                    + "Put deliver(on: .atOnce) before parts that need not change in the same set."
            ])
        withExtendedLifetime(nodes) {}
    }
}
