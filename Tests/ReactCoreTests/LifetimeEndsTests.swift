import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Ending lifetimes early")
struct LifetimeEndsTests {
    @Test("a lifetime that is cancelled ends its listenings, and can be used again")
    func cancelAndUseAgain() {
        let a = MutableNode(1), b = MutableNode(10), lifetime = Lifetime()
        let heardA = a.heard(by: lifetime), heardB = b.heard(by: lifetime)
        lifetime.cancel()
        #expect(!a.hasListener && !b.hasListener)
        a.value = 2
        b.value = 20
        #expect(heardA.events == [1])
        #expect(heardB.events == [10])
        let again = a.heard(by: lifetime)
        a.value = 3
        #expect(again.events == [2, 3])
        lifetime.cancel()
        lifetime.cancel()
        #expect(!a.hasListener)
    }

    @Test("a lifetime cancelled by a listener of its own ends the others that have not heard the value yet")
    func cancelInMidDelivery() {
        let node = MutableNode(1), lifetime = Lifetime()
        let log = Recorder<String>()
        node.listened(by: lifetime).with { [weak lifetime] in
            log.record("first \($0)")
            if $0 == 2 { lifetime?.cancel() }
        }
        node.listened(by: lifetime).with { log.record("second \($0)") }
        node.value = 2
        node.value = 3
        #expect(log.events == ["first 1", "second 1", "first 2"])
    }

    @Test("an edge that a cancelled lifetime had can be attached to it again")
    func edgeAgain() {
        let node = MutableNode(1), lifetime = Lifetime()
        final class Hearing: ListenEdge<Int>, @unchecked Sendable {
            let heard = Recorder<Int>()
            override func next(_ value: Int, from senders: SenderList, context: NodeContext?) { heard.record(value) }
        }
        let edge = Hearing()
        node.listened(by: lifetime).with(edge: edge)
        lifetime.cancel()
        #expect(edge.from == nil && edge.to == nil)
        node.listened(by: lifetime).with(edge: edge)
        node.value = 2
        #expect(edge.heard.events == [1, 1, 2])
    }

    @Test("an edge that is given another listener while its lifetime is being cancelled stays with the new one")
    func edgeElsewhereMeanwhile() {
        final class Hearing: ListenEdge<Int>, @unchecked Sendable {
            let heard = Recorder<Int>()
            override func next(_ value: Int, from senders: SenderList, context: NodeContext?) { heard.record(value) }
        }
        let node = MutableNode(1), edge = Hearing()
        let old = Lifetime(), new = Lifetime()
        node.listened(by: old).with(edge: edge)
        // The node is the listening's alone, and its value says when that has ended. It ends first, as it is the newest.
        Node(Farewell { edge.to = new }).listened(by: old).with { _ in }
        old.cancel()
        node.value = 2
        #expect(edge.heard.events == [1, 1, 2])
        #expect(edge.isHeard(by: new))
        new.cancel()
        #expect(!node.hasListener)
    }

    @Test("a lifetime ends all that it holds when it is released or cancelled, and only once")
    func hold() {
        let ended = Recorder<String>()
        var lifetime: Lifetime? = Lifetime()
        lifetime?.hold(BlockCancelable { ended.record("a") })
        BlockCancelable { ended.record("b") }.cancelled(by: lifetime!)
        #expect(ended.events == [])
        lifetime?.cancel()
        #expect(ended.events == ["b", "a"])
        lifetime?.hold(BlockCancelable { ended.record("c") })
        lifetime?.cancel()
        lifetime?.hold(BlockCancelable { ended.record("d") })
        #expect(ended.events == ["b", "a", "c"])
        lifetime = nil
        #expect(ended.events == ["b", "a", "c", "d"])
    }

    @Test(
        "a lifetime ends the newest first, listenings and other things alike",
        arguments: [0, 1, 2, 7, 40], [true, false])
    func newestFirst(gone: Int, isCancelled: Bool) {
        let ended = Recorder<Int>()
        var lifetime: Lifetime? = Lifetime()
        var expected: [Int] = []
        var leaving: [any Cancelable] = []
        func listen(_ number: Int) -> any Cancelable {
            // The node is the listening's alone, and its value says when that has ended.
            Node(Farewell { ended.record(number) }).listened(by: lifetime!).with { _ in }
        }
        for number in 0..<12 {
            // Listenings that have gone in between leave the order of the others as it is.
            for _ in 0..<gone { leaving.append(MutableNode(0).listened(by: lifetime!).with { _ in }) }
            if [0, 3, 4, 5, 9].contains(number) {
                _ = listen(number)
            } else {
                lifetime!.hold(BlockCancelable { ended.record(number) })
            }
            expected.insert(number, at: 0)
            if number.isMultiple(of: 2) { while let next = leaving.popLast() { next.cancel() } }
        }
        if isCancelled { lifetime!.cancel() } else { lifetime = nil }
        #expect(ended.events == expected)
    }

