import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("settled")
struct SettledTests {
    @Test("settled passes on the last value of an outermost set or batch, once, after everything else")
    func once() {
        let node = MutableNode(1), other = MutableNode(10)
        let log = Recorder<String>()
        let lifetime = Lifetime()
        let settled = node.settled()
        settled.listened(by: lifetime).with { log.record("settled \($0)") }
        combine(combine(node, other).mapEach { $0 + $1 }, node).mapEach { "\($0) \($1)" }
            .listened(by: lifetime).with { log.record($0) }
        node.value = 2
        batch {
            node.value = 3
            other.value = 20
            node.value = 4
            #expect(settled.value == 2)
        }
        other.value = 30
        #expect(log.events == ["settled 1", "11 1", "12 2", "settled 2", "24 4", "settled 4", "34 4"])
    }

    @Test("settled names the nodes that its last value came through, and may return to others")
    func sendersOfTheLast() {
        let a = MutableNode(0).named("a"), b = MutableNode(0).named("b")
        let last = Node.merge([a, b]).settled()
        let heard = Recorder<[String]>(), lifetime = Lifetime()
        last.listened(by: lifetime).withSenderListAndContext { _, senders, _ in
            heard.record(senders.senders.compactMap(\.name))
        }
        a.link(to: last)
        defer { a.removeUpstreamNodes() }
        batch {
            a.value = 1
            b.value = 2
        }
        #expect(last.value == 2 && a.value == 2)
        #expect(heard.events.last == ["b"])
    }

    @Test("a settled node that its own listener sets again keeps its place before that listener's later sets")
    func ownListenerSets() {
        let a = MutableNode<Int>(), b = MutableNode<Int>(), lifetime = Lifetime(), log = Recorder<String>()
        let first = a.settled(), second = b.settled()
        second.listened(by: lifetime).with { log.record("b \($0)") }
        first.listened(by: lifetime).with {
            log.record("a \($0)")
            guard $0 == 1 else { return }
            a.value = 2
            b.value = 2
        }
        a.value = 1
        #expect(log.events == ["a 1", "a 2", "b 2"])
    }

    @Test("a settled node of a settled node whose listener sets its source again is heard once, with the last value")
    func settledOfSettled() {
        let a = MutableNode<Int>(), lifetime = Lifetime(), log = Recorder<Int>()
        let first = a.settled()
        first.listened(by: lifetime).with { if $0 == 1 { a.value = 2 } }
        let second = first.map { $0 * 10 }.settled()
        second.listened(by: lifetime).with { log.record($0) }
        a.value = 1
        #expect(log.events == [20])
    }

    @Test("sets by listeners and combinations are delivered before settled nodes fire")
    func cascade() {
        let node = MutableNode(1), goal = MutableNode(1)
        let lifetime = Lifetime()
        combine(node, goal).listened(by: lifetime).with { if $0 < $1 { node.value = $0 + 1 } }
        let heard = node.settled().recorded()
        let all = node.recorded()
        goal.value = 5
        #expect(all.events == [1, 2, 3, 4, 5])
        #expect(heard.events == [1, 5])
    }

    @Test(
        "settled nodes of settled nodes, and combinations of them, fire after their inputs, and end with the last values"
    )
    func nested() {
        let node = MutableNode(1)
        let first = node.settled()
        let second = first.map { $0 * 10 }.settled()
        let pair = combine(second, node).mapEach { "\($0) \($1)" }
        let log = Recorder<String>()
        let lifetime = Lifetime()
        first.listened(by: lifetime).with { log.record("first \($0)") }
        second.listened(by: lifetime).with { log.record("second \($0)") }
        batch {
            node.value = 2
            node.value = 3
        }
        #expect(log.events == ["first 1", "second 10", "first 3", "second 30"])
        #expect(pair.value == "30 3")
    }

    @Test("set from two threads, settled ends with the last value")
    func threads() async {
        let node = MutableNode(0)
        let settled = node.settled()
        let heard = settled.recorded()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<500 {
                        batch {
                            node.update { $0 += 1 }
                            node.update { $0 += 1 }
                        }
                    }
                }
            }
        }
        #expect(settled.value == 2_000)
        #expect(heard.events == heard.events.sorted())
    }
}
