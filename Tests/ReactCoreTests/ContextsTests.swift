import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Contexts") struct ContextsTests {
    @Test("a context travels with its value to every receiver")
    func travels() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let log = Recorder<String>()
        let end = node.map { $0 }.filter { $0 > 0 }.fork()
        let sum = combine(end, Node(1)).mapEach { $0 + $1 }
        for (name, node) in [("node", node as Node), ("end", end), ("sum", sum)] {
            node.listened(by: listener).withContext { value, context in
                log.record("\(name) \(value) \(context ?? "-")")
            }
        }
        node.setValue(1, context: "user")
        node.setValue(2)
        node.value = 3
        #expect(
            log.events == [
                "node 1 user", "end 1 user", "sum 2 user",
                "node 2 -", "end 2 -", "sum 3 -",
                "node 3 -", "end 3 -", "sum 4 -",
            ]
        )
    }

    @Test("a context is any value that is Sendable, and arrives unchanged")
    func anyValue() {
        struct Origin: Equatable, Sendable { let line: Int }
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let seen = Recorder<Origin?>()
        node.listened(by: listener).withSenderListAndContext { _, _, context in seen.record(context as? Origin) }
        node.setValue(1, context: Origin(line: 7))
        #expect(seen.events == [Origin(line: 7)])
    }

    @Test("a combination carries the context of the arrival that made it fire last")
    func combination() {
        let listener = Lifetime()
        let a = MutableNode(1)
        let b = MutableNode(2)
        let seen = Recorder<String>()
        combine(a, b).listened(by: listener).withContext { _, context in seen.record("\(context ?? "-")") }
        _ = seen.take()
        a.setValue(3, context: "a")
        b.setValue(4, context: "b")
        #expect(seen.events == ["a", "b"])
    }

    @Test("an update carries its context")
    func update() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let seen = Recorder<String>()
        node.map { $0 }.listened(by: listener).withContext { value, context in
            seen.record("\(value) \(context ?? "-")")
        }
        _ = seen.take()
        node.update(context: "more") { $0 += 1 }
        node.update { $0 += 1 }
        #expect(seen.events == ["2 more", "3 -"])
    }

    @Test("a context is let go when its delivery is over")
    func letGo() throws {
        try withLifetimeTracking { tracker in
            let listener = Lifetime()
            let node = MutableNode<Int>()
            let heard = combine(node.map { $0 }, node).mapEach { $0 + $1 }.heard(by: listener)
            node.setValue(1, context: tracker.track("context"))
            #expect(heard.events == [2])
            #expect(tracker.live == [])
            withExtendedLifetime(listener) {}
        }
    }

    @Test("each context is let go with its own set: the first, one made by a listener, and one that waits")
    func letGoOneByOne() throws {
        try withLifetimeTracking { tracker in
            let listener = Lifetime()
            let node = MutableNode<Int>()
            let other = MutableNode<Int>()
            let log = Recorder<String>()
            let end = other.map { $0 }
            end.listened(by: listener).withContext { value, context in
                log.record("end \(value) \(context ?? "-"), \(tracker.live)")
            }
            node.listened(by: listener).withContext { value, context in
                log.record("node \(value) \(context ?? "-"), \(tracker.live)")
                guard value == 1 else { return }
                node.setValue(2, context: tracker.track("waits"))
                other.setValue(3, context: tracker.track("nested"))
                other.value = 4
                log.record("set, \(tracker.live)")
            }
            node.setValue(1, context: tracker.track("first"))
            #expect(
                log.events == [
                    "node 1 first, [\"first\"]",
                    "end 3 nested, [\"first\", \"waits\", \"nested\"]",
                    "end 4 -, [\"first\", \"waits\"]",
                    "set, [\"first\", \"waits\"]",
                    "node 2 waits, [\"first\", \"waits\"]",
                ]
            )
            #expect(tracker.live == [])
            node.stopListening(by: listener)
        }
    }

    @Test("a context that waits at a combination is let go when another takes its place, and after the firing")
    func letGoAtCombination() throws {
        try withLifetimeTracking { tracker in
            let listener = Lifetime()
            let (a, b) = (MutableNode(0), MutableNode(0))
            let log = Recorder<String>()
            combine(a, b).listened(by: listener).withContext { pair, context in
                log.record("\(pair.0) \(pair.1) \(context ?? "-"), \(tracker.live)")
            }
            _ = log.take()
            batch {
                a.setValue(1, context: tracker.track("one"))
                #expect(tracker.live == ["one"])
                b.setValue(2, context: tracker.track("two"))
                #expect(tracker.live == ["two"])
            }
            #expect(tracker.live == [])
            batch {
                a.setValue(3, context: tracker.track("three"))
                b.value = 4
                #expect(tracker.live == [])
            }
            #expect(log.events == ["1 2 two, [\"two\"]", "3 4 -, []"])
        }
    }

    @Test("a context may set nodes when it goes, after the last firing that it travels beside")
    func setsWhenItGoes() {
        final class Farewell: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
            deinit { body() }
        }
        let listener = Lifetime()
        let log = Recorder<String>()
        let node = MutableNode<Int>()
        let other = MutableNode(0)
        let sum = combine(node, other).mapEach { $0 + $1 }
        for (name, node) in [("node ", node as Node), ("other ", other), ("sum ", sum)] {
            node.log(name, to: log, by: listener)
        }
        _ = log.take()
        node.setValue(1, context: Farewell { other.value = 10 })
        #expect(log.take() == ["node 1", "sum 1", "other 10", "sum 11"])
        batch {
            node.value = 2
            node.setValue(3, context: Farewell { node.setValue(4, context: Farewell { other.value = 20 }) })
            log.record("set")
        }
        #expect(log.events == ["node 2", "node 3", "set", "sum 13", "node 4", "sum 14", "other 20", "sum 24"])
    }
}