    @Test("a connection that is cancelled leaves the lifetime that holds it, and the lifetime ends the others")
    func cancelledLeaves() {
        let ended = Recorder<String>()
        let model = MutableNode(1), screen = Lifetime()
        weak var link: (any Cancelable)?
        weak var block: (any Cancelable)?
        weak var sync: (any Cancelable)?
        do {
            let below = Node<Int>(), field = MutableNode<Int>()
            let cancelables: [any Cancelable] = [
                below.link(to: model), BlockCancelable { ended.record("block") }, field.sync(with: model),
            ]
            (link, block, sync) = (cancelables[0], cancelables[1], cancelables[2])
            for cancelable in cancelables { screen.hold(cancelable) }
            screen.hold(BlockCancelable { ended.record("other") })
            for cancelable in cancelables { cancelable.cancel() }
        }
        let areGone = [link == nil, block == nil, sync == nil]
        #expect(areGone == [true, true, true])
        #expect(ended.events == ["block"])
        screen.cancel()
        #expect(ended.events == ["block", "other"])
    }

    @Test("a connection that was cancelled before a lifetime takes it is not kept; one of two lifetimes ends it")
    func cancelledBefore() {
        let runs = Recorder<Int>()
        let screen = Lifetime(), other = Lifetime()
        weak var early: (any Cancelable)?
        do {
            let block = BlockCancelable { runs.record(1) }
            early = block
            block.cancel()
            screen.hold(block)
        }
        #expect(early == nil)
        let shared = BlockCancelable { runs.record(2) }
        screen.hold(shared)
        other.hold(shared)
        other.cancel()
        screen.cancel()
        #expect(runs.events == [1, 2])
    }

    @Test("connections that are held and cancelled on many threads end once, while the lifetime is cancelled")
    func heldAndCancelledAnywhere() {
        let ended = Locked(0), lifetime = Lifetime()
        let count = Scale.scaled(1000)
        concurrently(4) { thread in
            for turn in 0..<count {
                let block = BlockCancelable { ended.increment() }
                lifetime.hold(block)
                if thread < 3 { block.cancel() } else if turn.isMultiple(of: 10) { lifetime.cancel() }
            }
        }
        lifetime.cancel()
        #expect(ended.value == 4 * count)
    }

    @Test("nodes kept in step let go of each other when the lifetime goes that the sync was cancelled by")
    func syncCancelledBy() {
        weak var gone: MutableNode<Int>?
        let lifetime = Lifetime()
        func build() {
            let a = MutableNode(1), b = MutableNode(2)
            a.sync(with: b).cancelled(by: lifetime)
            gone = a
        }
        build()
        #expect(gone != nil)
        lifetime.cancel()
        #expect(gone == nil)
    }

    @Test("a lifetime ends its cancelables with no lock held: they may use the lifetime")
    func reentrantEnd() {
        let lifetime = Lifetime(), node = MutableNode(1)
        let heard = Recorder<Int>()
        lifetime.hold(
            BlockCancelable { [weak lifetime] in
                if let lifetime { node.listened(by: lifetime).with { heard.record($0) } }
            })
        lifetime.cancel()
        node.value = 2
        #expect(heard.events == [1, 2])
    }

    @Test("a lifetime cancelled on one thread while others attach and set keeps the edges attached afterwards")
    func threads() {
        let node = MutableNode(0), lifetime = Lifetime()
        concurrently(3) { thread in
            for value in 0..<300 {
                switch thread {
                case 0: lifetime.cancel()
                case 1: node.listened(by: lifetime).with { _ in }
                default: node.value = value
                }
            }
        }
        lifetime.cancel()
        #expect(!node.hasListener)
        let heard = node.heard(by: lifetime)
        node.value = -1
        #expect(heard.events.last == -1)
    }

    @Test(
        "a node that a deinit drops is gone when the deinit's next line runs, wherever the object was",
        arguments: [true, false])
    func inADeinit(isInNode: Bool) {
        final class Model: Sendable {
            let price: MutableNode<Int>
            let total: Locked<Node<Int>?>
            let hadEdges: Locked<Bool>
            init(_ price: MutableNode<Int>, _ hadEdges: Locked<Bool>) {
                (self.price, self.hadEdges) = (price, hadEdges)
                total = Locked((0..<100).reduce(price as Node<Int>) { node, _ in node.map { $0 + 1 } })
            }
            deinit {
                total.value = nil
                hadEdges.value = price.hasDownstreamNode
            }
        }
        let price = MutableNode(1), hadEdges = Locked(true)
        var model: Model? = Model(price, hadEdges)
        var node: MutableNode<Model>? = isInNode ? MutableNode(model!) : nil
        var lifetime: Lifetime? = Lifetime()
        if !isInNode { price.listened(by: lifetime!).with { [model] _ in withExtendedLifetime(model) {} } }
        model = nil
        #expect(price.hasDownstreamNode)
        withExtendedLifetime((node, lifetime)) {}
        (node, lifetime) = (nil, nil)
        #expect(!hadEdges.value)
    }

    @Test("a lifetime has a name, which its description tells")
    func name() {
        #expect("\(Lifetime(named: "login"))" == "Lifetime(named: login)")
        #expect(Lifetime(named: "login").name == "login")
        #expect(Lifetime().name == nil)
    }
}
