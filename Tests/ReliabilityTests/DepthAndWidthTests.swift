import ReactCore
import ReactOperators
import TestSupport
import Testing

/// Every test here runs on a stack of 512 KB: what recursed would be gone after a few thousand stages.
@Suite("Depth and width", .serialized) struct DepthAndWidthTests {
    @Test("a chain of a million maps is built, set and let go")
    func maps() throws {
        let count = Scale.scaled(1_000_000)
        try withLifetimeTracking { tracker in
            let payload = tracker.track("captured at the top")
            let value = try runOnSmallStack {
                let source = MutableNode(0)
                var end: Node<Int> = source.map { value in withExtendedLifetime(payload) { value + 1 } }
                for _ in 1..<count { end = end.map { $0 + 1 } }
                source.value = 1
                return end.value
            }
            #expect(value == count + 1)
        }
    }

    @Test("a node with 100,000 listeners and 10,000 links delivers to each once")
    func width() throws {
        let listeners = Scale.scaled(100_000)
        let links = Scale.scaled(10_000)
        let calls = try runOnSmallStack {
            let source = MutableNode<Int>()
            let listener = Lifetime()
            let calls = Locked(0)
            for _ in 0..<listeners { source.listened(by: listener).with { _ in calls.increment() } }
            let target = Node<Int>()
            for _ in 0..<links { target.link(to: source) }
            target.listened(by: listener).with { _ in calls.increment() }
            source.value = 1
            return calls.value
        }
        #expect(calls == listeners + links)
    }

    @Test("a ring of 100,000 nodes passes a value round once, and falls apart when cut, on a small stack")
    func ring() throws {
        let count = Scale.scaled(100_000)
        try withLifetimeTracking { tracker in
            let heard = try runOnSmallStack {
                let listener = Lifetime()
                let heard = Locked(0)
                let nodes = (0..<count).map { _ in MutableNode<Tracked>() }
                for (index, node) in nodes.enumerated() {
                    node.link(to: nodes[(index + count - 1) % count])
                    node.listened(by: listener).with { _ in heard.increment() }
                }
                nodes[count / 2].value = tracker.track("goes round")
                nodes[0].removeUpstreamNodes()
                return heard.value
            }
            #expect(heard == count)
        }
    }

    @Test(
        "2,000 layers in which each value parts and meets again are computed once a layer, however many ways there are")
    func lattice() throws {
        let layers = Scale.scaled(2000)
        let calls = try runOnSmallStack { cellx(layers) }
        #expect(calls == 4 * layers)
    }

    @Test(
        "work grows linearly: twice the depth, or the width, is twice the deliveries",
        arguments: Scale.gate.isSmall ? [400, 800] : [1000, 2000, 4000, 8000])
    func linear(size: Int) throws {
        let calls = try runOnSmallStack { (chain(size), fan(size), diamonds(size), cellx(size / 4)) }
        #expect(calls.0 == size)
        #expect(calls.1 == size)
        #expect(calls.2 == 3 * size)
        #expect(calls.3 == size)
    }
}

// Each returns how many deliveries one set, or batch, has made.

private func chain(_ length: Int) -> Int {
    let calls = Locked(0)
    let source = MutableNode(0)
    let end = (0..<length).reduce(source as Node<Int>) { end, _ in end.map { calls.count($0) } }
    return calls.since {
        source.value = 1; withExtendedLifetime(end) {}
    }
}

private func fan(_ width: Int) -> Int {
    let calls = Locked(0)
    let source = MutableNode(0)
    let ends = (0..<width).map { _ in source.map { calls.count($0) } }
    return calls.since {
        source.value = 1; withExtendedLifetime(ends) {}
    }
}

private func diamonds(_ count: Int) -> Int {
    let calls = Locked(0)
    let source = MutableNode(0)
    let end = (0..<count).reduce(source as Node<Int>) { end, _ in
        combine(end.map { calls.count($0) }, end.map { calls.count($0) }).mapEach { calls.count($0 &+ $1) }
    }
    return calls.since {
        source.value = 1; withExtendedLifetime(end) {}
    }
}

private func cellx(_ layers: Int) -> Int {
    let calls = Locked(0)
    let start = [1, 2, 3, 4].map { MutableNode($0) }
    let end = (0..<layers).reduce(start as [Node<Int>]) { layer, _ in
        [
            layer[1].map { calls.count($0) },
            combine(layer[0], layer[2]).mapEach { calls.count($0 &- $1) },
            combine(layer[1], layer[3]).mapEach { calls.count($0 &+ $1) },
            layer[2].map { calls.count($0) },
        ]
    }
    return calls.since {
        batch {
            for (node, value) in zip(start, [4, 3, 2, 1]) { node.value = value }
        }
        withExtendedLifetime(end) {}
    }
}

extension Locked<Int> {
    /// Counts one, and returns `value`.
    fileprivate func count(_ value: Int) -> Int {
        increment()
        return value
    }
    /// By how much `body` raises the count.
    fileprivate func since(_ body: () -> Void) -> Int {
        let before = value
        body()
        return value - before
    }
}
