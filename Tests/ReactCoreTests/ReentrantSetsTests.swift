import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Re-entrant sets") struct ReentrantSetsTests {
    @Test("a set by a listener of the node waits its turn: every edge sees the same values in the same order")
    func queued() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let log = Recorder<String>()
        node.log("a", to: log, by: listener)
        node.listened(by: listener).with { if $0 == 1 { node.value = 2 } }
        node.log("b", to: log, by: listener)
        let end = node.map { $0 }
        end.log("end", to: log, by: listener)
        node.value = 1
        #expect(log.events == ["a1", "b1", "end1", "a2", "b2", "end2"])
        #expect(node.value == 2)
    }

    @Test("value changes when its turn comes, not when it is set")
    func valueAtItsTurn() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let seen = Recorder<Int?>()
        node.listened(by: listener).with { value in
            guard value == 1 else { return }
            node.value = 2
            seen.record(node.value)
        }
        node.listened(by: listener).with { _ in seen.record(node.value) }
        node.value = 1
        #expect(seen.events == [1, 1, 2])
    }

    @Test("sets that wait keep their order, each with its own context")
    func contextsInQueue() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let log = Recorder<String>()
        node.listened(by: listener).with { value in
            guard value == 1 else { return }
            node.setValue(2, context: "two")
            node.value = 3
            node.setValue(4, context: "four")
        }
        node.map { $0 * 10 }.listened(by: listener).withContext { value, context in
            log.record("\(value) \(context ?? "-")")
        }
        node.setValue(1, context: "one")
        #expect(log.events == ["10 one", "20 two", "30 -", "40 four"])
    }

    @Test("sets that wait start a sender list of their own")
    func sendersInQueue() {
        let listener = Lifetime()
        let node = MutableNode<Int>().named("node")
        let end = node.map { $0 }.named("end")
        let log = Recorder<String>()
        end.listened(by: listener).with { if $0 == 1 { node.value = 2 } }
        end.listened(by: listener).withSenderListAndContext { value, senders, _ in
            log.record("\(value) \(senders.senders.compactMap(\.name))")
        }
        node.value = 1
        #expect(log.events == [#"1 ["end", "node"]"#, #"2 ["end", "node"]"#])
    }

    @Test("a set of the node from far downstream waits its turn as well")
    func fromDownstream() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let node = MutableNode<Int>()
        let middle = node.map { $0 }
        let end = middle.map { $0 }
        let side = node.map { $0 }
        middle.log("middle", to: log, by: listener)
        end.listened(by: listener).with { value in
            log.record("end\(value)")
            if value < 3 { node.value = value + 1 }
        }
        side.log("side", to: log, by: listener)
        node.value = 1
        #expect(
            log.events == [
                "middle1", "end1", "side1", "middle2", "end2", "side2", "middle3", "end3", "side3",
            ]
        )
    }

    @Test("a set of a node that is not delivering is delivered at once, inside the listener")
    func otherNode() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let node = MutableNode<Int>()
        let other = MutableNode<Int>()
        other.map { $0 }.log("end", to: log, by: listener)
        node.listened(by: listener).with { value in
            log.record("before")
            other.value = value
            log.record("after")
        }
        node.value = 1
        #expect(log.events == ["before", "end1", "after"])
    }

    @Test("two nodes whose listeners set each other take turns until they are done")
    func pingPong() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let ping = MutableNode<Int>()
        let pong = MutableNode<Int>()
        ping.listened(by: listener).with { value in
            log.record("ping\(value)")
            pong.value = value
        }
        pong.listened(by: listener).with { value in
            log.record("pong\(value)")
            if value < 3 { ping.value = value + 1 }
        }
        ping.value = 1
        #expect(log.events == ["ping1", "pong1", "ping2", "pong2", "ping3", "pong3"])
        #expect(ping.value == 3)
        #expect(pong.value == 3)
    }

    @Test("a value that reaches a delivering node from upstream waits too")
    func fromUpstream() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let first = MutableNode<Int>()
        let second = MutableNode<Int>()
        let node = Node<Int>()
        node.link(to: first)
        node.link(to: second)
        node.listened(by: listener).with { value in
            log.record("a\(value)")
            if value == 1 {
                second.setValue(2, context: "late")
                log.record("still \(node.value ?? 0)")
            }
        }
        node.listened(by: listener).withContext { log.record("b\($0) \($1 ?? "-")") }
        first.value = 1
        #expect(log.events == ["a1", "still 1", "b1 -", "a2", "b2 late"])
        #expect(node.value == 2)
    }

    @Test("a listener may set its node a thousand times at once, and none is lost")
    func manyAtOnce() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        node.listened(by: listener).with { value in
            if value == 0 { for next in 1...1000 { node.value = next } }
        }
        let heard = node.heard(by: listener)
        let heardBelow = node.map { $0 }.heard(by: listener)
        node.value = 0
        #expect(heard.events == Array(0...1000))
        #expect(heardBelow.events == Array(0...1000))
        #expect(node.value == 1000)
    }

    @Test("a listener may set its node again and again without a deeper stack")
    func manyInARow() throws {
        let last = Scale.scaled(100_000)
        let count = try runOnSmallStack {
            let listener = Lifetime()
            let node = MutableNode<Int>()
            let calls = Locked(0)
            node.listened(by: listener).with { value in
                calls.increment()
                if value < last { node.value = value + 1 }
            }
            node.value = 1
            return calls.value
        }
        #expect(count == last)
    }

    @Test("a set's context is released when the set is delivered, though a listener sets the node again and again")
    func contextsGo() {
        let (listener, tracker) = (Lifetime(), LifetimeTracker())
        let node = MutableNode<Int>()
        let most = Locked(0)
        node.listened(by: listener).with { [tracker] value in
            most.value = max(most.value, tracker.live.count)
            if value < 100 { node.setValue(value + 1, context: tracker.track("context")) }
        }
        node.value = 1
        // That of the value that is heard, and of the one that was heard before.
        #expect(most.value <= 2)
    }

    @Test("a set by an operator's closure belongs to the set that called it")
    func fromOperator() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let side = MutableNode(0)
        let mapped = node.map { value in
            side.value = value
            return value
        }
        let pair = combine(mapped, side).mapEach { "\($0),\($1)" }
        let heard = pair.heard(by: listener)
        node.value = 1
        node.value = 2
        #expect(heard.events == ["1,1", "2,2"])
    }

    @Test("a set by a listener that hears the present value on attaching is heard after it")
    func whileAttaching() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let log = Recorder<String>()
        node.listened(by: listener).with { value in
            log.record("in \(value)")
            if value < 3 { node.value = value + 1 }
            log.record("out \(value)")
        }
        #expect(log.events.filter { $0.hasPrefix("in") } == ["in 1", "in 2", "in 3"])
        #expect(node.value == 3)
    }
}
