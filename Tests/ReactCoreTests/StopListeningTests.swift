import ReactOperators
import TestSupport
import Testing

@testable import ReactCore

@Suite("Neighbours and ends of listenings, at their price") struct StopListeningTests {
    @Test("stopListening ends the listener's edges of this node, whichever of the two has fewer edges")
    func stops() {
        let nodes = (0..<5).map { MutableNode($0) }
        let heard = Recorder<String>()
        let many = Lifetime(), few = Lifetime(), object = Plain()
        for node in nodes { node.listened(by: many).with { heard.record("many \($0)") } }
        for _ in 0..<2 { nodes[0].listened(by: few).with { heard.record("few \($0)") } }
        nodes[0].listened(by: object).with { heard.record("object \($0)") }
        _ = heard.take()
        nodes[0].stopListening(by: few)
        nodes[0].value = 10
        #expect(heard.take() == ["many 10", "object 10"])
        nodes[1].stopListening(by: many)
        for node in nodes { node.value = 20 }
        #expect(heard.take() == ["many 20", "object 20", "many 20", "many 20", "many 20"])
        nodes[0].stopListening(by: object)
        nodes[0].stopListening(by: Plain())
        nodes[0].value = 30
        #expect(heard.take() == ["many 30"])
    }
    private final class Plain {}

    @Test("two objects that share a lifetime stop listening each for itself")
    func sharedLifetime() {
        final class Part: Listener {
            let lifetime: Lifetime
            init(_ lifetime: Lifetime) { self.lifetime = lifetime }
        }
        let lifetime = Lifetime(), node = MutableNode(1), heard = Recorder<String>()
        let one = Part(lifetime), other = Part(lifetime)
        node.listened(by: one).with { heard.record("one \($0)") }
        node.listened(by: other).with { heard.record("other \($0)") }
        node.stopListening(by: one)
        _ = heard.take()
        node.value = 2
        #expect(heard.take() == ["other 2"])
    }

    #if os(macOS) || os(Linux)
    /// The number of neighbours of a node.
    private static let count = Scale.gate.isSmall ? 8_000 : 20_000

    @Test("a listener that stops listening to a node costs as much beside thousands, or with thousands of other nodes")
    func costOfStopping() async {
        await #expect(processExitsWith: .success) {
            let node = MutableNode(0), many = Lifetime()
            let nodes = (0..<StopListeningTests.count).map { _ in MutableNode(0) }
            let lifetimes = nodes.map { _ in Lifetime() }, objects = nodes.map { _ in Plain() }
            for lifetime in lifetimes { node.listened(by: lifetime).with { _ in } }
            for object in objects { node.listened(by: object).with { _ in } }
            for node in nodes { node.listened(by: many).with { _ in } }
            limitWork(toSeconds: 1, at: Scale.gate)
            for lifetime in lifetimes { node.stopListening(by: lifetime) }
            for object in objects { node.stopListening(by: object) }
            for node in nodes { node.stopListening(by: many) }
            precondition(!node.hasListener && many.holdings.edgeCount == 0)
        }
    }
    @Test("hasUpstreamNode, hasDownstreamNode and hasListener cost as much of a node with thousands a kind")
    func costOfAsking() async {
        await #expect(processExitsWith: .success) {
            let node = MutableNode(0)
            let sources = (0..<StopListeningTests.count).map { _ in MutableNode<Int>() }
            for source in sources { node.link(to: source) }
            let targets = sources.map { _ in node.map { $0 } }, lifetimes = sources.map { _ in Lifetime() }
            for lifetime in lifetimes { node.listened(by: lifetime).with { _ in } }
            limitWork(toSeconds: 1, at: Scale.gate)
            for _ in sources { precondition(node.hasUpstreamNode && node.hasDownstreamNode && node.hasListener) }
            withExtendedLifetime((sources, targets, lifetimes)) {}
        }
    }
    #endif

    @Test("hasUpstreamNode, hasDownstreamNode and hasListener are right after any edits")
    func neighbours() {
        let node = MutableNode(1), other = MutableNode(2)
        #expect(!node.hasListener && !node.hasDownstreamNode && !node.hasUpstreamNode)
        let lifetime = Lifetime()
        var gone: Plain? = Plain()
        node.listened(by: lifetime).with { _ in }
        if let gone { node.listened(by: gone).with { _ in } }
        #expect(node.hasListener)
        gone = nil
        #expect(node.hasListener)
        lifetime.cancel()
        #expect(!node.hasListener)
        let loose = Transform<Int, Int>(), led = Transform<Int, Int>()
        loose.to = node
        #expect(!node.hasUpstreamNode)
        led.from = other
        led.to = node
        #expect(node.hasUpstreamNode && other.hasDownstreamNode)
        loose.cancel()
        loose.to = node
        #expect(node.hasUpstreamNode)
        led.cancel()
        #expect(!node.hasUpstreamNode && !other.hasDownstreamNode)
        loose.cancel()
    }
}
