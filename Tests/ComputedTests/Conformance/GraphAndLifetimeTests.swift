import ReactCore
import ReactOperators
import TestSupport
import Testing

// What stands in the graph, and what is held.
extension ConformanceTests {
    @Test("the edges are real: walked from both ends, named, and cut when the node goes")
    func realEdges() {
        let a = MutableNode(1).named("a")
        var b: Node<Int>? = computed { read in try read(a) }.named("b")
        #expect(a.downstreamNodes.map(\.name) == ["b"])
        #expect(a.downstreamTransforms.map(\.name) == ["Computed"])
        #expect(b?.upstreamTransforms.first?.source === a)
        #expect(b?.upstreamTransforms.first?.destination === b)
        b = nil
        #expect(!a.hasDownstreamNode)
        #expect(a.downstreamTransforms.isEmpty)
    }

    @Test("an edge that is cut is not heard, until a call reads the node again")
    func cutEdges() {
        let (a, b) = (MutableNode(1), MutableNode(10))
        let sum = counted("sum", calls) { read in try read(a) + read(b) }
        sum.removeUpstreamNode(b)
        _ = calls.take()
        b.value = 20
        #expect(calls.take() == [])
        a.value = 2
        #expect(sum.value == 22)
        b.value = 30
        #expect(sum.value == 32)
    }

    @Test("a body's result is dropped if an edge that it has read by is cut meanwhile")
    func cutInACall() {
        let a = MutableNode(1), isInside = Latch(), mayEnd = Latch()
        let node = computed { read in
            let value = try read(a)
            if value == 2 {
                isInside.arrive()
                mayEnd.wait()
            }
            return value
        }
        let worker = Worker { a.value = 2 }
        isInside.wait()
        node.upstreamTransforms[0].cancel()
        mayEnd.arrive()
        worker.join()
        #expect(node.value == 1)
    }

    @Test("a body's set of its own node belongs to the same transaction: a combination downstream fires once")
    func setByItsBody() {
        let (a, other) = (MutableNode(0), MutableNode(0))
        let own = Locked<MutableNode<Int>?>(nil), lifetime = Lifetime()
        let node = computed { read in
            let value = try read(a)
            if value == 1 { for value in 1...100 { own.value?.value = value } }
            return value
        }.mutablify()
        own.value = node
        let heard = combine(node, other).mapEach { $0 + $1 }.heard(by: lifetime)
        a.value = 1
        #expect(heard.events == [0, 100])
        own.value = nil
    }

    @Test("context and sender list are those of the newest arrival")
    func travels() {
        let (a, b) = (MutableNode(1).named("a"), MutableNode(1).named("b"))
        let middle = b.map { $0 }.named("middle")
        let sum = computed { read in try read(a) + read(middle) }.named("sum")
        let lifetime = Lifetime()
        let calls = calls
        sum.listened(by: lifetime).withSenderListAndContext { value, senders, context in
            calls.record("\(value) \(senders.senders.compactMap(\.name)) \(context ?? "-")")
        }
        _ = calls.take()
        a.setValue(2, context: "A")
        b.setValue(2, context: "B")
        #expect(calls.take() == [#"3 ["sum", "a"] A"#, #"4 ["sum", "middle", "b"] B"#])
    }

    @Test("a call that is given up keeps the context for the next")
    func contextOfTheRetried() {
        let isDeep = MutableNode(false)
        let deep = computed { read in try read(isDeep) }
        let deeper = computed { read in try read(deep) }
        let text = computed { read in try read(isDeep) ? "\(try read(deeper))" : "no" }
        let lifetime = Lifetime()
        let calls = calls
        text.listened(by: lifetime).withContext { calls.record("\($0) \($1 ?? "-")") }
        _ = calls.take()
        isDeep.setValue(true, context: "typed")
        #expect(calls.take() == ["true typed"])
    }

    @Test("nothing is held that is no longer read")
    func nothingHeld() throws {
        try withLifetimeTracking { tracker in
            let current = MutableNode<Node<Tracked>>(Node(tracker.track("first")))
            let label = computed { read in try read(read(current)).label }
            #expect(label.value == "first")
            #expect(tracker.live == ["first"])
            current.value = Node(tracker.track("second"))
            #expect(label.value == "second")
            #expect(tracker.live == ["second"])
        }
    }

    @Test("a computed node is released with its body and all objects that the body holds")
    func bodyGoes() throws {
        try withLifetimeTracking { tracker in
            let a = MutableNode(1)
            let held = tracker.track("held")
            var node: Node<String>? = computed { read in "\(held) \(try read(a))" }
            #expect(node?.value == "held 1")
            node = nil
            a.value = 2
        }
    }

    @Test("a computed that reads nothing holds its value, and nothing else")
    func readsNothing() throws {
        try withLifetimeTracking { tracker in
            let node: Node<Int>
            do {
                let held = tracker.track("held")
                node = computed { _ in held.label.count }
            }
            #expect(node.value == 4)
            #expect(tracker.live == [])
        }
    }

    @Test("a chain of 100,000 is made, set and let go of without a stack")
    func deep() {
        let source = MutableNode(0)
        var last: Node<Int> = source
        for _ in 0..<Scale.heavy(100_000) { last = { node in computed { read in try read(node) + 1 } }(last) }
        source.value = 1
        #expect(last.value == 1 + Scale.heavy(100_000))
    }
}
