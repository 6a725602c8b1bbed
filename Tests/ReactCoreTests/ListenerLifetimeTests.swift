import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Lifetime of listeners") struct ListenerLifetimeTests {
    @Test("a listener keeps the node and all that is upstream of it alive, exactly until it goes")
    func listenerKeeps() throws {
        try withLifetimeTracking { tracker in
            weak var source: MutableNode<Int>?
            weak var end: Node<Int>?
            let heard = Recorder<Int>()
            var listener: Lifetime? = Lifetime()
            do {
                let node = MutableNode(1)
                let payload = tracker.track("captured by the listening")
                let mapped = node.map { $0 * 10 }
                (source, end) = (node, mapped)
                if let listener {
                    mapped.listened(by: listener).with { value in withExtendedLifetime(payload) { heard.record(value) }
                    }
                }
            }
            source?.value = 2
            #expect(heard.events == [10, 20])
            #expect(end != nil)
            listener = nil
            #expect(end == nil)
            #expect(source == nil)
            #expect(tracker.live == [])
        }
    }

    @Test("an attached edge lives until it is cancelled, even if the listener and the result live on")
    func cancelLetsGo() throws {
        try withLifetimeTracking { tracker in
            let listener = Lifetime()
            weak var source: MutableNode<Int>?
            let listening: any Cancelable
            do {
                let node = MutableNode(1)
                source = node
                let payload = tracker.track("captured")
                listening = node.map { $0 }.listened(by: listener).with { _ in withExtendedLifetime(payload) {} }
            }
            #expect(source != nil)
            #expect(tracker.live == ["captured"])
            listening.cancel()
            #expect(source == nil)
            #expect(tracker.live == [])
            withExtendedLifetime(listener) {}
        }
    }

    @Test("a listener that listens to several nodes lets go of them all")
    func severalNodes() {
        let nodes = (0..<3).map { MutableNode($0) }
        do {
            let listener = Lifetime()
            for node in nodes {
                node.listened(by: listener).with { _ in }
                node.listened(by: listener).with { _ in }
            }
            #expect(nodes.allSatisfy { $0.listenEdges.count == 2 })
        }
        #expect(nodes.allSatisfy { !$0.hasListener && $0.listenEdges.isEmpty })
    }

    @Test("listening does not hold the listener")
    func listenerNotHeld() {
        let node = MutableNode(1)
        weak var screen: Screen?
        weak var plain: PlainListener?
        do {
            let first = Screen()
            screen = first
            first.listen(to: node).with { _ in }
            node.listened(by: first).call(Screen.refresh)
            let second = PlainListener()
            plain = second
            node.listened(by: second).with { _ in }
        }
        #expect(screen == nil)
        #expect(eventually { plain == nil })
    }

    @Test("a listener that owns the node it listens to goes all the same")
    func ownsItsNode() throws {
        final class Owner: Listener, Sendable {
            let lifetime = Lifetime()
            let node = MutableNode(1)
            let payload: Tracked
            init(payload: Tracked) { self.payload = payload }
        }
        try withLifetimeTracking { tracker in
            weak var node: MutableNode<Int>?
            do {
                let owner = Owner(payload: tracker.track("owner"))
                node = owner.node
                owner.listen(to: owner.node.map { $0 }).with { [weak owner] _ in _ = owner?.payload }
            }
            #expect(node == nil)
        }
    }

    @Test("a closure that captures its own listener keeps it, until the listening is cancelled")
    func capturesItsListener() {
        let node = MutableNode(1)
        weak var screen: Screen?
        let listening: any Cancelable
        do {
            let listener = Screen()
            screen = listener
            listening = listener.listen(to: node).with { listener.show($0) }
        }
        node.value = 2
        #expect(screen?.heard.events == ["show 1", "show 2"])
        listening.cancel()
        #expect(screen == nil)
    }

    @Test("a closure may capture the node that it listens to")
    func capturesItsNode() {
        weak var gone: MutableNode<Int>?
        do {
            let listener = Lifetime()
            let node = MutableNode(1)
            gone = node
            node.listened(by: listener).with { _ in _ = node.value }
        }
        #expect(gone == nil)
    }

    @Test("a plain object stops receiving, and is no listener, the moment it is gone")
    func plainObject() {
        let node = MutableNode(1)
        let heard: Recorder<Int>
        weak var gone: PlainListener?
        do {
            let listener = PlainListener()
            gone = listener
            heard = node.heard(by: listener)
            #expect(node.hasListener)
            withExtendedLifetime(listener) {}
        }
        #expect(eventually { gone == nil })
        #expect(!node.hasListener)
        #expect(node.listenEdges == [])
        node.value = 2
        #expect(heard.events == [1])
    }

    @Test("the memory that a plain object held follows at the latest when the library is next used to listen")
    func plainObjectMemory() throws {
        try withLifetimeTracking { tracker in
            weak var source: MutableNode<Int>?
            do {
                let listener = PlainListener()
                let node = MutableNode(1)
                source = node
                let payload = tracker.track("captured")
                node.listened(by: listener).with { _ in withExtendedLifetime(payload) {} }
                withExtendedLifetime(listener) {}
            }
            #if canImport(ObjectiveC)
            #expect(source == nil)
            #expect(tracker.live == [])
            #endif
            // More than once only if another test's listening came first, and is still at it.
            let other = Lifetime()
            let isLetGo = eventually {
                Node("elsewhere").listened(by: other).with { _ in }
                return source == nil && tracker.live == []
            }
            #expect(isLetGo)
        }
    }
}
