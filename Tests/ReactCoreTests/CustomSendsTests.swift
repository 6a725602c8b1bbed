import ReactCore
import ReactOperators
import TestSupport
import Testing

/// Does in `next` what the test says.
private final class Doing: Transform<Int, Int>, @unchecked Sendable {
    typealias Deed = @Sendable (Doing, Int, SenderList, NodeContext?) -> Void
    let deed: Deed

    init(_ deed: @escaping Deed) {
        self.deed = deed
        super.init(name: "Doing")
    }
    override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
        deed(self, value, senders, context)
    }
}

/// What is sent from inside `next`, in all the ways in which it may be, and the lists that go with it.
@Suite("Values that a custom transform sends") struct CustomSendsTests {
    private let source = MutableNode<Int>()
    private let node = Node<Int>()
    private let listener = Lifetime()

    private func link(_ deed: @escaping Doing.Deed) -> Doing {
        let transform = Doing(deed)
        node.link(to: source, transform: transform)
        return transform
    }
    private func heardWithAll() -> Recorder<String> {
        let log = Recorder<String>()
        node.listened(by: listener).withSenderListAndContext { value, senders, context in
            log.record("\(value) by \(senders.senders.count), \(context ?? "-")")
        }
        return log
    }

    @Test("next may send twice: the second value is delivered after all that the first leads to")
    func twice() {
        _ = link { edge, value, senders, context in
            edge.send(value, from: senders, context: context)
            edge.send(value + 1, from: senders, context: context)
        }
        let log = heardWithAll()
        let below = node.map { $0 * 10 }.heard(by: listener)
        source.value = 1
        source.setValue(5, context: "c")
        #expect(log.events == ["1 by 2, -", "2 by 2, -", "5 by 2, c", "6 by 2, c"])
        #expect(below.events == [10, 20, 50, 60])
    }

    @Test("a value that is sent is in the target before next returns, and is delivered after that")
    func storedAtOnce() {
        let log = Recorder<String>()
        let node = node
        let edge = link { edge, value, senders, context in
            edge.send(value, from: senders, context: context)
            log.record("in next \(node.value ?? 0)")
        }
        defer { edge.cancel() }
        node.listened(by: listener).with { log.record("heard \($0)") }
        source.value = 1
        source.value = 2
        #expect(log.events == ["in next 1", "heard 1", "in next 2", "heard 2"])
    }

    @Test("next may change the sender list, the context, or both")
    func changed() {
        let other = Node<Int>()
        _ = link { edge, value, senders, context in
            switch value {
            case 1: edge.send(value, from: senders.appending(other), context: nil)
            case 2: edge.send(value, from: senders, context: "new")
            case 3: edge.send(value, from: SenderList(), context: context)
            default: edge.send(value, from: senders, context: nil)
            }
        }
        let log = heardWithAll()
        for value in 1...4 { source.setValue(value, context: "old") }
        #expect(log.events == ["1 by 3, -", "2 by 2, new", "3 by 1, old", "4 by 2, -"])
    }

    @Test("next may have another thread send, and wait for it")
    func otherThread() {
        _ = link { edge, value, senders, context in
            Worker { edge.send(value, from: senders, context: nil) }.join()
            edge.send(value + 1, from: senders, context: context)
        }
        let log = heardWithAll()
        // The graph is this thread's, so what the other thread sends is late.
        source.value = 1
        waitForLate(at: source)
        source.value = 3
        waitForLate(at: source)
        #expect(log.events == ["2 by 2, -", "1 by 2, -", "4 by 2, -", "3 by 2, -"])
    }

    @Test("nothing of an old linking is sent: next may point its own edge elsewhere before it sends")
    func repointed() {
        let (first, second) = (node, Node<Int>())
        let edge = link { edge, value, senders, context in
            if value == 1, edge.to === first { edge.to = second }
            edge.send(value, from: senders, context: context)
        }
        source.value = 1
        #expect(first.isEmpty)
        #expect(second.value == 1)
        source.value = 2
        #expect(first.isEmpty)
        #expect(second.value == 2)
        edge.cancel()
        source.value = 3
        #expect(second.value == 2)
    }
    @Test(
        "a value that next sends before it points its edge elsewhere is delivered, and one that it sends after that is not"
    )
    func repointedAfterwards() {
        let (first, second) = (node, Node<Int>())
        let other = MutableNode(50)
        let edge = link { edge, value, senders, context in
            edge.send(value, from: senders, context: context)
            guard value == 1 else { return }
            edge.from = other
            edge.to = second
            edge.send(value + 1, from: senders, context: context)
        }
        defer { edge.cancel() }
        let heard = first.heard(by: listener)
        source.value = 1
        // What came by the linking in between still waited for its turn in the first node.
        #expect(heard.events == [1])
        #expect(second.value == 50)
    }

