import ReactCore
import TestSupport
import Testing

/// Records what it receives.
private final class Tap: ListenEdge<Int>, @unchecked Sendable {
    let received = Recorder<String>()
    override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
        received.record("next \(value) \(context ?? "-")")
    }
    override func empty(from senders: SenderList, context: NodeContext?) { received.record("empty \(context ?? "-")") }
}

@Suite("Custom listen edges") struct CustomListenEdgesTests {
    @Test("an edge of one's own hears the present value, every later one, and emptiness")
    func hears() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let tap = Tap()
        node.listened(by: listener).with(edge: tap)
        node.setValue(2, context: "two")
        node.clean(context: "gone")
        node.value = 3
        #expect(tap.received.events.first?.hasPrefix("next 1") == true)
        #expect(tap.received.events.dropFirst() == ["next 2 two", "empty gone", "next 3 -"])
    }

    @Test("its ends are the node and the listener")
    func ends() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let tap = Tap()
        #expect(tap.name == "Listen")
        #expect(Tap(name: "Tap").name == "Tap")
        node.listened(by: listener).with(edge: tap)
        #expect(tap.from === node)
        #expect(tap.to === listener)
        #expect(tap.source === node)
        #expect(tap.destination === listener)
        #expect(node.listenEdges == [tap])
    }

    @Test("cancelling ends it")
    func cancel() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let tap = Tap()
        let listening = node.listened(by: listener).with(edge: tap)
        listening.cancel()
        node.value = 2
        #expect(tap.received.count == 1)
        #expect(node.listenEdges == [])
        #expect(!node.hasListener)
    }

    @Test("setting from to nil disconnects it")
    func fromNil() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let tap = Tap()
        node.listened(by: listener).with(edge: tap)
        tap.from = nil
        node.value = 2
        #expect(tap.received.count == 1)
        #expect(!node.hasListener)
        #expect(tap.from == nil)
    }

    @Test("setting to to nil disconnects it")
    func toNil() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let tap = Tap()
        node.listened(by: listener).with(edge: tap)
        tap.to = nil
        node.value = 2
        #expect(tap.received.count == 1)
        #expect(!node.hasListener)
    }

    @Test("re-pointed at another node it hears that one alone")
    func repoint() {
        let listener = Lifetime()
        let old = MutableNode(1)
        let new = MutableNode(10)
        let tap = Tap()
        old.listened(by: listener).with(edge: tap)
        tap.from = new
        old.value = 2
        new.setValue(20, context: "new")
        #expect(tap.received.events.last == "next 20 new")
        #expect(!tap.received.events.contains { $0.hasPrefix("next 2 ") })
        #expect(!old.hasListener)
        #expect(new.listenEdges == [tap])
    }

    @Test("two references to a listen edge are equal when they are the same edge")
    func identity() {
        let tap = Tap()
        #expect(tap as AnyListenEdge == tap)
        #expect(tap as AnyListenEdge != Tap())
        #expect(Set<AnyListenEdge>([tap, tap]).count == 1)
    }

    @Test("a custom listen edge does not hold its listener")
    func doesNotHold() {
        let node = MutableNode(1)
        let tap = Tap()
        weak var gone: Lifetime?
        do {
            let listener = Lifetime()
            gone = listener
            node.listened(by: listener).with(edge: tap)
        }
        #expect(gone == nil)
        #expect(tap.to == nil)
        #expect(tap.destination == nil)
        node.value = 2
        #expect(tap.received.count == 1)
    }

    @Test("a listen edge that does not override anything receives quietly")
    func quiet() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let edge = ListenEdge<Int>(name: "Quiet")
        node.listened(by: listener).with(edge: edge)
        node.value = 2
        node.clean()
        #expect(node.listenEdges.map(\.name) == ["Quiet"])
    }

    @Test("an edge that is given another listener while the one before is going stays with the new one")
    func reattachedInFarewell() {
        final class Farewell: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
            deinit { body() }
        }
        let new = Lifetime()
        let node = MutableNode(1)
        let tap = Tap()
        do {
            let old = Lifetime()
            let farewell = Farewell { tap.to = new }
            // The newest listening ends first.
            node.listened(by: old).with(edge: tap)
            node.listened(by: old).with { _ in withExtendedLifetime(farewell) {} }
        }
        node.value = 2
        #expect(tap.to === new)
        #expect(tap.received.events.last?.hasPrefix("next 2") == true)
    }
}
