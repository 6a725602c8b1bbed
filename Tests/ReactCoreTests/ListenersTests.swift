import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Listeners") struct ListenersTests {
    @Test("a Lifetime, a class with one, and any object at all can listen")
    func kinds() {
        let node = MutableNode(1)
        let lifetime = Lifetime()
        let screen = Screen()
        let plain = PlainListener()
        let log = Recorder<String>()
        node.log("lifetime", to: log, by: lifetime)
        node.log("screen", to: log, by: screen)
        node.log("plain", to: log, by: plain)
        _ = log.take()
        node.value = 2
        #expect(log.events == ["lifetime2", "screen2", "plain2"])
        withExtendedLifetime((lifetime, screen, plain)) {}
    }

    @Test("a Lifetime is its own lifetime")
    func lifetimeOfLifetime() {
        let lifetime = Lifetime()
        #expect(lifetime.lifetime === lifetime)
    }

    @Test("listen(to:) is the same as listened(by:)")
    func listenTo() {
        let node = MutableNode(1)
        let screen = Screen()
        let heard = Recorder<Int>()
        let listening = screen.listen(to: node).with { heard.record($0) }
        node.value = 2
        #expect(node.listenEdges.map { $0.destination === screen } == [true])
        listening.cancel()
        node.value = 3
        #expect(heard.events == [1, 2])
        screen.listen(to: node).with { heard.record($0) }
        node.stopListening(by: screen)
        node.value = 4
        #expect(heard.events == [1, 2, 3])
    }

    @Test("a listening through a Listener's own lifetime ends with the lifetime, not before")
    func lifetimeReplaced() {
        let node = MutableNode(1)
        let heard = Recorder<Int>()
        do {
            let screen = Screen()
            screen.listen(to: node).with { heard.record($0) }
            node.value = 2
        }
        node.value = 3
        #expect(heard.events == [1, 2])
        #expect(!node.hasListener)
    }

    @Test("cancelling ends one listening and no other; again it does nothing")
    func cancel() {
        let listener = Lifetime()
        let node = MutableNode(0)
        let log = Recorder<String>()
        let first = node.log("a", to: log, by: listener)
        node.log("b", to: log, by: listener)
        _ = log.take()
        first.cancel()
        first.cancel()
        node.value = 1
        #expect(log.events == ["b1"])
        #expect(node.listenEdges.count == 1)
    }

    @Test("dropping the result of a listening ends nothing")
    func droppedResult() {
        let listener = Lifetime()
        let node = MutableNode(0)
        let heard = Recorder<Int>()
        do { _ = node.listened(by: listener).with { heard.record($0) } }
        node.value = 1
        #expect(heard.events == [0, 1])
    }

    @Test("stopListening ends all that the listener attached to this node, and nothing else")
    func stopListening() {
        let first = Lifetime()
        let second = PlainListener()
        let node = MutableNode(0)
        let other = MutableNode(0)
        let log = Recorder<String>()
        node.log("a", to: log, by: first)
        node.log("b", to: log, by: second)
        node.log("c", to: log, by: first)
        other.log("d", to: log, by: first)
        _ = log.take()
        node.stopListening(by: first)
        node.value = 1
        other.value = 1
        #expect(log.take() == ["b1", "d1"])
        node.stopListening(by: first)
        node.stopListening(by: PlainListener())
        node.stopListening(by: second)
        node.value = 2
        #expect(log.take() == [])
        #expect(!node.hasListener)
        withExtendedLifetime(second) {}
    }

    @Test("a listener that stopped can listen again")
    func listenAgain() {
        let listener = Lifetime()
        let node = MutableNode(0)
        _ = node.heard(by: listener)
        node.stopListening(by: listener)
        let heard = node.heard(by: listener)
        node.value = 1
        #expect(heard.events == [0, 1])
    }

    @Test("hasListener and listenEdges tell who listens, in the order of attaching")
    func listenEdges() {
        let node = MutableNode(0)
        #expect(!node.hasListener)
        #expect(node.listenEdges == [])
        let first = Lifetime()
        let second = PlainListener()
        let listening = node.listened(by: first).with { _ in }
        node.listened(by: second).with { _ in }
        #expect(node.hasListener)
        #expect(node.listenEdges.map { $0.destination === first } == [true, false])
        #expect(node.listenEdges.map { $0.destination === second } == [false, true])
        #expect(node.listenEdges.allSatisfy { $0.source === node })
        listening.cancel()
        #expect(node.listenEdges.count == 1)
        #expect(node.hasListener)
        withExtendedLifetime(second) {}
    }

    @Test("a method of the listener is called with the value, with the value and the context, or with nothing")
    func callMethod() {
        let node = MutableNode(1)
        let screen = Screen()
        let listenings = [
            node.listened(by: screen).call(Screen.refresh),
            node.listened(by: screen).call(Screen.show(_:)),
            node.listened(by: screen).call(Screen.show(_:because:)),
        ]
        #expect(screen.heard.take().prefix(2) == ["refresh", "show 1"])
        node.setValue(2, context: "touch")
        #expect(screen.heard.take() == ["refresh", "show 2", "show 2 because touch"])
        for listening in listenings { listening.cancel() }
        node.value = 3
        #expect(screen.heard.take() == [])
    }

    @Test("a method of a listener that is no Listener is called as well, and the listener is not held")
    func callMethodOfPlainObject() {
        final class Plain: Sendable {
            let heard: Recorder<Int>
            init(_ heard: Recorder<Int>) { self.heard = heard }
            func show(_ value: Int) { heard.record(value) }
        }
        let node = MutableNode(1)
        let heard = Recorder<Int>()
        weak var gone: Plain?
        do {
            let plain = Plain(heard)
            gone = plain
            node.listened(by: plain).call(Plain.show)
            node.value = 2
            withExtendedLifetime(plain) {}
        }
        #expect(eventually { gone == nil })
        node.value = 3
        #expect(heard.events == [1, 2])
    }

    @Test("a listener that listens to two nodes hears both")
    func twoNodes() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let a = MutableNode<Int>()
        let b = MutableNode<Int>()
        a.log("a", to: log, by: listener)
        b.log("b", to: log, by: listener)
        b.value = 1
        a.value = 2
        #expect(log.events == ["b1", "a2"])
    }

    @Test("a plain object that goes leaves those that came after it in order")
    func plainObjectInTheMiddle() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let log = Recorder<String>()
        weak var gone: PlainListener?
        func comeAndGo(_ name: String) {
            let plain = PlainListener()
            gone = plain
            node.log(name, to: log, by: plain)
            withExtendedLifetime(plain) {}
        }
        node.log("a", to: log, by: listener)
        comeAndGo("b")
        node.log("c", to: log, by: listener)
        #expect(eventually { gone == nil })
        node.value = 1
        comeAndGo("d")
        #expect(eventually { gone == nil })
        _ = log.take()
        node.value = 2
        #expect(log.take() == ["a2", "c2"])
    }
}
