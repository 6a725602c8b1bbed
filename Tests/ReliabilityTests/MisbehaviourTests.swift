import ReactCore
import ReactOperators
import TestSupport
import Testing

/// Listeners that do, from inside a delivery, what they had better not, while other threads set the same nodes.
@Suite("Listeners that misbehave", .serialized) struct MisbehaviourTests {
    private let sets = Scale.heavy(10_000)

    @Test("a listener that cuts its own edge hears nothing more, and disturbs no other, whichever thread sets")
    func cutsItself() {
        let listener = Lifetime()
        let node = MutableNode(-1)
        let heard = Locked(0)
        let heardByOthers = Locked(0)
        node.listened(by: listener).with { _ in heardByOthers.increment() }
        for _ in 0..<100 {
            let edge = Locked<(any Cancelable)?>(nil)
            edge.value = node.listened(by: listener).with { value in
                guard value >= 0 else { return }
                heard.increment()
                edge.value?.cancel()
                edge.value = nil
            }
        }
        node.listened(by: listener).with { _ in heardByOthers.increment() }
        concurrently(4) { [sets] thread in
            for turn in 0..<sets { node.value = turn * 4 + thread }
        }
        waitForLate(at: node)
        #expect(heard.value == 100)
        #expect(heardByOthers.value == 2 * (4 * sets + 1))
        #expect(node.listenEdges.count == 2)
    }

    @Test("a listener that drops the last reference to its node hears nothing more, and leaves nothing over")
    func dropsItsSource() throws {
        try withLifetimeTracking { tracker in
            let source = MutableNode(0)
            let heard = Locked(0)
            concurrently(4) { [sets] thread in
                for turn in 1...sets / 10 {
                    let payload = tracker.track("captured")
                    let listener = Locked<Lifetime?>(Lifetime())
                    let end = Locked<Node<Int>?>(source.map { value in withExtendedLifetime(payload) { value } })
                    let isOn = Locked(false)
                    let isGone = Locked(false)
                    end.value!.listened(by: listener.value!).with { _ in
                        guard isOn.value else { return }
                        if isGone.value { Issue.record("heard after all was dropped") }
                        isGone.value = true
                        heard.increment()
                        end.value = nil
                        listener.value = nil
                    }
                    isOn.value = true
                    // Delivered by this thread or another: until it is, nothing is dropped.
                    source.value = turn
                    withExtendedLifetime((end, listener)) {}
                }
            }
            source.value = -1
            #expect(source.downstreamTransforms == [])
            #expect(heard.value == 4 * (sets / 10))
        }
    }

    @Test("a listener that sets its node a thousand times is heard a thousand times, between the sets of others")
    func setsAThousandTimes() {
        let listener = Lifetime()
        let node = MutableNode<Stamp>()
        let hearing = Hearing()
        let bursts = max(1, sets / 1000)
        let turns = Locked(0)
        node.listened(by: listener).with { stamp in
            guard stamp.thread == 0 else { return }
            for _ in 0..<1000 {
                let turn = turns.increment() - 1
                node.value = Stamp(thread: 9, turn: turn)
            }
        }
        node.listened(by: listener).with { hearing.hear($0) }
        concurrently(4) { [sets] thread in
            for turn in 0..<(thread == 0 ? bursts : sets) { node.value = Stamp(thread: thread, turn: turn) }
        }
        waitForLate(at: node)
        #expect(hearing.heard.firstFault == nil)
        #expect(hearing.heard.next == [0: bursts, 1: sets, 2: sets, 3: sets, 9: 1000 * bursts])
        #expect(node.value == hearing.heard.last)
    }

    @Test("a listener that links a ring in mid-delivery, and cuts it again, lets no value go round twice")
    func linksARing() {
        let listener = Lifetime()
        let (first, second) = (MutableNode<Int>(), MutableNode<Int>())
        second.link(to: first)
        let heard = Locked<[Int: Int]>([:])
        let back = Locked<(any Cancelable)?>(nil)
        // Only the even values, which are the first node's own, change the graph.
        first.listened(by: listener).with { value in
            if value % 8 == 4, back.value == nil { back.value = first.link(to: second) }
            if value % 8 == 0 {
                back.value?.cancel()
                back.value = nil
            }
            heard.withLock { $0[value, default: 0] += 1 }
        }
        concurrently(2) { [sets] thread in
            for turn in 0..<sets / 10 { (thread == 0 ? first : second).value = turn * 2 + thread }
        }
        waitForLate(at: first, second)
        first.removeUpstreamNodes()
        second.removeUpstreamNodes()
        #expect(heard.value.count { $0.key % 2 == 0 } == sets / 10, "its own values are all heard")
        #expect(first.downstreamTransforms == [] && second.downstreamTransforms == [])
    }

    @Test("a listener that starts a batch in a batch shows no half of either, on four threads")
    func nestsBatches() {
        let listener = Lifetime()
        let halves = Locked(0)
        let heard = Locked(0)
        concurrently(4) { [sets] _ in
            let (left, right, trigger) = (MutableNode(0), MutableNode(0), MutableNode(0))
            combine(left, right).listened(by: listener).with { left, right in
                heard.increment()
                if left != right { halves.increment() }
            }
            trigger.listened(by: listener).with { value in
                batch {
                    left.value = value
                    batch { right.value = value }
                }
            }
            for turn in 1...sets { batch { trigger.value = turn } }
        }
        #expect(halves.value == 0)
        // Once each when attached, then for the set that each attaching of `trigger` makes, then for every batch.
        #expect(heard.value == 4 * (sets + 2))
    }
}
