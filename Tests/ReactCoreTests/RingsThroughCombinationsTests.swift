import ReactCore
import ReactOperators
import TestSupport
import Testing

/// What a combination makes has come through every input that arrived since it last fired, and returns to none of them.
@Suite("Rings through combinations") struct RingsThroughCombinationsTests {
    let listener = Lifetime()
    let links = CancelableBag()

    @Test("a combination's value returns to none of the inputs that arrived in its firing phase")
    func returnsToNone() {
        let x = MutableNode(1)
        let (left, right) = (Node<Int>(), Node<Int>())
        left.link(to: x.map { $0 + 1 })
        right.link(to: x.map { $0 * 10 })
        let sum = combine(left, right).mapEach { $0 + $1 }
        links.add(left.link(to: sum))
        links.add(right.link(to: sum))
        let (heardLeft, heardRight) = (left.heard(by: listener), right.heard(by: listener))
        let heardSum = sum.heard(by: listener)
        for heard in [heardLeft, heardRight, heardSum] { _ = heard.take() }
        x.value = 10
        #expect(heardLeft.events == [11])
        #expect(heardSum.events == [111])
        #expect(heardRight.events.first == 100)
        links.cancel()
    }

    @Test("a combination's value of two inputs that a batch sets returns to neither")
    func batchReturnsToNone() {
        let (left, right) = (MutableNode(1), MutableNode(10))
        let sum = combine(left, right).mapEach { $0 + $1 }
        links.add(left.link(to: sum))
        links.add(right.link(to: sum))
        let (heardLeft, heardRight) = (left.heard(by: listener), right.heard(by: listener))
        _ = (heardLeft.take(), heardRight.take())
        batch {
            left.value = 2
            right.value = 20
        }
        #expect(heardLeft.events == [2])
        #expect(heardRight.events.first == 20)
        links.cancel()
    }

    @Test("a combination's value returns to no node upstream of the inputs that arrived, however far up")
    func returnsNotFurtherUp() {
        let x = MutableNode(1)
        let top = Node<Int>()
        top.link(to: x)
        let long = top.map { $0 }.map { $0 + 1 }.map { $0 }
        let right = x.map { $0 * 10 }
        let sum = combine(long, right).mapEach { $0 + $1 }
        links.add(top.link(to: sum))
        let heard = top.heard(by: listener)
        _ = heard.take()
        x.value = 5
        #expect(heard.events == [5])
        links.cancel()
    }

    @Test("a combination's value goes into an input that did not arrive, and stops there")
    func goesIntoTheOther() {
        let (left, right) = (MutableNode(1), MutableNode(10))
        let sum = combine(left, right).mapEach { $0 + $1 }
        links.add(left.link(to: sum))
        let (heardLeft, heardSum) = (left.heard(by: listener), sum.heard(by: listener))
        _ = (heardLeft.take(), heardSum.take())
        right.value = 20
        #expect(heardSum.events == [31])
        #expect(heardLeft.events == [31])
        links.cancel()
    }

    @Test("the sender list of a combination names every input that arrived in its wave, and no other")
    func senderList() {
        let x = MutableNode(1)
        let (left, right, aside) = (x.map { $0 }, x.map { $0 }, MutableNode(0))
        let all = combine(left, right, aside)
        let seen = Recorder<[Bool]>()
        all.listened(by: listener).withSenderListAndContext { _, senders, _ in
            seen.record([left, right, aside, x].map { senders.contains($0) })
        }
        _ = seen.take()
        x.value = 2
        aside.value = 3
        #expect(seen.events == [[true, true, false, true], [false, false, true, false]])
        #expect(seen.events.last == [false, false, true, false])
    }

