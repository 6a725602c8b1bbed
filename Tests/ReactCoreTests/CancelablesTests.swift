import ReactCore
import TestSupport
import Testing

@Suite("Cancelables") struct CancelablesTests {
    @Test("a block runs on the first cancel, and on no other")
    func block() {
        let runs = Locked(0)
        let cancelable = BlockCancelable { runs.increment() }
        #expect(runs.value == 0)
        cancelable.cancel()
        cancelable.cancel()
        #expect(runs.value == 1)
    }

    @Test("a block that is dropped without cancel does not run")
    func droppedBlock() {
        let runs = Locked(0)
        do { _ = BlockCancelable { runs.increment() } }
        #expect(runs.value == 0)
    }

    @Test("a block may cancel the cancelable that it runs for")
    func blockCancelsItself() {
        let runs = Locked(0)
        let own = Locked<BlockCancelable?>(nil)
        let cancelable = BlockCancelable {
            runs.increment()
            own.value?.cancel()
        }
        own.value = cancelable
        cancelable.cancel()
        #expect(runs.value == 1)
        own.value = nil
    }

    @Test("a block cancelled by many threads runs once")
    func blockFromThreads() {
        for _ in 0..<Scale.scaled(200) {
            let runs = Locked(0)
            let cancelable = BlockCancelable { runs.increment() }
            concurrently(3) { _ in cancelable.cancel() }
            #expect(runs.value == 1)
        }
    }

    @Test("a bag ends all that it holds on cancel, once")
    func bag() {
        let ended = Recorder<Int>()
        let bag = CancelableBag()
        for index in 0..<3 { bag.add(BlockCancelable { ended.record(index) }) }
        #expect(ended.events == [])
        bag.cancel()
        #expect(ended.events.sorted() == [0, 1, 2])
        bag.cancel()
        #expect(ended.count == 3)
    }

    @Test("a bag ends all that it holds when it is deallocated")
    func bagGoes() {
        let ended = Recorder<Int>()
        do {
            let bag = CancelableBag()
            bag.add(BlockCancelable { ended.record(1) })
            bag.add(BlockCancelable { ended.record(2) })
            #expect(ended.events == [])
        }
        #expect(ended.events.sorted() == [1, 2])
    }

    @Test("a bag does not end a cancelable that was removed from it; removing one that is not in it does nothing")
    func removed() {
        let ended = Recorder<Int>()
        let first = BlockCancelable { ended.record(1) }
        let second = BlockCancelable { ended.record(2) }
        do {
            let bag = CancelableBag()
            bag.add(first)
            bag.add(second)
            bag.remove(first)
            bag.remove(first)
            bag.remove(BlockCancelable { ended.record(3) })
        }
        #expect(ended.events == [2])
        first.cancel()
        #expect(ended.events == [2, 1])
    }

    @Test("a bag holds the cancelables that it was given, and releases them on cancel and on remove")
    func holds() {
        weak var cancelled: BlockCancelable?
        weak var removed: BlockCancelable?
        let bag = CancelableBag()
        do {
            let first = BlockCancelable {}
            let second = BlockCancelable {}
            (cancelled, removed) = (first, second)
            bag.add(first)
            bag.add(second)
        }
        #expect(cancelled != nil)
        if let second = removed { bag.remove(second) }
        #expect(removed == nil)
        bag.cancel()
        #expect(cancelled == nil)
    }

