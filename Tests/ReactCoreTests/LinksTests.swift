import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Links") struct LinksTests {
    @Test("a link takes over the value at once, then follows")
    func follows() {
        let listener = Lifetime()
        let source = MutableNode(1)
        let node = Node(0)
        let heard = node.heard(by: listener)
        node.link(to: source)
        #expect(node.value == 1)
        source.value = 2
        #expect(heard.events == [0, 1, 2])
    }

    @Test("a link passes the value that it took over on to everything downstream")
    func takesOverDownstream() {
        let node = Node<Int>()
        let doubled = node.map { $0 * 2 }
        node.link(to: Node(4))
        #expect(doubled.value == 8)
    }

    @Test("a link through a transform follows through the transform")
    func transforms() {
        final class Describe: Transform<Int, String>, @unchecked Sendable {
            override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
                send("<\(value)>", from: senders, context: context)
            }
        }
        let source = MutableNode(1)
        let node = Node<String>()
        let describe = Describe(name: "Describe")
        node.link(to: source, transform: describe)
        #expect(node.value == "<1>")
        source.value = 2
        #expect(node.value == "<2>")
        #expect(describe.from === source)
        #expect(describe.to === node)
        #expect(node.upstreamTransforms == [describe])
        #expect(source.downstreamTransforms == [describe])
    }

    @Test("a plain link is a transform named Link")
    func linkIsNamed() {
        let source = MutableNode(1)
        let node = Node<Int>()
        node.link(to: source)
        #expect(node.upstreamTransforms.map(\.name) == ["Link"])
        #expect(node.upstreamTransforms.first is LinkTransform<Int>)
    }

    @Test("a LinkTransform with its ends set is a link")
    func linkTransform() {
        let source = MutableNode(1)
        let node = Node<Int>()
        let link = LinkTransform<Int>()
        #expect(link.name == "Link")
        link.to = node
        link.from = source
        #expect(node.value == 1)
        source.value = 2
        #expect(node.value == 2)
    }

    @Test("cancelling a link ends it; the value stays")
    func cancel() {
        let source = MutableNode(1)
        let node = Node<Int>()
        let link = node.link(to: source)
        link.cancel()
        link.cancel()
        source.value = 2
        #expect(node.value == 1)
        #expect(!node.hasUpstreamNode)
        #expect(!source.hasDownstreamNode)
        #expect(node.upstreamTransforms == [])
        #expect(source.downstreamTransforms == [])
    }

    @Test("cancelling a link through a transform clears both of its ends")
    func cancelClearsEnds() {
        let source = MutableNode(1)
        let node = Node<Int>()
        let probe = Probe<Int>("p")
        let link = node.link(to: source, transform: probe)
        link.cancel()
        #expect(probe.from == nil)
        #expect(probe.to == nil)
        _ = probe.log.take()
        source.value = 2
        #expect(probe.log.take() == [])
    }

    @Test("a dropped result of link ends nothing")
    func droppedResult() {
        let source = MutableNode(1)
        let node = Node<Int>()
        do { _ = node.link(to: source) }
        source.value = 2
        #expect(node.value == 2)
    }

    @Test("a node that follows two nodes takes each value that arrives")
    func twoSources() {
        let listener = Lifetime()
        let first = MutableNode(1)
        let second = MutableNode(10)
        let node = Node<Int>()
        node.link(to: first)
        node.link(to: second)
        let heard = node.heard(by: listener)
        first.value = 2
        second.value = 20
        first.value = 3
        #expect(heard.events == [10, 2, 20, 3])
    }

    @Test("two links between the same nodes deliver twice, and each is cut by itself")
    func parallelLinks() {
        let listener = Lifetime()
        let source = MutableNode<Int>()
        let node = Node<Int>()
        let first = node.link(to: source)
        let second = node.link(to: source)
        let heard = node.heard(by: listener)
        source.value = 1
        #expect(heard.take() == [1, 1])
        first.cancel()
        source.value = 2
        #expect(heard.take() == [2])
        second.cancel()
        source.value = 3
        #expect(heard.take() == [])
    }

    @Test("a live edge re-pointed at another source follows that one alone")
    func repointSource() {
        let listener = Lifetime()
        let old = MutableNode(1)
        let new = MutableNode(10)
        let node = Node<Int>()
        let probe = Probe("p", from: old, to: node)
        let heard = node.heard(by: listener)
        _ = probe.log.take()
        probe.from = new
        #expect(probe.log.take() == ["p.reset", "p.next(10)"])
        old.value = 2
        new.value = 20
        #expect(heard.events == [1, 10, 20])
        #expect(old.downstreamTransforms == [])
        #expect(node.upstreamNodes == [new])
    }

    @Test("a live edge re-pointed at another target feeds that one alone")
    func repointTarget() {
        let source = MutableNode(1)
        let old = Node<Int>()
        let new = Node<Int>()
        let probe = Probe("p", from: source, to: old)
        probe.to = new
        #expect(new.value == 1)
        source.value = 2
        #expect(old.value == 1)
        #expect(new.value == 2)
        #expect(old.upstreamTransforms == [])
        #expect(source.downstreamNodes == [new])
    }

    @Test("an operator's own edge can be re-pointed: map goes on from the new source")
    func repointMap() throws {
        let old = MutableNode(1)
        let new = MutableNode(5)
        let squared = old.map { $0 * $0 }
        let edge = try #require(squared.upstreamTransforms.first as? Transform<Int, Int>)
        edge.from = new
        #expect(squared.value == 25)
        old.value = 2
        #expect(squared.value == 25)
        new.value = 6
        #expect(squared.value == 36)
    }

    @Test("an edge re-pointed at an empty source keeps the target's value until one arrives")
    func repointToEmpty() {
        let old = MutableNode(1)
        let new = MutableNode<Int>()
        let node = Node<Int>()
        let probe = Probe("p", from: old, to: node)
        probe.from = new
        #expect(node.value == 1)
        new.value = 2
        #expect(node.value == 2)
    }
}
