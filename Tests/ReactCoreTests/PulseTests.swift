import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Pulses")
struct PulseTests {
    private let listener = Lifetime()

    @Test("a pulse of a node of Void takes no value")
    func ofVoid() {
        let listener = Lifetime(), node = MutableNode<Void>(), contexts = Recorder<String?>()
        node.listened(by: listener).withContext { contexts.record($1 as? String) }
        node.pulse()
        node.pulse(context: "tap")
        #expect(contexts.events == [nil, "tap"])
        #expect(node.isEmpty)
    }

    @Test("a pulse is heard like a set, with its context, and leaves the node empty")
    func heardAndGone() {
        let node = MutableNode<Int>()
        let heard = Recorder<String>()
        node.listened(by: listener).withContext { heard.record("\($0) \($1 ?? "-")") }
        node.pulse(1)
        node.pulse(1, context: "tap")
        #expect(heard.events == ["1 -", "1 tap"])
        #expect(node.isEmpty)
        let late = node.heard(by: listener)
        #expect(late.events == [])
    }

    @Test("nodes derived by stateless operators are heard, and empty afterwards, however deep")
    func stateless() {
        let node = MutableNode<Int>()
        let ends = [
            node.map { $0 * 2 }.map { $0 + 1 }, node.filter { $0 > 0 }, node.compactMap { $0 }.fork(), node.ignore(7),
            merge(node, Node()), node.mapReplace(3).select(3),
        ]
        let linked = Node<Int>()
        linked.link(to: ends[0])
        let heard = (ends + [linked]).map { $0.heard(by: listener) }
        node.pulse(1)
        node.pulse(1)
        #expect(heard.map(\.events) == [[3, 3], [1, 1], [1, 1], [1, 1], [1, 1], [3, 3], [3, 3]])
        #expect((ends + [linked]).allSatisfy { $0.isEmpty })
        var last: Node<Int> = node
        for _ in 0..<10_000 { last = last.map { $0 + 1 } }
        let deep = last.heard(by: listener)
        node.pulse(0)
        #expect(deep.events == [10_000])
        #expect(last.isEmpty)
    }

    @Test("if both lead to one node, a value that an operator keeps stays there, and one that passes by does not")
    func bothAtOneNode() {
        let node = MutableNode<Int>()
        let times = node.map { $0 * 10 }, count = node.scan(0) { count, _ in count + 1 }
        let (kept, passed) = (merge(times, count), merge(count, times))
        let heard = (kept.heard(by: listener), passed.heard(by: listener))
        node.pulse(5)
        #expect(heard.0.events == [50, 1])
        #expect(heard.1.events == [50, 1])
        #expect(kept.value == 1)
        #expect(passed.value == 1)
        let last = merge(node.scan(0) { count, _ in count + 1 }, node.map { $0 * 10 })
        node.pulse(6)
        #expect(kept.value == 2)
        #expect(last.value == 1)
    }

    @Test("a value that an operator keeps stays, and so does everything derived from it")
    func stateful() {
        let node = MutableNode<Int>(), other = MutableNode(10)
        let count = node.scan(0) { count, _ in count + 1 }
        let text = count.map { "\($0)" }
        let sum = combine(node.map { $0 * 2 }, other).mapEach { $0 + $1 }
        let inner = MutableNode(5)
        let followed = node.flattenMap { _ in inner }.map { $0 + 1 }
        node.pulse(1)
        node.pulse(2)
        #expect(count.value == 2)
        #expect(text.value == "2")
        #expect(sum.value == 14)
        other.value = 20
        #expect(sum.value == 14)
        node.pulse(3)
        #expect(sum.value == 26)
        #expect(followed.value == 6)
        inner.value = 6
        #expect(followed.value == 7)
        #expect(node.isEmpty)
    }

    @Test("a node that the pulse did not come to, or that was set otherwise meanwhile, keeps its value")
    func othersKeepTheirs() {
        let node = MutableNode(7), setting = MutableNode(1)
        let large = node.filter { $0 > 5 }
        let merged = merge(large, setting)
        setting.value = 2
        node.pulse(3)
        #expect(node.isEmpty)
        #expect(large.value == 7)
        #expect(merged.value == 2)

        let event = MutableNode<Int>()
        let both = merge(event, setting)
        let heard = both.heard(by: listener)
        event.listened(by: listener).with { setting.value = $0 * 10 }
        both.listened(by: listener).with { if $0 == 4 { setting.value = 5 } }
        event.pulse(4)
        #expect(heard.events == [2, 40, 4, 5])
        #expect(both.value == 5)
        #expect(event.isEmpty)
    }