    @Test("a listener of the node that next sets may send through the same edge, also if that was linked before")
    func nested() {
        let inner = MutableNode<Int>()
        let edge = link { edge, value, senders, context in
            inner.value = value
            edge.send(value, from: senders, context: context)
        }
        inner.listened(by: listener).with { edge.send(-$0, from: SenderList(), context: nil) }
        let heard = node.heard(by: listener)
        source.value = 1
        #expect(heard.events == [-1, 1])
        // From now on the edge is in another linking than the listener's.
        let other = MutableNode<Int>()
        edge.from = other
        other.value = 2
        #expect(heard.events == [-1, 1, -2, 2])
    }

    @Test("a sender list that next keeps does not change when the edge is called again")
    func keptLists() {
        let kept = Recorder<SenderList>()
        let (a, b) = (MutableNode<Int>(), MutableNode<Int>())
        let way = b.map { $0 + 100 }
        let links = [source.link(to: a), source.link(to: way)]
        _ = link { edge, value, senders, context in
            if value % 2 == 1 { kept.record(senders) }
            _ = value == 2 && senders.contains(a)
            edge.send(value, from: senders, context: context)
        }
        a.value = 1
        b.value = 1
        a.value = 2
        b.value = 3
        a.value = 4
        let lists = kept.events.map(\.senders)
        #expect(lists == [[source, a], [source, way, b], [source, way, b]])
        for link in links { link.cancel() }
    }

    @Test("a list tells the same on another thread, while next is under way and after it, and when the stack has grown")
    func listElsewhere() {
        let long = MutableNode<Int>()
        let end = (0..<300).reduce(long as Node<Int>) { node, _ in node.map { $0 } }
        let seen = Recorder<[AnyNode]>()
        let kept = Recorder<SenderList>()
        let a = MutableNode<Int>()
        source.link(to: a)
        _ = link { edge, value, senders, context in
            if value > 1 { long.value = value }
            Worker {
                seen.record(senders.senders)
                kept.record(senders)
            }.join()
            seen.record(senders.senders)
            edge.send(value, from: senders, context: context)
        }
        for value in 1...3 { a.value = value }
        #expect(end.value == 3)
        #expect(node.value == 3)
        #expect(seen.events == Array(repeating: [source, a], count: 6))
        #expect(kept.events.map(\.senders) == Array(repeating: [source, a], count: 3))
    }

    @Test("calls inside calls have lists of their own")
    func callsInCalls() {
        let seen = Recorder<[AnyNode]>()
        let inner = MutableNode<Int>(), innerNode = Node<Int>()
        innerNode.link(
            to: inner,
            transform: Doing { edge, value, senders, context in
                seen.record(senders.senders)
                edge.send(value, from: senders, context: context)
            })
        _ = link { edge, value, senders, context in
            inner.value = value
            seen.record(senders.senders)
            edge.send(value, from: senders, context: context)
            inner.value = value + 1
        }
        let log = heardWithAll()
        source.value = 1
        #expect(seen.events == [[inner], [source], [inner]])
        #expect(log.events == ["1 by 2, -"])
        #expect(innerNode.value == 2)
    }

    @Test("a ring of custom transforms ends where it began")
    func ring() {
        let log = Recorder<Int>()
        let deed: Doing.Deed = { edge, value, senders, context in
            log.record(value)
            edge.send(value, from: senders, context: context)
        }
        let (a, b) = (MutableNode<Int>(), MutableNode<Int>())
        let links = [b.link(to: a, transform: Doing(deed)), a.link(to: b, transform: Doing(deed))]
        a.value = 1
        b.value = 2
        #expect(log.events == [1, 1, 2, 2])
        #expect(a.value == 2)
        for link in links { link.cancel() }
    }

    @Test("a context is let go of when its set is over, and not before")
    func contextsEnd() {
        final class Held: Sendable {
            let log: Recorder<String>
            init(_ log: Recorder<String>) { self.log = log }
            deinit { log.record("gone") }
        }
        let log = Recorder<String>()
        let setAgain = MutableNode<Int>()
        source.listened(by: listener).withContext { value, context in
            log.record("\(value) \(context is Held)")
            if value == 1 { setAgain.setValue(2, context: Held(log)) }
        }
        for value in 1...2 {
            source.setValue(value, context: Held(log))
            log.record("over")
        }
        #expect(log.events == ["1 true", "gone", "gone", "over", "2 true", "gone", "over"])
    }
}
