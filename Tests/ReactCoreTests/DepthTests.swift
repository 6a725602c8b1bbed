import ReactCore
import ReactOperators
import TestSupport
import Testing

/// Every test here runs on a stack of 512 KB: what recursed would be gone after a few thousand stages.
@Suite("Depth", .serialized) struct DepthTests {
    @Test("a chain of links, built from its end, takes a value over and falls apart")
    func links() throws {
        let count = Scale.scaled(100_000)
        try withLifetimeTracking { tracker in
            try runOnSmallStack {
                let end = Node<Tracked>()
                var top = end
                for _ in 0..<count {
                    let above = Node<Tracked>()
                    top.link(to: above)
                    top = above
                }
                top.link(to: Node(tracker.track("value")))
                if end.value?.label != "value" { Issue.record("did not arrive") }
            }
        }
    }

    @Test("a chain of custom transforms passes values and emptiness on, and falls apart")
    func customTransforms() throws {
        final class Pass: Transform<Int, Int>, @unchecked Sendable {
            override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
                send(value + 1, from: senders, context: context)
            }
            override func empty(from senders: SenderList, context: NodeContext?) {
                sendEmpty(from: senders, context: context)
            }
        }
        let count = Scale.scaled(100_000)
        try runOnSmallStack {
            let source = MutableNode(0)
            var end: Node<Int> = source
            for _ in 0..<count {
                let next = Node<Int>()
                next.link(to: end, transform: Pass())
                end = next
            }
            source.value = 1
            if end.value != count + 1 { Issue.record("did not arrive: \(end)") }
            source.clean()
            if !end.isEmpty { Issue.record("emptiness did not arrive") }
        }
    }

    @Test("a chain falls apart when its listener goes")
    func listenerGoes() throws {
        let count = Scale.scaled(100_000)
        try withLifetimeTracking { tracker in
            try runOnSmallStack {
                let listener = Locked<Lifetime?>(Lifetime())
                let payload = tracker.track("captured at the top")
                if let lifetime = listener.value {
                    var end: Node<Int> = MutableNode(0).map { value in withExtendedLifetime(payload) { value } }
                    for _ in 0..<count { end = end.map { $0 } }
                    end.listened(by: lifetime).with { _ in }
                }
                if tracker.live.isEmpty { Issue.record("gone before its listener") }
                listener.value = nil
            }
        }
    }

    @Test("a chain cut in the middle falls apart above the cut, and works below it")
    func cutInTheMiddle() throws {
        let count = Scale.scaled(100_000)
        try withLifetimeTracking { tracker in
            try runOnSmallStack {
                func top() -> Node<Int> {
                    let payload = tracker.track("captured at the top")
                    return MutableNode(0).map { value in withExtendedLifetime(payload) { value } }
                }
                var end = top()
                var middle = end
                for index in 0..<count {
                    end = end.map { $0 }
                    if index == count / 2 { middle = end }
                }
                middle.removeUpstreamNodes()
                if !eventually({ tracker.live.isEmpty }) { Issue.record("held above the cut") }
                middle.mutablify().value = 7
                if end.value != 7 { Issue.record("did not arrive below the cut") }
            }
        }
    }

    @Test("combinations above combinations settle with one firing each, and fall apart")
    func combinations() throws {
        let count = Scale.gate.isSmall ? 2_000 : 50_000
        let fired = try runOnSmallStack {
            let source = MutableNode(0)
            let fired = Locked(0)
            var end: Node<Int> = source
            for _ in 0..<count {
                end = combine(end, source).mapEach { above, _ in
                    fired.increment()
                    return above
                }
            }
            fired.value = 0
            source.value = 1
            if end.value != 1 { Issue.record("did not arrive: \(end)") }
            return fired.value
        }
        #expect(fired == count)
    }

    @Test("an edge linked at the top of deep combinations still lets each fire once, and last")
    func linkedAtTheTop() throws {
        let count = Scale.scaled(20_000)
        let fired = try runOnSmallStack {
            let source = MutableNode(0)
            let loose = Node(0)
            let fired = Locked(0)
            var end: Node<Int> = loose
            for _ in 0..<count {
                end = combine(end, source).mapEach { above, _ in
                    fired.increment()
                    return above
                }
            }
            loose.link(to: combine(source.map { $0 }, source).mapEach { $0 + $1 })
            fired.value = 0
            source.value = 1
            if end.value != 2 { Issue.record("not up to date: \(end)") }
            return fired.value
        }
        #expect(fired == count)
    }

    @Test("an edge that is cut before it has caught up releases the values that wait, one after the other")
    func cutBeforeItHasCaughtUp() throws {
        let count = Scale.gate.scaled(100_000)
        try withLifetimeTracking { tracker in
            try runOnSmallStack {
                let node = MutableNode(tracker.track("first")), lifetime = Lifetime()
                node.listened(by: lifetime).with { value in
                    guard value.label == "first" else { return }
                    for _ in 0..<count { node.value = tracker.track("later") }
                    lifetime.cancel()
                }
                node.clean()
            }
            if !tracker.live.isEmpty { Issue.record("\(tracker.live.count) are alive") }
        }
    }

    @Test("a node with 100,000 operators on it serves each, and forgets them when they go")
    func fanOut() throws {
        let count = Scale.scaled(100_000)
        try runOnSmallStack {
            let source = MutableNode(0)
            do {
                let nodes = (0..<count).map { index in source.map { $0 + index } }
                source.value = 1
                if nodes.enumerated().contains(where: { $1.value != $0 + 1 }) { Issue.record("not all were served") }
            }
            if !eventually({ source.downstreamTransforms.isEmpty }) { Issue.record("remembers what is gone") }
        }
    }
}
