import ReactCore
import ReactOperators
import TestSupport
import Testing

private final class Halve: Transform<Int, Int>, @unchecked Sendable {
    override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
        if value.isMultiple(of: 2) { send(value / 2, from: senders, context: context) }
    }
}

/// Sends a value as many times as it says.
private final class Repeat: Transform<Int, String>, @unchecked Sendable {
    let log: Recorder<String>
    init(log: Recorder<String>) {
        self.log = log
        super.init(name: "Repeat")
    }
    override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
        for turn in 0..<value { send("\(value).\(turn)", from: senders, context: context) }
        log.record("next done")
    }
}

/// Is in `next`, for the value 1, until it is released.
private final class Slow: Transform<Int, Int>, @unchecked Sendable {
    let entered = Latch()
    let released = Latch()
    let log = Recorder<String>()

    override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
        log.record("next \(value)")
        if value == 1 {
            entered.arrive()
            released.wait()
        }
        send(value, from: senders, context: context)
    }
    override func reset() { log.record("reset") }
}

/// Counts how many threads are in `next`.
private final class Turnstile: Transform<Int, Int>, @unchecked Sendable {
    let inside = Locked(0)
    let counts = Recorder<Int>()

    override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
        counts.record(inside.increment())
        send(value, from: senders, context: context)
        inside.withLock { $0 -= 1 }
    }
}

/// Sets `other` and links `late` to it, the first time.
private final class Once: Transform<Int, Int>, @unchecked Sendable {
    let other = MutableNode<Int>()
    let late = Node<Int>()

    override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
        other.value = value
        late.link(to: other)
        cancel()
    }
}

@Suite("Custom transforms") struct CustomTransformsTests {
    @Test("a transform that is not subclassed passes nothing on, and a LinkTransform passes each value on")
    func plainTransforms() {
        let source = MutableNode(1), silent = Node<Int>(), linked = Node<Int>()
        silent.link(to: source, transform: Transform())
        linked.link(to: source, transform: LinkTransform())
        #expect(silent.isEmpty && linked.value == 1)
        source.value = 2
        #expect(silent.isEmpty && linked.value == 2)
    }

    @Test("next is called with every value of `from`, and the values that it sends arrive at `to`")
    func nextAndSend() {
        let listener = Lifetime()
        let source = MutableNode(8)
        let node = Node<Int>()
        node.link(to: source, transform: Halve())
        let heard = node.heard(by: listener)
        for value in [6, 5, 4] { source.value = value }
        #expect(heard.events == [4, 3, 2])
    }

    @Test("the name is Transform unless given, and can be set")
    func name() {
        #expect(Halve().name == "Transform")
        let halve = Halve(name: "Halve")
        #expect(halve.name == "Halve")
        halve.name = "Half"
        #expect(halve.name == "Half")
        let edge: any NodeEdge = halve
        edge.name = "Again"
        #expect(halve.name == "Again")
    }

    @Test("setting to while from is set and not empty sends from's value at once")
    func settingTo() {
        let halve = Halve()
        let source = Node(8)
        let node = Node<Int>()
        halve.from = source
        #expect(node.isEmpty)
        halve.to = node
        #expect(node.value == 4)
    }

    @Test("setting from while to is set sends the value at once, unless it is empty")
    func settingFrom() {
        let halve = Halve()
        let node = Node<Int>()
        halve.to = node
        halve.from = Node<Int>()
        #expect(node.isEmpty)
        halve.from = Node(8)
        #expect(node.value == 4)
    }

    @Test("setting from to nil disconnects it; setting it again goes on")
    func settingFromToNil() {
        let source = MutableNode(2)
        let node = Node<Int>()
        let halve = Halve()
        halve.to = node
        halve.from = source
        halve.from = nil
        source.value = 4
        #expect(node.value == 1)
        #expect(halve.from == nil)
        #expect(source.downstreamTransforms == [])
        halve.to = node
        halve.from = source
        #expect(node.value == 2)
    }

    @Test("setting to to nil disconnects it")
    func settingToToNil() {
        let source = MutableNode(2)
        let node = Node<Int>()
        let halve = Halve()
        halve.to = node
        halve.from = source
        halve.to = nil
        source.value = 4
        #expect(node.value == 1)
        #expect(halve.to == nil)
        #expect(node.upstreamTransforms == [])
    }

    @Test("source and destination are the ends")
    func ends() {
        let source = Node(2)
        let node = Node<Int>()
        let halve = Halve()
        #expect(halve.source == nil)
        #expect(halve.destination == nil)
        halve.from = source
        halve.to = node
        #expect(halve.source === source)
        #expect(halve.destination === node)
        #expect(halve.from === source)
        #expect(halve.to === node)
    }

    @Test("two references to a transform are equal when they are the same transform")
    func identity() {
        let halve = Halve()
        let twin = Halve()
        #expect(halve as AnyTransform == halve)
        #expect(halve as AnyTransform != twin)
        #expect(Set<AnyTransform>([halve, twin, halve]).count == 2)
    }

    @Test("reset is called when from changes, before the new node's value arrives")
    func reset() {
        let target = Node<Int>()
        let probe = Probe("p", from: MutableNode(1), to: target)
        _ = probe.log.take()
        probe.from = MutableNode(2)
        #expect(probe.log.take() == ["p.reset", "p.next(2)"])
        probe.from = MutableNode<Int>()
        #expect(probe.log.take() == ["p.reset"])
        #expect(target.value == 2)
    }

