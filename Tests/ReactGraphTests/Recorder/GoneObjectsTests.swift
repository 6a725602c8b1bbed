import Foundation
import ReactCore
import ReactOperators
import Synchronization
import Testing

@testable import ReactGraph

/// What is on record of nodes and edges that have gone.
@Suite("Nodes that have gone, on record") struct GoneObjectsTests {
    private static func names(_ graph: GraphSnapshot) -> [String] { graph.nodes.map { $0.name ?? "-" }.sorted() }

    @Test("a node that takes the place of one that has gone is not told in its stead")
    func reusedAddress() {
        for _ in 0..<20 {
            let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
            let a = MutableNode(1).named("a"), b = MutableNode(2).named("b")
            var sum: Node<Int>? = combine(a, b) { $0 + $1 }.named("sum")
            let moment = recorder.mark("then")
            #expect(sum?.value == 3)
            sum = nil
            let other = Node(7).named("other")
            let told = recorder.graph(of: a, at: moment)
            #expect(Self.names(told) == ["a", "b", "sum"])
            #expect(told.edges.map(\.name) == ["Combine", "Combine"])
            #expect(recorder.events().filter { $0.kind == .cut }.map { $0.node?.name } == ["sum", "sum"])
            withExtendedLifetime(other) {}
        }
    }
    @Test("nodes that come and go, many at one address, are each told by their own name")
    func manyInOnePlace() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let source = MutableNode(0).named("source")
        for number in 1...100 {
            let node = source.map { $0 }.named("node \(number)")
            source.value = number
            withExtendedLifetime(node) {}
        }
        // Each is given a value when it is made, and one more.
        let stores = recorder.events().filter { $0.kind == .stored }
        #expect(stores.map(\.node?.name) == (1...100).flatMap { ["node \($0)", "node \($0)"] })
        #expect(Set(stores.compactMap(\.node?.id)).count == 100)
        #expect(Set(stores.compactMap(\.edge?.id)).count == 100)
    }
    @Test("an edge that was cut, and leaves another node since, leads nobody to that in the graph as it was")
    func unconnected() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let hub = MutableNode(1).named("hub"), b = hub.map { $0 }.named("b")
        let x = MutableNode(5).named("x"), t = Node<Int>().named("t")
        let link = LinkTransform<Int>()
        link.to = t
        link.from = x
        let moment = recorder.mark("moment")
        link.cancel()
        link.from = hub
        let told = recorder.graph(of: hub, at: moment)
        #expect(told.nodes.map(\.name) == ["hub", "b"])
        #expect(told.edges.map(\.name) == ["Map"])
        #expect(Self.names(recorder.graph(of: x, at: moment)) == ["t", "x"])
        withExtendedLifetime((b, x, t)) {}
    }
}

/// In processes of their own, where no other recorder keeps what has gone.
@Suite("A recorder that has stopped") struct StoppedRecorderTests {
    @Test("tells of nodes that had gone before, and of those that go later")
    func stopKeeps() async {
        await #expect(processExitsWith: .success) {
            let recorder = GraphRecorder(sites: false)
            let a = MutableNode(1).named("a")
            var s: Node<Int>? = a.map { $0 + 1 }.named("s"), t: Node<Int>? = a.map { $0 + 2 }.named("t")
            let moment = recorder.mark("moment")
            a.value = 2
            precondition(s?.value == 3 && t?.value == 4)
            s = nil
            recorder.stop()
            t = nil
            let names = recorder.graph(of: a, at: moment).nodes.map { $0.name ?? "-" }
            // `t` went after the stop, so that its edge is not on record as cut.
            precondition(names == ["a", "s"], "\(names)")
            let stores = recorder.events().filter { $0.kind == .stored }.map(\.description)
            let expected = [
                "Map gave 's' 2", "Map gave 't' 3",
                "Map gave 's' a value that was not kept (was 2)", "Map gave 't' a value that was not kept (was 3)",
            ]
            precondition(stores == expected, "\(stores)")
        }
    }
    @Test("keeps a secret of which the way to its node was cut before")
    func stopKeepsSecrets() async {
        await #expect(processExitsWith: .success) {
            let recorder = GraphRecorder(sites: false)
            let password = MutableNode("").named("password").redacted(), copy = MutableNode<String>().named("copy")
            do { _ = copy.link(to: password) }
            password.value = "classified"
            let moment = recorder.mark("moment")
            copy.removeUpstreamNodes()
            password.value = ""
            copy.value = "open"
            recorder.stop()
            let texts =
                recorder.events().flatMap { [$0.description, $0.old ?? "", $0.new ?? ""] }
                + [
                    recorder.trace(), recorder.page(of: copy), recorder.page(of: password),
                    recorder.why(copy).description, recorder.whyNot(copy).description,
                    recorder.graph(of: copy, at: moment).dot, recorder.graph(of: password, at: moment).dot,
                ]
            precondition(!texts.contains { $0.contains("classified") })
            precondition(texts.contains { $0.contains("redacted") })
        }
    }
    @Test("keeps a secret of which so much has gone since that nothing is known of its way")
    func forgottenWay() async {
        await #expect(processExitsWith: .success) {
            let password = MutableNode("").named("password").redacted(), copy = MutableNode<String>().named("copy")
            let recorder = GraphRecorder(sites: false)
            ObjectRegistry.goneLimit.store(20, ordering: .relaxed)
            do { _ = copy.link(to: password) }
            password.value = "classified"
            copy.removeUpstreamNodes()
            copy.value = "open"
            let source = MutableNode(0)
            for _ in 0..<30 { _ = source.map { $0 } }
            let texts = recorder.events().flatMap { [$0.description, $0.old ?? "", $0.new ?? ""] }
            precondition(!texts.contains { $0.contains("classified") })
        }
    }
}