    @Test("a set or a pulse by a listener of the node waits its turn, and only the set stays")
    func reentrant() {
        let node = MutableNode<Int>()
        let double = node.map { $0 * 2 }
        let heard = double.heard(by: listener)
        node.listened(by: listener).with {
            if $0 == 1 { node.pulse(2) }
            if $0 == 2 { node.value = 3 }
        }
        node.pulse(1)
        #expect(heard.events == [2, 4, 6])
        #expect(node.value == 3)
        #expect(double.value == 6)
        node.pulse(1)
        #expect(node.value == 3)
        node.pulse(9)
        #expect(heard.events.last == 18)
        #expect(node.isEmpty)
        #expect(double.value == 6)
    }

    @Test("an update that waits behind a pulse finds the node empty, and so does one by another thread")
    func updateBehindPulse() {
        let node = MutableNode<Int>()
        let heard = node.heard(by: listener)
        let changes = Locked(0)
        node.listened(by: listener).with { [unowned node] value in
            guard value == 1 else { return }
            node.pulse(2)
            node.update {
                changes.increment(); $0 += 10
            }
            Worker {
                node.pulse(3)
                node.update {
                    changes.increment(); $0 += 20
                }
            }.join()
        }
        node.pulse(1)
        waitForLate(at: node)
        #expect(heard.events == [1, 2, 3])
        #expect(node.isEmpty && changes.value == 0)
    }

    @Test("in a batch, a combination sees the pulse once, and the nodes are empty already")
    func batches() {
        let node = MutableNode<Int>(), other = MutableNode(1)
        let pair = combine(node, other).mapEach { "\($0) \($1)" }
        let heard = pair.heard(by: listener)
        batch {
            node.pulse(5)
            #expect(node.isEmpty)
            other.value = 2
        }
        #expect(heard.events == ["5 2"])
    }

    @Test("the value of a pulse is let go of when it has been delivered")
    func letGo() {
        let tracker = LifetimeTracker()
        let node = MutableNode<Tracked>()
        let passed = node.filter { _ in true }
        let heard = Recorder<Int>()
        passed.listened(by: listener).with { _ in heard.record(tracker.live.count) }
        node.pulse(tracker.track("event"))
        #expect(heard.events == [1])
        #expect(tracker.live.isEmpty)
    }

    @Test("pulsed while another thread delivers, it is delivered there, and leaves every node below as it was")
    func contended() {
        let node = MutableNode<Int>(), target = MutableNode<Int>()
        let double = node.map { $0 * 2 }
        let joined = Node<Int>()
        joined.link(to: double)
        joined.link(to: target)
        let heard = joined.heard(by: listener)
        let isInside = Latch(), isPulsed = Latch()
        target.listened(by: listener).with {
            guard $0 == 1 else { return }
            isInside.arrive()
            isPulsed.wait()
        }
        joined.listened(by: listener).with {
            guard $0 == 100 else { return }
            isInside.arrive()
            isPulsed.wait()
        }
        // The node itself is busy elsewhere.
        let first = Lifetime()
        let isDelivering = Latch(), mayEnd = Latch()
        node.listened(by: first).with {
            guard $0 == 7 else { return }
            isDelivering.arrive()
            mayEnd.wait()
        }
        let worker = Worker { node.value = 7 }
        isDelivering.wait()
        node.pulse(8)
        mayEnd.arrive()
        worker.join()
        waitForLate(at: node)
        #expect(heard.events == [14, 16])
        #expect(node.isEmpty)
        #expect(double.value == 14 && joined.value == 14)

        // A node below is busy elsewhere.
        let setter = Worker { target.value = 100 }
        isInside.wait()
        node.pulse(9)
        #expect(node.isEmpty)
        #expect(double.value == 14)
        isPulsed.arrive()
        setter.join()
        waitForLate(at: target)
        #expect(heard.events == [14, 16, 100, 18])
        #expect(joined.value == 100)
    }

