import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

@Suite("Deliver at once") struct AtOnceTests {
    let lifetime = Lifetime()

    @Test("a value is passed on when the outermost set is over, on its thread, before the set returns")
    func afterTheSet() {
        let source = MutableNode(0), log = Recorder<String>()
        source.deliver(on: .atOnce).listened(by: lifetime).with { log.record("behind \($0)") }
        source.listened(by: lifetime).with { log.record("before \($0)") }
        _ = log.take()
        batch {
            source.value = 1
            source.value = 2
            log.record("end of the batch")
        }
        log.record("set")
        #expect(log.events == ["before 1", "before 2", "end of the batch", "behind 1", "behind 2", "set"])
    }
    @Test("each value is a set of its own in each graph, in order, though several threads set")
    func ownSets() {
        let source = MutableNode(0), rounds = Scale.scaled(2_000)
        let targets = (0..<8).map { _ in source.deliver(on: .atOnce) }
        let heard = targets.map { combine($0, $0) { $0 + $1 }.heard(by: lifetime) }
        concurrently(3) { thread in for value in 1...rounds { source.value = value * 3 + thread } }
        waitForLate(at: [source] + targets)
        let order = heard[0].events
        #expect(order.count == 3 * rounds + 1 && order.last == 2 * source.current)
        #expect(heard.allSatisfy { $0.events == order })
    }
    @Test("two graphs that follow one node do not wait for one another, nor does the setter")
    func independent() {
        let settings = MutableNode(0), isIn = Latch(), mayGo = Latch()
        let slow = settings.deliver(on: .atOnce), quick = settings.deliver(on: .atOnce)
        let heard = quick.heard(by: lifetime)
        slow.listened(by: lifetime).with { value in
            guard value == 1 else { return }
            isIn.arrive()
            mayGo.wait()
        }
        let worker = Worker { settings.value = 1 }
        isIn.wait()
        // The first setter is in the listener of one graph. The second one passes its value on to the other graph.
        settings.value = 2
        #expect(settings.current == 2 && heard.last == 2)
        #expect(slow.isUpToDate == false)
        mayGo.arrive()
        worker.join()
        waitForLate(at: slow)
        #expect(slow.current == 2 && slow.isUpToDate)
    }
    @Test("the context, the senders and a pulse come across, and a ring ends")
    func whatTravels() {
        let source = MutableNode<Int>().named("source"), target = source.deliver(on: .atOnce), log = Recorder<String>()
        target.listened(by: lifetime).withSenderListAndContext { value, senders, context in
            log.record("\(value) \(senders.contains(source)) \(context as? String ?? "-")")
        }
        source.setValue(1, context: "context")
        source.pulse(2)
        #expect(log.events == ["1 true context", "2 true -"] && target.value == 1)
        let ring = MutableNode(0)
        ring.link(to: ring.map { $0 + 1 }.deliver(on: .atOnce))
        ring.value = 5
        #expect(ring.value == 5)
    }
    @Test("an answer of upToDate is true again when the set has returned")
    func upToDate() {
        let source = MutableNode(1), target = source.deliver(on: .atOnce)
        let answer = target.upToDate(), heard = answer.heard(by: lifetime)
        source.value = 2
        #expect(heard.events == [true, false, true] && target.current == 2)
    }
    @Test("a secret stays one behind the border")
    func secret() {
        let secret = MutableNode("secret").redacted()
        #expect("\(secret.deliver(on: .atOnce))".contains("redacted"))
    }
}