    @Test("a value goes round a ring through a combination once, also where a listener is attached in mid-delivery")
    func attachedInMidDelivery() {
        let (source, constant) = (MutableNode(0), MutableNode(100))
        let node = Node<Int>()
        node.link(to: source)
        let sum = combine(node, constant).mapEach { $0 + $1 }
        links.add(node.link(to: sum))
        let heard = node.heard(by: listener)
        source.value = 1
        _ = heard.take()
        let other = Lifetime()
        node.listened(by: listener).with { if $0 == 2 { source.listened(by: other).with { _ in } } }
        source.value = 2
        #expect(heard.events == [2])
        #expect(node.value == 2)
        #expect(sum.value == 102)
        links.cancel()
    }

    @Test("a combination's value of arrivals of two threads returns to none of the nodes that either arrival passed")
    func arrivalsOfTwoThreads() {
        let (p, u, v, w) = (MutableNode(10), MutableNode(0), MutableNode<Int>(), MutableNode<Int>())
        let positive = v.filter { $0 > 0 }
        w.link(to: p)
        w.link(to: positive)
        let sum = combine(w.filter { $0 != 1 }, u) { $0 + $1 }
        links.add(v.link(to: sum))
        w.listened(by: listener).with {
            guard $0 == 1 else { return }
            // It waits at `w`, and comes through `v` in a run with this other thread's times.
            Worker { v.value = 2 }.join()
            v.value = -1
            u.value = 5
        }
        p.value = 1
        waitForLate(at: p)
        // The other thread's set is late, and so goes round after -1.
        #expect(sum.value == 7)
        #expect(v.value == 2)
        links.cancel()
    }

    @Test(
        "a combination's value of one from this thread and a later one of another thread returns to neither",
        arguments: [1, 3], [false, true])
    func laterArrivalOfAnotherThread(maps: Int, isAfterAnotherValue: Bool) {
        let (a, b, c) = (MutableNode(1), MutableNode(1), MutableNode(0))
        let far = (0..<maps).reduce(a as Node<Int>) { end, _ in end.map { $0 } }
        let sum = combine(far, b, c).mapEach { $0 + $1 + $2 }
        links.add(a.link(to: sum))
        links.add(b.link(to: sum))
        batch {
            if isAfterAnotherValue { c.value = 1 }
            a.value = 10
            // Late: it comes after the batch.
            Worker { b.value = 5 }.join()
        }
        waitForLate(at: a)
        // The batch's sum has gone to `b`, and the later one to `a`.
        #expect(sum.value == (isAfterAnotherValue ? 17 : 16) - 1)
        #expect(b.value == 5)
        links.cancel()
    }

    @Test(
        "a combination below a ring fires once a set, after the one in the ring, whichever was made first",
        arguments: [true, false])
    func belowRing(isMadeFirst: Bool) {
        let amount = MutableNode(1), total = MutableNode(0), log = Recorder<String>()
        func show() -> Node<String> { combine(total, amount) { "total \($0) after \($1)" } }
        var shown = isMadeFirst ? show() : nil
        let sum = combine(total, amount) { $0 + $1 }
        let ring = total.link(to: sum)
        defer { ring.cancel() }
        shown = shown ?? show()
        shown!.listened(by: listener).with { log.record($0) }
        _ = log.take()
        amount.value = 2
        amount.value = 3
        #expect(log.events == ["total 3 after 2", "total 6 after 3"])
    }

    @Test(
        "a combination in a ring fires once a set, after one above the ring, whichever was made first",
        arguments: [true, false])
    func aboveRing(isMadeFirst: Bool) {
        let a = MutableNode(1), b = MutableNode(0), back = MutableNode(0), input = MutableNode(0), log = Recorder<Int>()
        func make() -> Node<Int> { combine(a, input) { $0 + $1 * 100 } }
        var inRing = isMadeFirst ? make() : nil
        let above = combine(a, b) { $0 + $1 }
        inRing = inRing ?? make()
        let links = [back.link(to: inRing!), input.link(to: back), back.link(to: above)]
        defer { for link in links { link.cancel() } }
        inRing!.listened(by: listener).with { log.record($0) }
        _ = log.take()
        a.value = 2
        a.value = 3
        #expect(log.events == [202, 303])
    }
}