    @Test("reset is called when a link gives a transform its first node, before that one's value arrives")
    func resetByLink() {
        let target = Node<Int>()
        let probe = Probe<Int>("p")
        let link = target.link(to: MutableNode(1), transform: probe)
        #expect(probe.log.take() == ["p.reset", "p.next(1)"])
        link.cancel()
        _ = probe.log.take()
        target.link(to: MutableNode<Int>(), transform: probe)
        #expect(probe.log.take() == ["p.reset"])
        #expect(target.value == 1)
    }

    @Test("reset comes when the next of the node before is over, also if another thread is in it")
    func resetDuringNext() {
        let first = MutableNode<Int>()
        let second = MutableNode(2)
        let node = Node<Int>()
        let slow = Slow()
        node.link(to: first, transform: slow)
        let worker = Worker { first.value = 1 }
        slow.entered.wait()
        _ = slow.log.take()
        slow.from = second
        #expect(slow.log.events == [])
        slow.released.arrive()
        worker.join()
        waitForLate(at: second, node)
        #expect(slow.log.events == ["reset", "next 2"])
        #expect(node.value == 2)
    }

    @Test("values set from four threads come to next one at a time")
    func nextOneAtATime() {
        let count = Scale.scaled(5_000)
        let source = MutableNode<Int>()
        let node = Node<Int>()
        let turnstile = Turnstile()
        node.link(to: source, transform: turnstile)
        concurrently(4) { _ in
            for value in 0..<count { source.value = value }
        }
        waitForLate(at: source)
        #expect(turnstile.counts.count == 4 * count)
        #expect(turnstile.counts.events.allSatisfy { $0 == 1 })
    }

    @Test("next may set, link and cut, its own edge too")
    func nextEditsTheGraph() {
        let source = MutableNode(1)
        let node = Node<Int>()
        let once = Once()
        node.link(to: source, transform: once)
        source.value = 2
        #expect(once.other.value == 1)
        #expect(once.late.value == 1)
        #expect(source.downstreamTransforms == [])
    }

    @Test("reset is not called when to changes")
    func noReset() {
        let (first, second) = (Node<Int>(), Node<Int>())
        let probe = Probe("p", from: MutableNode(1), to: first)
        _ = probe.log.take()
        probe.to = second
        #expect(probe.log.take() == ["p.next(1)"])
        #expect(second.value == 1)
    }

    @Test("empty is called when from is emptied, and sendEmpty passes it on")
    func emptyAndSendEmpty() {
        let source = MutableNode(1)
        let middle = Node<Int>()
        let end = Node<Int>()
        let log = Recorder<String>()
        let first = Probe("first", log: log, from: source, to: middle)
        let second = Probe("second", log: log, from: middle, to: end)
        _ = log.take()
        source.clean()
        #expect(log.take() == ["first.empty", "second.empty"])
        #expect(middle.isEmpty)
        #expect(end.isEmpty)
        withExtendedLifetime((first, second)) {}
    }

    @Test("empty does nothing by default")
    func emptyByDefault() {
        let source = MutableNode(8)
        let node = Node<Int>()
        node.link(to: source, transform: Halve())
        source.clean()
        #expect(node.value == 4)
    }

    @Test("values that next sends are delivered right after next returns, in order, each with its whole downstream")
    func severalSends() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let source = MutableNode<Int>()
        let node = Node<String>()
        node.link(to: source, transform: Repeat(log: log))
        let below = node.map { "below " + $0 }
        let sibling = source.map { "sibling \($0)" }
        sibling.log("", to: log, by: listener)
        below.log("", to: log, by: listener)
        node.log("node ", to: log, by: listener)
        source.value = 2
        #expect(
            log.events == ["next done", "node 2.0", "below 2.0", "node 2.1", "below 2.1", "sibling 2"]
        )
    }

    @Test("a transform can be cancelled, as a link's result can: it has no ends then")
    func cancel() {
        let source = MutableNode(8)
        let node = Node<Int>()
        let halve = Halve()
        node.link(to: source, transform: halve)
        let cancelable: any Cancelable = halve
        cancelable.cancel()
        cancelable.cancel()
        source.value = 6
        #expect(node.value == 4)
        #expect(halve.from == nil)
        #expect(halve.to == nil)
        #expect(node.upstreamTransforms == [])
        #expect(source.downstreamTransforms == [])
    }

    @Test("a combination below a custom transform fires once a set")
    func aboveCombination() {
        let listener = Lifetime()
        let source = MutableNode(2)
        let half = Node<Int>()
        half.link(to: source, transform: Halve())
        let heard = combine(half, source).mapEach { [$0, $1] }.heard(by: listener)
        source.value = 4
        source.value = 5
        #expect(heard.events == [[1, 2], [2, 4], [2, 5]])
    }

    @Test("a transform and a listen edge are receivers: a value that is sent to them by hand arrives like any other")
    func receivers() {
        final class Tap: ListenEdge<Int>, @unchecked Sendable {
            let received = Recorder<String>()
            override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
                received.record("\(value) \(context ?? "-")")
            }
            override func empty(from senders: SenderList, context: NodeContext?) { received.record("empty") }
        }
        let node = Node<Int>()
        let halve = Halve()
        node.link(to: MutableNode<Int>(), transform: halve)
        let tap = Tap()
        let receivers: [any NextReceiver<Int>] = [halve, tap]
        for receiver in receivers {
            receiver.next(8, from: SenderList(), context: "by hand")
            receiver.empty(from: SenderList(), context: nil)
        }
        #expect(node.value == 4)
        #expect(tap.received.events == ["8 by hand", "empty"])
    }
}