    @Test("pulses from four threads all arrive, once, and nothing is left")
    func threads() {
        let node = MutableNode<Int>()
        let end = node.map { $0 + 1 }.filter { _ in true }
        let heard = end.heard(by: listener)
        let count = node.scan(0) { count, _ in count + 1 }
        concurrently(4) { thread in for value in 0..<250 { node.pulse(thread * 1_000 + value) } }
        waitForLate(at: node)
        #expect(heard.events.count == 1_000)
        #expect(Set(heard.events).count == 1_000)
        #expect(count.value == 1_000)
        #expect(node.isEmpty && end.isEmpty)
    }

    @Test(
        "a pulse of an immutable node reached through a cast ends the process with a message",
        .enabled(if: Scale.runsTraps))
    func immutable() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            (Node(1) as? MutableNode<Int>)?.pulse(2)
        }
        let message = misuse(in: result?.standardErrorContent)
        #expect(message.contains("immutable"))
    }

    @Test("a pulse of a node that another one follows leaves both empty")
    func followed() {
        let inner = MutableNode<Int>()
        let (left, right) = (MutableNode<Int>(), MutableNode<Int>())
        let flat = MutableNode<Node<Int>>(inner).flatten()
        let sync = left.sync(with: right)
        let heard = (flat.heard(by: listener), right.heard(by: listener))
        inner.pulse(5)
        left.pulse(6)
        #expect(heard.0.events == [5])
        #expect(heard.1.events == [6])
        #expect(inner.isEmpty && flat.isEmpty)
        #expect(left.isEmpty && right.isEmpty)
        sync.cancel()
    }

    @Test(
        "a pulse's value stays in the nodes that it has reached until the pulse is over, even if listenings begin or end"
    )
    func listenersThatEnd() {
        let taps = MutableNode<Int>()
        let (a, b) = (taps.map { $0 * 2 }, taps.map { $0 * 3 })
        let heard = [a, b].map { node in taps.flattenMap { _ in node }.heard(by: listener) }
        let once = Locked<(any Cancelable)?>(nil)
        once.value = a.listened(by: listener).with { _ in once.value?.cancel() }
        for _ in 0..<2 {
            b.listened(by: listener).with { [unowned b, unowned listener] _ in
                b.listened(by: listener).with { _ in }
            }
        }
        taps.pulse(1)
        #expect(heard.map(\.events) == [[2], [3]])
        #expect(a.isEmpty && b.isEmpty)
        once.value = nil
    }

    @Test(
        "a pulse's value stays in the nodes that it has reached until the pulse is over, though it passes a flattenMap")
    func passingAFlattenMap() {
        let (taps, inner) = (MutableNode<Int>(), MutableNode(5))
        let a = taps.map { $0 * 2 }
        let between = taps.flattenMap { _ in inner }
        let heard = taps.flattenMap { _ in a }.heard(by: listener)
        taps.pulse(1)
        #expect(heard.events == [2])
        #expect(a.isEmpty)
        #expect(between.value == 5)
    }

    @Test("a node has its earlier value after a pulse, if a value that waited behind the pulse is dropped")
    func nothingStoredBehind() {
        let taps = MutableNode<Int>(), other = MutableNode<Int>(), node = MutableNode(1)
        node.link(to: taps)
        node.link(to: other)
        node.listened(by: listener).with { [unowned node] value in
            guard value == 9 else { return }
            other.value = 5
            node.removeUpstreamNode(other)
        }
        taps.pulse(9)
        #expect(node.value == 1)
    }

    @Test("a pulse that waits for its turn is over when that is, whether or not anybody hears it")
    func waitingForItsTurn() {
        let node = MutableNode<Int>(), other = MutableNode<Int>()
        let heard = Recorder<Int>()
        let listening = Locked<(any Cancelable)?>(nil)
        listening.value = node.listened(by: listener).with { [unowned node] value in
            heard.record(value)
            if value == 1 {
                listening.value?.cancel()
                node.pulse(2)
            }
        }
        other.listened(by: listener).with { [unowned other] value in
            heard.record(value)
            if value == 3 { other.pulse(4) }
        }
        node.value = 1
        other.value = 3
        #expect(heard.events == [1, 3, 4])
        #expect(node.isEmpty && other.isEmpty)
        listening.value = nil
    }
}
