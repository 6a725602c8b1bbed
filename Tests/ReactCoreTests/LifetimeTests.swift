import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Lifetime") struct LifetimeTests {
    @Test("a node holds all nodes upstream of it, and releases them when it is released")
    func downstreamHoldsUpstream() {
        weak var source: Node<Int>?
        weak var middle: Node<Int>?
        var end: Node<Int>?
        do {
            let node = MutableNode(1)
            source = node
            let mapped = node.map { $0 + 1 }
            middle = mapped
            end = mapped.map { $0 + 1 }
        }
        #expect(source != nil)
        #expect(middle != nil)
        #expect(end?.value == 3)
        end = nil
        #expect(middle == nil)
        #expect(source == nil)
    }

    @Test("a node does not hold the nodes downstream of it, and forgets them at once")
    func upstreamHoldsNothing() {
        let source = MutableNode(1)
        weak var mapped: Node<Int>?
        do {
            let node = source.map { $0 }
            mapped = node
            #expect(source.downstreamNodes == [node])
        }
        #expect(mapped == nil)
        #expect(source.downstreamNodes == [])
        #expect(source.downstreamTransforms == [])
        #expect(!source.hasDownstreamNode)
    }

    @Test("a node is released with its value and all objects that its operator captured")
    func payloads() throws {
        try withLifetimeTracking { tracker in
            let source = MutableNode(1)
            do {
                let captured = tracker.track("captured")
                let mapped = source.map { _ in captured }.map { $0 }
                #expect(mapped.value == captured)
            }
            #expect(tracker.live == [])
            withExtendedLifetime(source) {}
        }
    }

    @Test("a value is let go when another takes its place, and when the node is emptied")
    func values() throws {
        try withLifetimeTracking { tracker in
            let node = MutableNode(tracker.track("first"))
            let below = node.map { $0 }
            #expect(tracker.live == ["first"])
            node.value = tracker.track("second")
            #expect(tracker.live == ["second"])
            node.clean()
            #expect(tracker.live == ["second"], "it lives on below: emptiness does not travel")
            #expect(below.value?.label == "second")
        }
    }

    @Test("a value that a new listener was called with is released with the node's value")
    func valuesToldAtOnce() throws {
        try withLifetimeTracking { tracker in
            let node = MutableNode(tracker.track("first")), lifetime = Lifetime()
            for _ in 0..<3 { node.listened(by: lifetime).with { _ in } }
            let other = MutableNode("other")
            other.listened(by: lifetime).with { _ in
                node.listened(by: lifetime).with { _ in }
                other.listened(by: lifetime).with { #expect($0 == "other") }
            }
            node.value = tracker.track("second")
            #expect(tracker.live == ["second"])
            // One of the closures holds the lifetime.
            lifetime.cancel()
        }
    }

    @Test("a combination holds its inputs, and they do not hold it")
    func combination() {
        let kept = MutableNode(1)
        weak var input: Node<Int>?
        weak var gone: Node<Int>?
        do {
            var sum: Node<Int>?
            do {
                let other = MutableNode(2)
                input = other
                sum = combine(kept, other).mapEach { $0 + $1 }
                gone = sum
            }
            #expect(input != nil)
            #expect(sum?.value == 3)
            sum = nil
        }
        #expect(gone == nil)
        #expect(input == nil)
        #expect(kept.downstreamTransforms == [])
    }

    @Test("a combination lets go of the values it took in, with its node")
    func combinationPayloads() throws {
        try withLifetimeTracking { tracker in
            let kept = MutableNode<Tracked>()
            let other = MutableNode<Tracked>()
            do {
                let pair = combine(kept, other)
                kept.value = tracker.track("kept")
                other.value = tracker.track("other")
                #expect(pair.value?.0.label == "kept")
                kept.clean()
                other.clean()
            }
            #expect(tracker.live == [])
        }
    }

    @Test("a transform holds from, and does not hold to; to holds the transform")
    func transformEnds() {
        weak var source: Node<Int>?
        weak var target: Node<Int>?
        weak var heldByTarget: Probe<Int>?
        do {
            let probe = Probe<Int>("p")
            do {
                let node = Node(1)
                source = node
                probe.from = node
            }
            #expect(source != nil)
            do {
                let node = Node<Int>()
                target = node
                probe.to = node
                #expect(node.value == 1)
            }
            #expect(target == nil)
            #expect(probe.to == nil)
            #expect(probe.destination == nil)
        }
        #expect(source == nil)
        let target2 = Node<Int>()
        do {
            let probe = Probe<Int>("p")
            heldByTarget = probe
            probe.to = target2
        }
        #expect(heldByTarget != nil)
        target2.removeUpstreamNodes()
        withExtendedLifetime(target2) {}
    }

    @Test("a transform that nothing holds is gone, and its source knows")
    func transformUnheld() {
        let source = MutableNode(1)
        weak var gone: Probe<Int>?
        do {
            let probe = Probe<Int>("p")
            gone = probe
            probe.from = source
            #expect(source.downstreamTransforms == [probe])
        }
        #expect(gone == nil)
        #expect(source.downstreamTransforms == [])
        source.value = 2
    }

    @Test("a target that goes lets go of its transform, and so of the source")
    func targetGoes() {
        weak var source: Node<Int>?
        weak var transform: Probe<Int>?
        do {
            let target = Node<Int>()
            do {
                let node = MutableNode(1)
                let probe = Probe("p", from: node, to: target)
                source = node
                transform = probe
            }
            #expect(source != nil)
            #expect(transform != nil)
            withExtendedLifetime(target) {}
        }
        #expect(transform == nil)
        #expect(source == nil)
    }

    @Test("cancelling a link releases the upstream node")
    func cancelledLink() {
        weak var source: MutableNode<Int>?
        let node = Node<Int>()
        do {
            let upstream = MutableNode(1)
            source = upstream
            node.link(to: upstream).cancel()
        }
        #expect(source == nil)
        #expect(node.value == 1)
    }

    @Test("a ring holds itself until it is cut")
    func ring() {
        weak var first: MutableNode<Int>?
        weak var second: MutableNode<Int>?
        do {
            let a = MutableNode(1)
            let b = MutableNode(2)
            a.link(to: b)
            b.link(to: a)
            (first, second) = (a, b)
        }
        #expect(first != nil)
        #expect(second != nil)
        first?.removeUpstreamNodes()
        #expect(first == nil)
        #expect(second == nil)
    }

    @Test("a node let go by its own operator's closure, or in a value, leaves nothing over")
    func nodesAsValues() throws {
        try withLifetimeTracking { tracker in
            let outer = MutableNode<Node<Tracked>>()
            do {
                let inner = Node(tracker.track("inner"))
                outer.value = inner
                let mapped = outer.map { $0.map { $0 } }
                #expect(mapped.value?.value?.label == "inner")
            }
            outer.clean()
            #expect(tracker.live == [])
        }
    }
}
