import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Sender lists") struct SenderListsTests {
    @Test("a new list is empty")
    func empty() {
        #expect(SenderList().senders == [])
        #expect(SenderList().description == "")
        #expect(!SenderList().contains(Node(1)))
    }

    @Test("appending puts the newest first, and leaves the list that it was called on as it was")
    func appending() {
        let a = Node(1)
        let b = Node("2")
        let one = SenderList().appending(a)
        let two = one.appending(b)
        #expect(one.senders == [a])
        #expect(two.senders == [b, a])
        #expect(two.contains(a))
        #expect(two.contains(b))
        #expect(!one.contains(b))
        #expect(!two.contains(Node(1)))
    }

    @Test("trails of many combinations that share a long way are searched in steps that grow with the graph")
    func sharedWay() {
        func steps(_ count: Int) -> Int {
            let source = MutableNode(0)
            var end: Node<Int> = source
            for _ in 0..<count { end = end.map { $0 } }
            let sums = (0..<count).map { [end] _ in combine(end, end.map { $0 }) { $0 + $1 } }
            let merged = merge(sums), lifetime = Lifetime()
            // Only where somebody may ask for senders are trails noted at combinations.
            merged.listened(by: lifetime).withSenderListAndContext { _, _, _ in }
            let counter = StepCounter()
            counter.counting { source.value = 1 }
            #expect(merged.value == 2)
            return counter.value
        }
        let (few, many) = (steps(100), steps(400))
        #expect(few > 0 && many < 5 * few, "\(few) steps for 100, \(many) for 400")
    }

    @Test("a sender list's text is the senders' descriptions, newest first, with arrows between")
    func description() {
        let a = Node(1).named("a")
        let b = Node<String>()
        #expect(SenderList().appending(a).description == "Node(named: a, value: 1)")
        #expect(
            SenderList().appending(a).appending(b).description
                == "Node(named: undefined, value: empty) -> Node(named: a, value: 1)"
        )
    }

    @Test("a listener sees the nodes that the value has passed through, newest first")
    func passedThrough() {
        let listener = Lifetime()
        let a = MutableNode<Int>()
        let b = a.map { "\($0)" }
        let c = b.map { $0.count }
        let seen = Recorder<[AnyNode]>()
        c.listened(by: listener).withSenderListAndContext { _, senders, _ in seen.record(senders.senders) }
        a.value = 1
        #expect(seen.events == [[c, b, a]])
    }

    @Test("each way into a node has a list of its own")
    func eachWay() {
        let listener = Lifetime()
        let root = MutableNode<Int>()
        let left = root.map { $0 }
        let right = root.map { $0 }
        let end = Node<Int>()
        end.link(to: left)
        end.link(to: right)
        let seen = Recorder<[AnyNode]>()
        end.listened(by: listener).withSenderListAndContext { _, senders, _ in seen.record(senders.senders) }
        root.value = 1
        #expect(seen.events == [[end, left, root], [end, right, root]])
    }

    @Test("a transform sees the list up to its source")
    func inTransform() {
        final class Witness: Transform<Int, Int>, @unchecked Sendable {
            let seen = Recorder<[AnyNode]>()
            override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
                seen.record(senders.senders)
                send(value, from: senders, context: context)
            }
        }
        let a = MutableNode<Int>()
        let b = a.map { $0 }
        let c = Node<Int>()
        let witness = Witness()
        c.link(to: b, transform: witness)
        a.value = 1
        #expect(witness.seen.events == [[b, a]])
    }

    @Test("a listener on the set node itself sees that node")
    func onTheSetNode() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let seen = Recorder<[AnyNode]>()
        node.listened(by: listener).withSenderListAndContext { _, senders, _ in seen.record(senders.senders) }
        node.value = 1
        #expect(seen.events == [[node]])
    }

    @Test("a combination's list is that of all that arrived in its wave, the newest first")
    func ofCombination() {
        let listener = Lifetime()
        let a = MutableNode(1)
        let b = MutableNode(2)
        let mapped = b.map { $0 }
        let pair = combine(a, mapped)
        let seen = Recorder<[AnyNode]>()
        pair.listened(by: listener).withSenderListAndContext { _, senders, _ in seen.record(senders.senders) }
        _ = seen.take()
        a.value = 3
        b.value = 4
        batch {
            b.value = 5
            a.value = 6
        }
        batch {
            a.value = 7
            b.value = 8
        }
        #expect(seen.take() == [[pair, a], [pair, mapped, b], [pair, a, mapped, b], [pair, mapped, b, a]])
    }

    @Test(
        "a combination whose newest arrival came from a node that is gone, its edge re-pointed, tells of the new node")
    func arrivedFromWhatIsGone() throws {
        let listener = Lifetime()
        let a = MutableNode(1)
        let other = MutableNode(7)
        var mapped: Node<Int>? = a.map { $0 }
        let pair = combine(mapped!, Node(10))
        let edge = try #require(pair.upstreamTransforms(from: mapped!).first as? Transform<Int, (Int, Int)>)
        let heard = Recorder<String>()
        let seen = Recorder<[AnyNode]>()
        pair.listened(by: listener).withSenderListAndContext { value, senders, _ in
            heard.record("\(value)")
            seen.record(senders.senders)
        }
        weak let gone = mapped
        batch {
            a.value = 2
            edge.from = other
            mapped = nil
            #expect(gone == nil)
        }
        #expect(heard.events == ["(1, 10)", "(7, 10)"])
        #expect(seen.last == [pair, other])
        batch {
            other.value = 8
            edge.from = nil
        }
        #expect(heard.count == 2)
    }

    @Test("a kept list keeps its nodes and tells the same later")
    func kept() throws {
        let listener = Lifetime()
        let a = MutableNode<Int>().named("a")
        let kept = Locked<SenderList?>(nil)
        let b = a.map { $0 }.named("b")
        b.listened(by: listener).withSenderListAndContext { value, senders, _ in
            if value == 1 { kept.value = senders }
        }
        a.value = 1
        a.value = 2
        let senders = try #require(kept.value)
        #expect(senders.senders == [b, a])
        #expect(senders.contains(a))
        #expect(senders.description == "Node(named: b, value: 2) -> Node(named: a, value: 2)")
    }

    @Test("a list taken on one thread can be read on another")
    func acrossThreads() {
        let listener = Lifetime()
        let a = MutableNode<Int>()
        let b = a.map { $0 }
        let wrong = Locked(0)
        let done = Latch(2)
        b.listened(by: listener).withSenderListAndContext { _, senders, _ in
            Worker {
                if senders.senders != [b, a] { wrong.increment() }
                done.arrive()
            }
        }
        a.value = 1
        a.value = 2
        done.wait()
        #expect(wrong.value == 0)
    }
}
