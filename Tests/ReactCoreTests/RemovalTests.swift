import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Disconnecting") struct RemovalTests {
    @Test("removeUpstreamNode cuts every edge from that node, and no other")
    func removeUpstreamNode() {
        let a = MutableNode(1)
        let b = MutableNode(2)
        let node = Node<Int>()
        node.link(to: a)
        node.link(to: b)
        node.link(to: a)
        node.removeUpstreamNode(a)
        #expect(node.upstreamNodes == [b])
        #expect(a.downstreamTransforms == [])
        a.value = 3
        #expect(node.value == 1)
        b.value = 4
        #expect(node.value == 4)
    }

    @Test("removeUpstreamNodes cuts all")
    func removeUpstreamNodes() {
        let a = MutableNode(1)
        let b = MutableNode(2)
        let node = Node<Int>()
        node.link(to: a)
        node.link(to: b)
        let below = node.map { $0 }
        node.removeUpstreamNodes()
        a.value = 3
        b.value = 4
        #expect(node.upstreamTransforms == [])
        #expect(!node.hasUpstreamNode)
        #expect(node.downstreamNodes == [below])
        #expect(below.value == 2)
    }

    @Test("removeDownstreamNode cuts every edge to that node, and no other")
    func removeDownstreamNode() {
        let source = MutableNode(1)
        let a = source.map { $0 }
        let b = source.map { $0 }
        source.removeDownstreamNode(a)
        source.value = 2
        #expect(a.value == 1)
        #expect(b.value == 2)
        #expect(source.downstreamNodes == [b])
        #expect(a.upstreamTransforms == [])
    }

    @Test("removeDownstreamNodes cuts all, and leaves listeners")
    func removeDownstreamNodes() {
        let listener = Lifetime()
        let source = MutableNode(1)
        let a = source.map { $0 }
        let b = source.map { $0 }
        let heard = source.heard(by: listener)
        source.removeDownstreamNodes()
        source.value = 2
        #expect(a.value == 1)
        #expect(b.value == 1)
        #expect(source.downstreamTransforms == [])
        #expect(heard.events == [1, 2])
    }

    @Test("removing a node that is not connected does nothing")
    func notConnected() {
        let source = MutableNode(1)
        let node = source.map { $0 }
        let stranger = Node(1)
        node.removeUpstreamNode(stranger)
        node.removeUpstreamNode(node)
        source.removeDownstreamNode(stranger)
        stranger.removeUpstreamNodes()
        stranger.removeDownstreamNodes()
        // The other way round is no connection either.
        source.removeUpstreamNode(node)
        node.removeDownstreamNode(source)
        source.value = 2
        #expect(node.value == 2)
    }

    @Test("a removed transform has no ends")
    func bothEnds() {
        let source = MutableNode(1)
        let target = Node<Int>()
        let other = Node<Int>()
        let probe = Probe("p", from: source, to: target)
        let second = Probe("q", from: source, to: other)
        target.removeUpstreamNode(source)
        source.removeDownstreamNodes()
        for transform in [probe, second] {
            #expect(transform.from == nil)
            #expect(transform.to == nil)
            #expect(transform.source == nil)
            #expect(transform.destination == nil)
        }
    }

    @Test("a node that was removed can be linked again")
    func again() {
        let source = MutableNode(1)
        let node = Node<Int>()
        node.link(to: source)
        node.removeUpstreamNodes()
        source.value = 2
        node.link(to: source)
        #expect(node.value == 2)
        source.value = 3
        #expect(node.value == 3)
    }

    @Test("a removed transform can be used again")
    func transformAgain() {
        let source = MutableNode(1)
        let node = Node<Int>()
        let probe = Probe<Int>("p")
        node.link(to: source, transform: probe)
        node.removeUpstreamNodes()
        node.link(to: source, transform: probe)
        source.value = 2
        #expect(node.value == 2)
        #expect(node.upstreamTransforms == [probe])
    }

    @Test("removal releases nodes that nobody else holds")
    func letsGo() {
        weak var gone: MutableNode<Int>?
        let node = Node<Int>()
        do {
            let source = MutableNode(1)
            gone = source
            node.link(to: source)
        }
        #expect(gone != nil)
        node.removeUpstreamNodes()
        #expect(gone == nil)
    }

    @Test("a node that has several upstream lets go of them all, whether they are idle or deliver", arguments: 1...5)
    func severalUpstream(count: Int) throws {
        for isBusy in [false, true] {
            try withLifetimeTracking { tracker in
                let listener = Lifetime()
                let stays = MutableNode<Tracked>()
                let sources = (0..<count).map { _ in MutableNode<Tracked>() }
                let end = Locked<Node<Tracked>?>(
                    Node.merge(
                        sources.map { source in
                            let captured = tracker.track("captured")
                            let own = source.map { value in withExtendedLifetime(captured) { value } }
                            return Node.merge([own, stays])
                        }))
                for source in sources { source.value = tracker.track("value") }
                if isBusy { stays.listened(by: listener).with { _ in end.value = nil } }
                stays.value = tracker.track("last")
                end.value = nil
                #expect(stays.downstreamTransforms == [])
                sources.forEach { $0.clean() }
                stays.clean()
            }
        }
    }

    /// Calls something when it goes.
    private final class Farewell: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        deinit { body() }
    }

    @Test(
        "edges that are cut in mid-delivery are released after it, and their values may then use the graph, however many there are",
        arguments: 1...5)
    func goesAfterwards(count: Int) {
        let listener = Lifetime()
        let log = Recorder<String>()
        let source = MutableNode<Int>()
        @Sendable func farewell() -> Farewell {
            Farewell {
                if source.map({ $0 }).value == 1 { log.record("gone") }
            }
        }
        let nodes = Locked(
            (0..<count).map { _ in
                let farewell = farewell()
                return source.map { value in withExtendedLifetime(farewell) { value } }
            })
        source.listened(by: listener).with { _ in
            nodes.value = []
            for _ in 0..<count { _ = source.map { _ in farewell() } }
            log.record("dropped")
        }
        source.value = 1
        #expect(log.events == ["dropped"] + [String](repeating: "gone", count: 2 * count))
        source.removeDownstreamNodes()
        source.stopListening(by: listener)
    }

    @Test("an operator's closure may let go of its own node, after a listener has cut itself")
    func ownNode() {
        let listener = Lifetime()
        let source = MutableNode<Int>()
        let cut = Locked<(any Cancelable)?>(nil)
        let nodes = Locked<[Node<Int>]>([])
        let calls = Locked(0)
        cut.value = source.listened(by: listener).with { _ in cut.value?.cancel() }
        nodes.value = (0..<3).map { _ in
            source.map { value in
                calls.increment()
                nodes.value = []
                reuseMemory()
                return value
            }
        }
        source.value = 1
        #expect(calls.value == 1)
        #expect(source.downstreamTransforms == [])
        #expect(!source.hasListener)
        cut.value = nil
    }
}
