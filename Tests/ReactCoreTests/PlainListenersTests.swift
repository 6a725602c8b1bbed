import ReactCore
import TestSupport
import Testing

/// Records what it receives.
private final class Tap: ListenEdge<Int>, @unchecked Sendable {
    let received = Recorder<String>()
    override func next(_ value: Int, from senders: SenderList, context: NodeContext?) { received.record("\(value)") }
    override func empty(from senders: SenderList, context: NodeContext?) { received.record("empty") }
}

/// A plain object that can be let go of by whoever wants to.
private final class Mortal: Sendable {
    private let strong: Locked<PlainListener?>
    private let reference: @Sendable () -> AnyObject?

    init() {
        let object = PlainListener()
        strong = Locked(object)
        weak let reference = object
        self.reference = { reference }
    }
    var object: PlainListener { strong.value! }
    /// Returns when it is gone: who listens elsewhere may hold it for a moment.
    func die() {
        strong.value = nil
        #expect(eventually { reference() == nil })
    }
}

/// Plain objects, as which no lifetime tells when they go: so they are asked for at each call.
@Suite("Plain listeners that are gone") struct PlainListenersTests {
    @Test("nothing is heard of a value that is taken over")
    func takingOver() {
        let mortal = Mortal()
        let tap = Tap()
        tap.to = mortal.object
        mortal.die()
        tap.from = Node(1)
        #expect(tap.received.events == [])
        tap.from = nil
    }

    @Test("a value that comes while an earlier one is taken over is not heard, once the listener has gone meanwhile")
    func goesWhileTakingOver() {
        /// Is in `next`, for the value 1, until it is released.
        final class Slow: ListenEdge<Int>, @unchecked Sendable {
            let entered = Latch()
            let released = Latch()
            let received = Recorder<Int>()
            override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
                received.record(value)
                guard value == 1 else { return }
                entered.arrive()
                released.wait()
            }
        }
        let mortal = Mortal()
        let node = MutableNode(1)
        let slow = Slow()
        slow.to = mortal.object
        let worker = Worker { slow.from = node }
        slow.entered.wait()
        node.value = 2
        mortal.die()
        slow.released.arrive()
        worker.join()
        #expect(slow.received.events == [1])
    }

    @Test(
        "a plain listener that was attached while the node delivered hears later values until it is gone",
        arguments: [false, true])
    func attachedInMidDelivery(hearsTwo: Bool) {
        let listener = Lifetime()
        let mortal = Mortal()
        let node = MutableNode<Int>()
        let heard = Recorder<Int>()
        node.listened(by: listener).with { [weak node] value in
            if value == 1 { node?.listened(by: mortal.object).with { heard.record($0) } }
        }
        node.value = 1
        if hearsTwo { node.value = 2 }
        mortal.die()
        node.value = 3
        node.value = 4
        #expect(heard.events == (hearsTwo ? [1, 2] : [1]))
    }

    @Test("a plain listener that was attached while the node delivered, and is gone, hears no set that waits")
    func goesBeforeWhatWaits() {
        let listener = Lifetime()
        let mortal = Mortal()
        let node = MutableNode<Int>()
        let heard = Recorder<Int>()
        node.listened(by: listener).with { [weak node] value in
            guard value == 1 else { return }
            node?.value = 2
            node?.listened(by: mortal.object).with { heard.record($0) }
            mortal.die()
        }
        node.value = 1
        #expect(heard.events == [1])
    }

    @Test("an edge of one's own may change between plain objects and listeners: each is heard for while it is there")
    func changesListener() {
        let (first, second) = (Mortal(), Mortal())
        var screen: Screen? = Screen()
        let node = MutableNode(0)
        let (tap, other) = (Tap(), Tap())
        func set(_ value: Int) -> [String] {
            _ = (tap.received.take(), other.received.take())
            node.value = value
            return tap.received.events + other.received.events
        }
        node.listened(by: first.object).with(edge: tap)
        node.listened(by: screen!).with(edge: other)
        tap.to = screen
        other.to = first.object
        tap.to = second.object
        other.to = screen
        #expect(set(1) == ["1", "1"])
        first.die()
        #expect(set(2) == ["2", "2"])
        screen = nil
        #expect(set(3) == ["3"])
        #expect(other.to == nil)
        second.die()
        #expect(set(4) == [])
        #expect(tap.to == nil)
    }

    @Test("an edge of one's own is not told either that its node was emptied", arguments: [false, true])
    func emptied(isBusy: Bool) {
        let listener = Lifetime()
        let mortal = Mortal()
        let node = MutableNode(0)
        let tap = Tap()
        node.listened(by: mortal.object).with(edge: tap)
        node.clean()
        #expect(tap.received.take() == ["0", "empty"])
        if isBusy {
            node.listened(by: listener).with { [weak node] _ in
                node?.clean()
                mortal.die()
            }
            node.value = 1
            #expect(tap.received.events == ["1"])
        } else {
            mortal.die()
            node.clean()
            #expect(tap.received.events == [])
        }
    }
}
