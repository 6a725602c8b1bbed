import ReactOperators
import TestSupport
import Testing

@testable import ReactCore

/// Nodes and edges that end while another thread is at work in their graph.
@Suite("Ends in busy graphs") struct EndsInBusyGraphsTests {
    private final class Held: Sendable {}

    @Test("a node that goes in a busy graph waits for nobody, and its edges go when the graph is left")
    func node() {
        let source = MutableNode(0)
        weak var held: Held?
        var node: Node<Int>?
        do {
            let closure = Held()
            held = closure
            node = source.map { [closure] in closure === closure ? $0 : 0 }
        }
        let busy = BusyGraph(of: source, setting: 1)
        #expect(node?.value == 1)
        node = nil
        #expect(held != nil)
        busy.end()
        #expect(held == nil)
        #expect(source.downstreamTransforms.isEmpty)
    }

    @Test("an input that is removed before it could be linked is missed when the graph is left")
    func inputOfBusyGraph() {
        let source = MutableNode(0), other = MutableNode(10)
        let busy = BusyGraph(of: source, setting: 1)
        let sum = combine(source, other) { $0 + $1 }
        let first = sum.value
        // Nobody else holds the edge.
        sum.removeUpstreamNode(source)
        #expect(sum.upstreamNodes == [other])
        busy.end()
        other.value = 20
        #expect([10, 11].contains(first))
        #expect(sum.value == first)
    }

    @Test("a link that is cut in a busy graph passes nothing on, shows no ends, and goes when the graph is left")
    func cut() {
        let source = MutableNode(0), target = Node<Int>(), listener = Lifetime()
        let link = target.link(to: source)
        let transform = target.upstreamTransforms[0]
        let heard = target.heard(by: listener)
        let busy = BusyGraph(of: source, setting: 1)
        link.cancel()
        #expect(transform.source == nil && transform.destination == nil && link.source == nil)
        busy.end()
        source.value = 2
        #expect(heard.events == [0, 1])
        #expect(source.downstreamTransforms.isEmpty && target.upstreamTransforms.isEmpty)
    }

    @Test("a transform that was cut in a busy graph can be used for another link at once")
    func usedAgain() {
        let (source, other) = (MutableNode(0), MutableNode(10))
        let (first, second) = (Node<Int>(), Node<Int>())
        let transform = LinkTransform<Int>()
        let link = first.link(to: source, transform: transform)
        let busy = BusyGraph(of: source, setting: 1)
        link.cancel()
        second.link(to: other, transform: transform)
        busy.end()
        waitForLate(at: source, other, first, second)
        other.value = 11
        source.value = 2
        #expect(first.value == 1 && second.value == 11)
        #expect(source.downstreamTransforms.isEmpty)
    }

    @Test("a listener that goes before a busy graph has its edge hears nothing, and the edge goes")
    func listenerGone() {
        final class Heard: ListenEdge<Int>, @unchecked Sendable {
            let log: Recorder<Int>
            init(_ log: Recorder<Int>) {
                self.log = log
                super.init()
            }
            override func next(_ value: Int, from senders: SenderList, context: NodeContext?) { log.record(value) }
        }
        let source = MutableNode(0), log = Recorder<Int>(), first = Lifetime()
        weak var known: Heard?
        do {
            let edge = Heard(log)
            known = edge
            source.listened(by: first).with(edge: edge)
            let busy = BusyGraph(of: source, setting: 1)
            do {
                let screen = Lifetime()
                edge.to = screen
            }
            busy.end()
        }
        source.value = 2
        #expect(log.events == [0, 1])
        #expect(known == nil)
    }

    @Test("a lifetime that ends in a busy graph ends its listenings, which go when the graph is left")
    func lifetime() {
        let source = MutableNode(0), log = Recorder<Int>()
        weak var held: Held?
        var lifetime: Lifetime? = Lifetime()
        do {
            let closure = Held()
            held = closure
            source.listened(by: lifetime!).with { [closure] in if closure === closure { log.record($0) } }
        }
        let busy = BusyGraph(of: source, setting: 1)
        lifetime = nil
        busy.end()
        waitForLate(at: source)
        source.value = 2
        #expect(log.events == [0, 1])
        #expect(held == nil && !source.hasListener)
    }

    @Test("a value's deinit that sets a node of its own graph is heard, whichever thread leaves the graph")
    func setInDeinit() {
        final class Setting: Sendable {
            let node: MutableNode<Int>
            init(_ node: MutableNode<Int>) { self.node = node }
            deinit { node.value = 7 }
        }
        let source = MutableNode(0), other = MutableNode(0), listener = Lifetime()
        let both = combine(source, other).mapEach { [$0, $1] }
        let heard = both.heard(by: listener)
        var node: Node<Int>? = source.map { [setting = Setting(other)] value in
            withExtendedLifetime(setting) { value }
        }
        let busy = BusyGraph(of: source, setting: 1)
        withExtendedLifetime(node) {}
        node = nil
        busy.end()
        waitForLate(at: source)
        #expect(heard.events == [[0, 0], [1, 0], [1, 7]])
    }

    @Test("nodes that are made and dropped beside threads that set their source leave nothing over")
    func storm() {
        let count = Scale.scaled(4_000)
        let source = MutableNode(0), top = combine(source, source.map { $0 + 1 }) { $0 + $1 }
        concurrently(4) { thread in
            for value in 1...count {
                if thread < 2 {
                    source.value = value
                } else {
                    let node = combine(top, source.filter { $0 % 2 == thread % 2 }) { $0 - $1 }
                    withExtendedLifetime(node.map { $0 }) {}
                }
            }
        }
        waitForLate(at: source)
        batch { source.value = count }
        #expect(source.downstreamTransforms.count == 2 && top.downstreamTransforms.isEmpty)
        #expect(top.current == 2 * count + 1)
    }

    @Test("a value of several words is read whole while another thread sets it, and so is one with storage")
    func wholeValues() {
        struct Words: Equatable, Sendable { var a = 0, b = 0, c = 0, d: UInt8 = 0 }
        let count = Scale.scaled(100_000)
        let words = MutableNode(Words()), texts = MutableNode(["", ""]), maybe = MutableNode<Int?>(0)
        let isOver = Locked(false), torn = Locked(0)
        let worker = Worker {
            for value in 1...count {
                words.value = Words(a: value, b: value, c: value, d: UInt8(truncatingIfNeeded: value))
                texts.value = ["\(value)", "\(value)"]
                maybe.current = value % 2 == 0 ? nil : .max
            }
            isOver.withLock { $0 = true }
        }
        while !isOver.value {
            let now = words.current, text = texts.current, number = maybe.current
            if now.a != now.b || now.b != now.c || now.d != UInt8(truncatingIfNeeded: now.a) { torn.increment() }
            if text[0] != text[1] || number != nil && number != 0 && number != .max { torn.increment() }
        }
        worker.join()
        #expect(torn.value == 0)
    }
}
