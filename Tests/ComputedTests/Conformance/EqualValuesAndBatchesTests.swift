import ReactCore
import ReactOperators
import TestSupport
import Testing

// What stops at an equal value, and what waits for the end of a batch.
extension ConformanceTests {
    @Test("an equal result is not passed on")
    func equalResultStops() {
        let a = MutableNode(1)
        let isPositive = counted("isPositive", calls) { read in try read(a) > 0 }
        let text = counted("text", calls) { read in try read(isPositive) ? "+" : "-" }
        _ = calls.take()
        a.value = 2
        #expect(calls.take() == ["isPositive"])
        a.value = -2
        #expect(calls.take() == ["isPositive", "text"])
        #expect(text.value == "-")
    }

    @Test("a result that is not Equatable is passed on each time")
    func notEquatable() {
        struct Box: Sendable { let value: Int }
        let a = MutableNode(1)
        let box = computed { read in Box(value: try read(a) / 10) }
        let heard = Recorder<Int>()
        let lifetime = Lifetime()
        box.listened(by: lifetime).with { heard.record($0.value) }
        a.value = 2
        a.value = 30
        #expect(heard.take() == [0, 0, 3])
    }

    @Test("a source that is set to an equal value calls nothing")
    func equalSource() {
        let a = MutableNode(1)
        let b = counted("b", calls) { read in try read(a) }
        let c = counted("c", calls) { read in try read(b) }
        _ = calls.take()
        a.value = 1
        #expect(calls.take() == [])
        withExtendedLifetime(c) {}
    }

    @Test("a batch computes each node once, whichever nodes it sets")
    func batches() {
        let (a, b) = (MutableNode("a"), MutableNode("b"))
        let c = counted("c", calls) { read in try read(a) + read(b) }
        _ = calls.take()
        batch {
            a.value = "x"
            b.value = "y"
            a.value = "z"
        }
        #expect(c.value == "zy")
        #expect(calls.take() == ["c"])
    }

    @Test("nested batches wait for the outermost")
    func nestedBatches() {
        let a = MutableNode(1)
        let b = counted("b", calls) { read in try read(a) }
        _ = calls.take()
        batch {
            batch { a.value = 2 }
            #expect(calls.take() == [])
            #expect(b.value == 1)
            a.value = 3
        }
        #expect(b.value == 3)
        #expect(calls.take() == ["b"])
    }

    @Test("a set inside a batch that changes back calls nothing")
    func changesBack() {
        let a = MutableNode(1)
        let b = counted("b", calls) { read in try read(a) }
        let c = counted("c", calls) { read in try read(b) }
        _ = calls.take()
        batch {
            a.value = 2
            a.value = 1
        }
        #expect(calls.take() == [])
        withExtendedLifetime(c) {}
    }

    @Test("a computed that is made inside a batch has its first value at once, and is called again when the batch ends")
    func madeInsideABatch() {
        let a = MutableNode(1)
        var made: Node<Int>?
        batch {
            a.value = 2
            made = counted("made", calls) { read in try read(a) }
            #expect(made?.value == 2)
            a.value = 3
        }
        #expect(made?.value == 3)
        #expect(calls.take() == ["made", "made"])
    }

    @Test("a computed that is made by the body of another has its value at once there")
    func madeInsideABody() {
        let a = MutableNode(1)
        let outer = computed { read in
            let inner = computed { read in try read(a) * 10 }
            return try read(inner) + read(a)
        }
        #expect(outer.value == 11)
        a.value = 2
        #expect(outer.value == 22)
        #expect(outer.upstreamNodes.count == 2)
    }
}
