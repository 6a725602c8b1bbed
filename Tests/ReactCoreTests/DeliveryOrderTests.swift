import Foundation
import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Delivery order") struct DeliveryOrderTests {
    @Test("a set stores the value first, and calls listeners in the order in which they were attached")
    func listenersInOrder() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let log = Recorder<String>()
        for name in ["first", "second", "third"] {
            node.listened(by: listener).with { log.record("\(name) hears \($0), node holds \(node.value ?? 0)") }
        }
        node.value = 1
        #expect(
            log.events == [
                "first hears 1, node holds 1", "second hears 1, node holds 1", "third hears 1, node holds 1",
            ]
        )
    }

    @Test("the order of attaching holds across listeners and after one in the middle was cut")
    func orderAfterCut() {
        let first = Lifetime()
        let second = PlainListener()
        let node = MutableNode<Int>()
        let log = Recorder<String>()
        node.log("a", to: log, by: first)
        let middle = node.log("b", to: log, by: second)
        node.log("c", to: log, by: first)
        middle.cancel()
        node.log("d", to: log, by: second)
        node.value = 1
        #expect(log.events == ["a1", "c1", "d1"])
    }

    @Test("listeners come before transforms, even those attached after")
    func listenersBeforeTransforms() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let log = Recorder<String>()
        let mapped = node.map { value in
            log.record("map \(value)")
            return value
        }
        node.log("listener ", to: log, by: listener)
        node.value = 1
        #expect(log.events == ["listener 1", "map 1"])
        #expect(mapped.value == 1)
    }

    @Test("transforms are served in the order in which they were linked, each one's whole downstream before the next")
    func depthFirst() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let root = MutableNode<Int>()
        let left = root.map { $0 }
        let right = root.map { $0 }
        let leftOne = left.map { $0 }
        let leftTwo = left.map { $0 }
        let deep = leftOne.map { $0 }
        let nodes = [
            ("right", right), ("deep", deep), ("leftTwo", leftTwo), ("leftOne", leftOne), ("left", left),
            ("root", root),
        ]
        for (name, node) in nodes { node.log(name + " ", to: log, by: listener) }
        root.value = 1
        #expect(log.events == ["root 1", "left 1", "leftOne 1", "deep 1", "leftTwo 1", "right 1"])
    }

    @Test("a custom transform keeps its place among operators")
    func customInOrder() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let root = MutableNode<Int>()
        let a = root.map { $0 }
        let b = Node<Int>()
        let probe = Probe("p", from: root, to: b)
        _ = probe.log.take()
        let c = root.map { $0 }
        a.log("a", to: log, by: listener)
        b.log("b", to: log, by: listener)
        c.log("c", to: log, by: listener)
        root.value = 1
        #expect(log.events == ["a1", "b1", "c1"])
        #expect(probe.log.events == ["p.next(1)"])
    }

    @Test("two ways into one node deliver twice, each with everything below it")
    func twoWays() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let root = MutableNode<Int>()
        let join = Node<Int>()
        let a = root.map { $0 + 1 }
        let b = root.map { $0 + 2 }
        join.link(to: b)
        join.link(to: a)
        let below = join.map { $0 }
        join.log("join ", to: log, by: listener)
        below.log("below ", to: log, by: listener)
        root.value = 0
        #expect(log.events == ["join 1", "below 1", "join 2", "below 2"])
    }

    @Test("everything happens on the setting thread, before the set returns")
    func onTheSettingThread() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let threads = Recorder<ObjectIdentifier>()
        let other = MutableNode<Int>()
        let end = combine(node.map { $0 }, other).mapEach { $0 + $1 }
        other.value = 0
        end.listened(by: listener).with { _ in threads.record(ObjectIdentifier(Thread.current)) }
        node.listened(by: listener).with { _ in threads.record(ObjectIdentifier(Thread.current)) }
        let worker = Worker {
            node.value = 1
            let expected = [ObjectIdentifier](repeating: ObjectIdentifier(Thread.current), count: 2)
            if threads.events != expected { Issue.record("delivered elsewhere, or later") }
        }
        worker.join()
        #expect(threads.count == 2)
    }

    @Test("a value that equals the last one is delivered like any other")
    func equalValues() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let end = node.map { $0 }
        let heard = end.heard(by: listener)
        node.value = 1
        node.value = 1
        #expect(heard.events == [1, 1, 1])
    }

    @Test("a filter that drops a value stops its branch only")
    func filterStopsBranch() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let even = node.filter { $0.isMultiple(of: 2) }
        let all = node.fork()
        let heardEven = even.heard(by: listener)
        let heardAll = all.heard(by: listener)
        for value in 1...4 { node.value = value }
        #expect(heardEven.events == [2, 4])
        #expect(heardAll.events == [1, 2, 3, 4])
    }

    @Test("a re-linked edge moves to the end of the order")
    func relinkedLast() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let root = MutableNode<Int>()
        let a = Node<Int>()
        let b = Node<Int>()
        let linkA = a.link(to: root)
        b.link(to: root)
        a.log("a", to: log, by: listener)
        b.log("b", to: log, by: listener)
        linkA.cancel()
        a.link(to: root)
        root.value = 1
        #expect(log.events == ["b1", "a1"])
    }
}
