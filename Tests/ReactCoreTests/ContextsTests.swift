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

    @Test("a context is any value that can be sent, and arrives as what it was")
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
}
