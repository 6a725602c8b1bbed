import ReactCore
import ReactOperators
import TestSupport
import Testing

/// Keeps what arrives until the test sends it on.
private final class Hold: Transform<Int, Int>, @unchecked Sendable {
    struct Arrival: Sendable {
        let value: Int
        let senders: SenderList
        let context: NodeContext?
    }
    let arrivals = Recorder<Arrival>()

    override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
        arrivals.record(Arrival(value: value, senders: senders, context: context))
    }

    func release() {
        for arrival in arrivals.take() { send(arrival.value, from: arrival.senders, context: arrival.context) }
    }
}

@Suite("Transforms that send later") struct SendingLaterTests {
    @Test("a value sent later arrives at once, with the senders and the context as they came")
    func sendLater() {
        let listener = Lifetime()
        let source = MutableNode<Int>()
        let node = Node<Int>()
        let hold = Hold()
        node.link(to: source, transform: hold)
        let seen = Recorder<[AnyNode]>()
        let contexts = Recorder<String>()
        node.listened(by: listener).withSenderListAndContext { _, senders, context in
            seen.record(senders.senders)
            contexts.record("\(context ?? "-")")
        }
        source.setValue(1, context: "one")
        source.setValue(2, context: "two")
        #expect(node.isEmpty)
        hold.release()
        #expect(node.value == 2)
        #expect(seen.events == [[node, source], [node, source]])
        #expect(contexts.events == ["one", "two"])
    }

    @Test("a value sent from another thread is delivered there, before send returns")
    func sendFromAnotherThread() {
        let source = MutableNode<Int>()
        let node = Node<Int>()
        let hold = Hold()
        node.link(to: source, transform: hold)
        let end = node.map { $0 * 2 }
        source.value = 21
        Worker {
            hold.release()
            if end.value != 42 { Issue.record("not delivered before send returned") }
        }.join()
        #expect(end.value == 42)
    }

    @Test("a value sent later never returns to a node that it has passed through")
    func ringLater() {
        let listener = Lifetime()
        let a = MutableNode<Int>()
        let b = MutableNode<Int>()
        let there = Hold()
        let back = Hold()
        let links = CancelableBag()
        links.add(b.link(to: a, transform: there))
        links.add(a.link(to: b, transform: back))
        let heard = a.heard(by: listener)
        a.value = 1
        there.release()
        #expect(b.value == 1)
        back.release()
        #expect(heard.events == [1])
        b.value = 2
        back.release()
        there.release()
        #expect(heard.events == [1, 2])
        #expect(b.value == 2)
        links.cancel()
    }

    @Test("a value that a transform sends after it was cut arrives nowhere")
    func sendAfterCut() {
        let source = MutableNode<Int>()
        let node = Node(0)
        let hold = Hold()
        let link = node.link(to: source, transform: hold)
        source.value = 1
        link.cancel()
        hold.release()
        #expect(node.value == 0)
    }

    @Test("sending without a target does nothing")
    func sendNowhere() {
        let hold = Hold()
        hold.send(1, from: SenderList(), context: nil)
        hold.sendEmpty(from: SenderList(), context: nil)
        #expect(hold.to == nil)
    }

    @Test("sendEmpty from outside empties the target")
    func sendEmptyLater() {
        let node = Node<Int>()
        let hold = Hold()
        node.link(to: MutableNode(1), transform: hold)
        hold.release()
        #expect(node.value == 1)
        hold.sendEmpty(from: SenderList(), context: nil)
        #expect(node.isEmpty)
    }

    @Test("a value that next sends on from a target that is delivering waits its turn")
    func sendToBusy() {
        let listener = Lifetime()
        let source = MutableNode<Int>()
        let node = Node<Int>()
        let hold = Hold()
        node.link(to: source, transform: hold)
        let log = Recorder<String>()
        node.listened(by: listener).with { value in
            log.record("a\(value)")
            if value == 1 { hold.send(2, from: SenderList(), context: nil) }
        }
        node.log("b", to: log, by: listener)
        source.value = 1
        hold.release()
        #expect(log.events == ["a1", "b1", "a2", "b2"])
        #expect(node.value == 2)
    }
}
