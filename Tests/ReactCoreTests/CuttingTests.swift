import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Cutting in mid-delivery") struct CuttingTests {
    @Test("a listening cut by an earlier listener does not hear the value under way")
    func laterListener() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let later = Locked<(any Cancelable)?>(nil)
        node.listened(by: listener).with { _ in later.value?.cancel() }
        let heard = Recorder<Int>()
        later.value = node.listened(by: listener).with { heard.record($0) }
        let last = node.heard(by: listener)
        node.value = 1
        #expect(heard.events == [])
        #expect(last.events == [1])
        later.value = nil
    }

    @Test("a listening that cuts itself hears nothing more, and those after it hear all")
    func itself() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let own = Locked<(any Cancelable)?>(nil)
        let heard = Recorder<Int>()
        own.value = node.listened(by: listener).with { value in
            heard.record(value)
            own.value?.cancel()
        }
        let after = node.heard(by: listener)
        node.value = 1
        node.value = 2
        #expect(heard.events == [1])
        #expect(after.events == [1, 2])
        own.value = nil
    }

    @Test("a listening cut by a later listener has heard this value, and hears no other")
    func earlierListener() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let heard = Recorder<Int>()
        let earlier = node.listened(by: listener).with { heard.record($0) }
        node.listened(by: listener).with { _ in earlier.cancel() }
        node.value = 1
        node.value = 2
        #expect(heard.events == [1])
    }

    @Test("a listener that goes away in mid-delivery hears nothing more", arguments: [false, true])
    func listenerDies(plain: Bool) {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let dying = Locked<(any AnyObject & Sendable)?>(plain ? PlainListener() : Lifetime())
        let heard = Recorder<Int>()
        node.listened(by: listener).with { [weak object = dying.value] _ in
            dying.value = nil
            #expect(eventually { object == nil })
        }
        if let object = dying.value { node.listened(by: object).with { heard.record($0) } }
        let last = node.heard(by: listener)
        node.value = 1
        #expect(heard.events == [])
        #expect(last.events == [1])
    }

    @Test("stopListening in mid-delivery takes effect at once")
    func stopListening() {
        let listener = Lifetime()
        let other = Lifetime()
        let node = MutableNode<Int>()
        node.listened(by: listener).with { _ in node.stopListening(by: other) }
        let first = node.heard(by: other)
        let second = node.heard(by: other)
        node.value = 1
        #expect(first.events == [])
        #expect(second.events == [])
    }

    @Test("a transform cut by a listener does not get the value under way")
    func transformCutByListener() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let called = Locked(0)
        let mapped = node.map { value in
            called.increment()
            return value
        }
        let target = Node<Int>()
        let probe = Probe("p", from: node, to: target)
        _ = probe.log.take()
        node.listened(by: listener).with { _ in
            mapped.removeUpstreamNodes()
            target.removeUpstreamNode(node)
        }
        node.value = 1
        #expect(called.value == 0)
        #expect(mapped.isEmpty)
        #expect(probe.log.events.allSatisfy { $0 == "p.reset" })
        #expect(target.isEmpty)
    }

    @Test("a transform cut from a branch before it does not get the value under way")
    func transformCutByBranch() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let first = node.map { $0 }
        let second = node.map { $0 }
        let third = node.map { $0 }
        first.listened(by: listener).with { _ in second.removeUpstreamNode(node) }
        node.value = 1
        #expect(second.isEmpty)
        #expect(third.value == 1)
    }

    @Test("a node let go in mid-delivery gets nothing more")
    func nodeLetGo() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let called = Locked(0)
        let first = node.map { $0 }
        let dying = Locked<Node<Int>?>(
            node.map { value in
                called.increment()
                return value
            }
        )
        first.listened(by: listener).with { _ in dying.value = nil }
        node.value = 1
        #expect(called.value == 0)
        node.value = 2
        #expect(called.value == 0)
    }

    @Test("values that wait are not delivered to an edge cut before their turn")
    func queuedValues() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let cut = Locked<(any Cancelable)?>(nil)
        node.listened(by: listener).with { value in
            if value == 1 {
                node.value = 2
                node.value = 3
            }
            if value == 3 { cut.value?.cancel() }
        }
        let heard = Recorder<Int>()
        cut.value = node.listened(by: listener).with { heard.record($0) }
        node.value = 1
        #expect(heard.events == [1, 2])
        cut.value = nil
    }

    @Test("an edge re-pointed in mid-delivery gets the new source's value, and not the old one's")
    func repointed() {
        let listener = Lifetime()
        let old = MutableNode<Int>()
        let new = MutableNode(10)
        let target = Node<Int>()
        let probe = Probe("p", from: old, to: target)
        let heard = target.heard(by: listener)
        _ = probe.log.take()
        old.listened(by: listener).with { _ in probe.from = new }
        old.value = 1
        #expect(heard.events == [10])
        #expect(probe.log.events == ["p.reset", "p.next(10)"])
    }

    @Test("a combination cut before it fires does not fire")
    func combinationCut() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let pair = combine(node, Node(1)).mapEach { $0 + $1 }
        let raw = pair.upstreamNodes[0]
        let heard = pair.heard(by: listener)
        let late = node.map { $0 }
        late.listened(by: listener).with { if $0 == 2 { raw.removeUpstreamNode(node) } }
        node.value = 2
        #expect(heard.events == [2])
    }

    @Test("a cut made on another thread, before its turn, is kept")
    func otherThread() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let heard = Recorder<Int>()
        let cut = Locked<(any Cancelable)?>(nil)
        node.listened(by: listener).with { _ in
            Worker { cut.value?.cancel() }.join()
        }
        cut.value = node.listened(by: listener).with { heard.record($0) }
        node.value = 1
        #expect(heard.events == [])
        cut.value = nil
    }

    @Test("a listener may drop the last reference to the node that is delivering to it")
    func dropsSource() throws {
        try withLifetimeTracking { tracker in
            let owner = Locked<Lifetime?>(Lifetime())
            let heard = Recorder<Int>()
            let source = Locked<MutableNode<Int>?>(MutableNode<Int>())
            if let node = source.value, let listener = owner.value {
                let payload = tracker.track("captured")
                let mapped = node.map { value in withExtendedLifetime(payload) { value + 1 } }
                node.listened(by: listener).with { value in
                    heard.record(value)
                    source.value = nil
                    owner.value = nil
                }
                mapped.listened(by: listener).with { heard.record($0) }
            }
            source.value?.value = 1
            #expect(heard.events == [1])
            #expect(source.value == nil)
        }
    }
}
