import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Rings") struct RingsTests {
    /// Builds a ring of `count` nodes, each following the one before it.
    func ring(_ count: Int) -> (nodes: [MutableNode<Int>], links: CancelableBag) {
        let nodes = (0..<count).map { _ in MutableNode<Int>() }
        let links = CancelableBag()
        for index in nodes.indices {
            links.add(nodes[(index + 1) % count].link(to: nodes[index]))
        }
        return (nodes, links)
    }

    @Test("a value goes round a ring once, from wherever it is set", arguments: [2, 3, 10])
    func onceRound(count: Int) {
        let listener = Lifetime()
        let (nodes, links) = ring(count)
        let log = Recorder<Int>()
        for (index, node) in nodes.enumerated() {
            // Where the value goes round and round, that ends with a failure.
            node.listened(by: listener).with { _ in
                log.record(index)
                if log.count > 2 * count { links.cancel() }
            }
        }
        for start in 0..<count {
            nodes[start].value = start
            #expect(log.take() == (0..<count).map { (start + $0) % count })
            #expect(nodes.allSatisfy { $0.value == start })
        }
        links.cancel()
    }

    @Test("a ring of one link: a transform from a node to itself never brings a value back")
    func oneLink() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let heard = node.heard(by: listener)
        let probe = Probe<Int>("p")
        probe.to = node
        probe.from = node
        #expect(heard.take() == [1])
        node.value = 2
        #expect(heard.take() == [2])
        #expect(node.value == 2)
        probe.to = nil
    }

    @Test("a ring whose edges change the value: it passes each node once")
    func changingRing() {
        final class Add: Transform<Int, Int>, @unchecked Sendable {
            override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
                send(value + 1, from: senders, context: context)
            }
        }
        let listener = Lifetime()
        let log = Recorder<String>()
        let a = MutableNode<Int>()
        let b = MutableNode<Int>()
        let links = CancelableBag()
        links.add(b.link(to: a, transform: Add()))
        links.add(a.link(to: b, transform: Add()))
        a.log("a", to: log, by: listener)
        b.log("b", to: log, by: listener)
        a.value = 1
        #expect(log.take() == ["a1", "b2"])
        b.value = 5
        #expect(log.take() == ["b5", "a6"])
        links.cancel()
    }

    @Test("closing a ring passes the value on, and no further than once round")
    func closing() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let a = MutableNode(1)
        let b = MutableNode(2)
        b.link(to: a)
        a.log("a", to: log, by: listener)
        b.log("b", to: log, by: listener)
        _ = log.take()
        let closing = a.link(to: b)
        #expect(log.events.filter { $0.hasPrefix("a") } == ["a1"])
        #expect(log.count <= 2)
        a.value = 7
        #expect(b.value == 7)
        closing.cancel()
    }

    @Test("two rings that share a node: a value passes through every node once on each way")
    func figureEight() {
        let listener = Lifetime()
        let (left, leftLinks) = ring(3)
        let (right, rightLinks) = ring(3)
        let bridge = CancelableBag()
        bridge.add(right[0].link(to: left[0]))
        bridge.add(left[0].link(to: right[0]))
        let log = Recorder<String>()
        for (index, node) in left.enumerated() { node.log("left\(index) ", to: log, by: listener) }
        for (index, node) in right.enumerated() { node.log("right\(index) ", to: log, by: listener) }
        left[0].value = 1
        #expect(log.events == ["left0 1", "left1 1", "left2 1", "right0 1", "right1 1", "right2 1"])
        for bag in [leftLinks, rightLinks, bridge] { bag.cancel() }
    }

    @Test("a listener that sets the other end of a ring starts a new value, which goes round as well")
    func listenerSetsRing() {
        let listener = Lifetime()
        let (nodes, links) = ring(3)
        let heard = nodes.map { $0.heard(by: listener) }
        nodes[2].listened(by: listener).with { if $0 == 1 { nodes[0].value = 2 } }
        nodes[0].value = 1
        for recorder in heard { #expect(recorder.events == [1, 2]) }
        #expect(nodes.allSatisfy { $0.value == 2 })
        links.cancel()
    }

    @Test("a ring through a combination ends, with the value round once")
    func throughCombination() {
        let listener = Lifetime()
        let a = MutableNode(1)
        let b = MutableNode(10)
        let sum = combine(a, b).mapEach { $0 + $1 }
        let heardSum = sum.heard(by: listener)
        let heardA = a.heard(by: listener)
        let link = a.link(to: sum)
        #expect(a.value == 11)
        _ = heardA.take()
        _ = heardSum.take()
        b.value = 20
        // b fires the sum, which sets a; there the ring ends.
        #expect(heardSum.count == 1)
        #expect(heardA.take() == heardSum.take())
        link.cancel()
        b.value = 1
        #expect(heardA.take() == [])
    }

    @Test(
        "a ring through a combination stops, but the combination remembers the stopped value: its next firing takes the newest"
    )
    func runningTotal() {
        let listener = Lifetime()
        let total = MutableNode(0)
        let amount = MutableNode<Int>()
        let sum = combine(total, amount).mapEach { $0 + $1 }
        let link = total.link(to: sum)
        let heard = total.heard(by: listener)
        for value in [1, 2, 3] { amount.value = value }
        #expect(heard.events == [0, 1, 3, 6])
        link.cancel()
    }

    @Test("cutting a ring leaves a chain")
    func cutRing() {
        let (nodes, links) = ring(3)
        nodes[0].removeUpstreamNode(nodes[2])
        nodes[1].value = 1
        #expect(nodes[2].value == 1)
        #expect(nodes[0].isEmpty)
        nodes[0].value = 2
        #expect(nodes.map(\.value) == [2, 2, 2])
        links.cancel()
    }
}