    @Test("a bag can hold listenings, links and other bags")
    func mixed() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let below = Node<Int>()
        let heard = Recorder<Int>()
        let bag = CancelableBag()
        let inner = CancelableBag()
        inner.add(node.listened(by: listener).with { heard.record($0) })
        bag.add(below.link(to: node))
        bag.add(inner)
        node.value = 2
        bag.cancel()
        node.value = 3
        #expect(heard.events == [1, 2])
        #expect(below.value == 2)
    }

    @Test("a bag may be added to and cancelled from many threads: everything in it is ended once")
    func bagFromThreads() {
        let ended = Locked(0)
        let count = Scale.scaled(1000)
        let bag = CancelableBag()
        concurrently(4) { thread in
            for turn in 0..<count {
                let cancelable = BlockCancelable { ended.increment() }
                bag.add(cancelable)
                if thread == 0, turn.isMultiple(of: 10) { bag.cancel() }
            }
        }
        bag.cancel()
        #expect(ended.value == 4 * count)
    }

    @Test(
        "an edge's cancelable does nothing in the edge's deinit, nor later, and keeps nothing of it",
        arguments: [false, true])
    func edgeThatGoes(isKnownWeakly: Bool) throws {
        final class CancelsItself: ListenEdge<Int>, @unchecked Sendable {
            let own: Locked<(any Cancelable)?>
            let payload: Tracked
            init(_ own: Locked<(any Cancelable)?>, _ payload: Tracked) { (self.own, self.payload) = (own, payload) }
            deinit { own.value?.cancel() }
        }
        try withLifetimeTracking { tracker in
            let node = MutableNode(1), own = Locked<(any Cancelable)?>(nil)
            weak var known: CancelsItself?
            var screen: Lifetime? = Lifetime()
            do {
                let edge = CancelsItself(own, tracker.track("held by the edge"))
                if isKnownWeakly { known = edge }
                own.value = screen.map { node.listened(by: $0).with(edge: edge) }
            }
            #expect(tracker.live == ["held by the edge"])
            screen = nil
            #expect(tracker.live == [] && known == nil && node.listenEdges.isEmpty)
            own.value?.cancel()
            own.value = nil
        }
    }

    @Test("a cancelable cuts its edge even if the edge lacks a source or a target")
    func edgeWithOneEnd() {
        let node = MutableNode(1), target = Node<Int>(), lifetime = Lifetime()
        let transform = LinkTransform<Int>()
        let link = target.link(to: node, transform: transform)
        transform.to = nil
        link.cancel()
        #expect(transform.from == nil && node.downstreamTransforms.isEmpty)
        let edge = ListenEdge<Int>()
        let listening = node.listened(by: lifetime).with(edge: edge)
        edge.from = nil
        listening.cancel()
        #expect(edge.to == nil)
    }

    @Test(
        "a cancelable that has cut an edge leaves it alone when it is used again, in every way to give it ends",
        arguments: [1, 2, 3, 6, 9, 12, 40])
    func edgeUsedAgain(uses: Int) {
        let node = MutableNode(0), target = Node<Int>(), lifetime = Lifetime()
        let transform = LinkTransform<Int>(), edge = ListenEdge<Int>()
        var old: [any Cancelable] = []
        for use in 1...uses {
            old.append(target.link(to: node, transform: transform))
            old.append(node.listened(by: lifetime).with(edge: edge))
            // Cut by what it was used by, or by others.
            if use.isMultiple(of: 2) {
                transform.cancel()
                edge.cancel()
            } else {
                old.suffix(2).forEach { $0.cancel() }
            }
        }
        if uses.isMultiple(of: 3) {
            (transform.to, transform.from) = (target, node)
            (edge.to, edge.from) = (lifetime, node)
            if uses.isMultiple(of: 2) { old.removeLast(2) }  // these have not been asked yet, and cut what they find
        } else {
            _ = target.link(to: node, transform: transform)
            _ = node.listened(by: lifetime).with(edge: edge)
        }
        for cancelable in old { cancelable.cancel() }
        #expect(transform.from === node && transform.to === target && edge.from === node && edge.to === lifetime)
        node.value = uses
        #expect(target.value == uses)
    }

    @Test("a cancelable leaves its edge alone if the edge was used again while it was being linked")
    func edgeUsedAgainWhileLinked() {
        let node = MutableNode(0), other = MutableNode(1), target = Node<Int>(), lifetime = Lifetime()
        let transform = LinkTransform<Int>(), second = Node<Int>()
        target.listened(by: lifetime).with { [unowned second, unowned other] _ in
            guard transform.from !== other else { return }
            transform.cancel()
            second.link(to: other, transform: transform)
        }
        target.link(to: node, transform: transform).cancel()
        #expect(transform.from === other && transform.to === second)
        other.value = 2
        #expect(second.value == 2)
    }

    @Test("a cancelable cuts its edge even if the edge leads elsewhere by now")
    func edgeLedElsewhere() {
        let node = MutableNode(0), other = MutableNode(1), target = Node<Int>(), lifetime = Lifetime()
        let transform = LinkTransform<Int>(), edge = ListenEdge<Int>()
        let link = target.link(to: node, transform: transform)
        let listening = node.listened(by: lifetime).with(edge: edge)
        transform.from = other
        (edge.from, edge.to) = (other, Lifetime())
        link.cancel()
        listening.cancel()
        #expect(transform.from == nil && edge.from == nil)
    }
}
