import ReactCore
import ReactScheduling
import TestSupport
import Testing

@Suite("The end of a loop over values")
struct ValuesEndTests {
    let node = MutableNode(1)

    @Test("a cancelled loop ends, lets go of the node at once, and leaves others alone")
    func cancelled() {
        let loop = Loop(node.values), other = Loop(node.values)
        loop.cancel()
        #expect(node.listenEdges.count == 1)
        #expect(loop.run() == [1])
        #expect(loop.isOver)
        node.value = 2
        #expect(other.run() == [1, 2])
        other.cancel()
        #expect(!node.hasListener)
        other.run()
    }

    @Test("a loop that is cancelled while it is elsewhere gets nothing more")
    func cancelledElsewhere() {
        let loops = Box<Loop<Int>>()
        let loop = Loop(node.values(buffering: .all)) { [node] value in
            if value == 2 {
                node.value = 3
                loops.value?.cancel()
            }
        }
        loops.value = loop
        node.value = 2
        #expect(loop.run() == [1, 2])
        #expect(loop.isOver)
        #expect(!node.hasListener)
        loops.value = nil
    }

    @Test("a loop in a task that is cancelled already gets nothing, not even the present value")
    func cancelledBefore() async {
        let node = node
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            for await value in node.values { return value }
            return 0
        }
        #expect(await task.value == 0)
        #expect(!node.hasListener)
    }

    @Test("a loop that is left lets go of the node, though it was never suspended")
    func left() {
        let loop = Loop(node.values, takes: 1)
        #expect(loop.run() == [1])
        #expect(loop.isOver)
        #expect(!node.hasListener)
    }

    @Test("an iterator that goes lets go of the node, and of all that waits")
    func droppedIterator() throws {
        try withLifetimeTracking { tracker in
            let node = MutableNode<Tracked>()
            var iterator: NodeValues<Tracked>.Iterator? = node.values(buffering: .all).makeAsyncIterator()
            #expect(iterator != nil)
            node.value = tracker.track("first")
            node.value = tracker.track("second")
            node.clean()
            #expect(tracker.live == ["first", "second"])
            iterator = nil
            #expect(tracker.live == [])
            #expect(!node.hasListener)
        }
    }

    @Test("a suspended loop keeps its node, and all nodes upstream of it, alive")
    func holds() {
        weak var gone: Node<Int>?
        let source = MutableNode(1)
        let loop: Loop<Int>
        do {
            let linked = Node<Int>()
            linked.link(to: source)
            gone = linked
            loop = Loop(linked.values)
        }
        source.value = 2
        #expect(loop.run() == [1, 2])
        #expect(gone != nil)
        loop.cancel()
        loop.run()
        #expect(gone == nil)
        #expect(!source.hasDownstreamNode)
    }

    @Test("the sequence holds its node, and no listening")
    func sequenceAlone() {
        let values = node.values
        #expect(!node.hasListener)
        withExtendedLifetime(values) {}
    }

    @Test("a lifetime that is released ends suspended loops at once, and drops waiting values")
    func lifetimeGoes() async {
        var lifetime: Lifetime? = Lifetime()
        let values = node.values(buffering: .all).ending(with: lifetime!)
        let loop = Loop(values)
        var late = values.makeAsyncIterator()
        lifetime = nil
        #expect(!node.hasListener)
        #expect(loop.isResumed)
        #expect(loop.run() == [1])
        #expect(loop.isOver)
        let next = await late.next()
        #expect(next == nil)
        var later = values.makeAsyncIterator()
        let nothing = await later.next()
        #expect(nothing == nil)
        #expect(!node.hasListener)
    }

    @Test("of several lifetimes the first that goes ends the loop", arguments: [0, 1])
    func severalLifetimes(first: Int) {
        var lifetimes: [Lifetime?] = [Lifetime(), Lifetime()]
        let loop = Loop(node.values.ending(with: lifetimes[0]!).ending(with: lifetimes[1]!))
        #expect(!loop.isOver)
        lifetimes[first] = nil
        loop.run()
        #expect(loop.isOver)
    }

    @Test("a loop whose function holds the lifetime ends when the lifetime is cancelled")
    func heldLifetime() {
        let lifetime = Lifetime()
        let loop = Loop(node.values.ending(with: lifetime)) { _ in withExtendedLifetime(lifetime) {} }
        #expect(loop.run() == [1])
        #expect(!loop.isOver)
        lifetime.cancel()
        loop.run()
        #expect(loop.isOver)
        #expect(!node.hasListener)
    }

    @Test("a loop that begins after its lifetime was cancelled ends with the next cancel")
    func beginsAfterCancel() {
        let lifetime = Lifetime()
        lifetime.cancel()
        let loop = Loop(node.values.ending(with: lifetime)) { _ in }
        #expect(loop.run() == [1])
        #expect(!loop.isOver)
        lifetime.cancel()
        loop.run()
        #expect(loop.isOver)
    }

    @Test("values that wait are dropped when a loop ends with its lifetime", arguments: [false, true])
    func droppedAtTheEnd(isCancelled: Bool) async {
        var lifetime: Lifetime? = Lifetime()
        var values = node.values(buffering: .all).ending(with: lifetime!).makeAsyncIterator()
        node.value = 2
        if isCancelled { lifetime?.cancel() }
        lifetime = nil
        #expect(await values.next() == nil)
        #expect(values.droppedCount == 0)
    }
}
