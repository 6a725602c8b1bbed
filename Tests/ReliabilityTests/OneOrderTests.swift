import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Nothing lost, one order", .serialized) struct OneOrderTests {
    @Test(
        "four threads set one node: nothing is lost, everyone sees one order, each thread's sets in its own"
    )
    func oneOrder() {
        let sets = Scale.heavy(250_000)
        let listener = Lifetime()
        let node = MutableNode<Stamp>()
        var hearings: [Hearing] = []
        for index in 0..<10 {
            let chain = (0...index).reduce(node as Node<Stamp>) { end, _ in
                end.map { Stamp(thread: $0.thread, turn: $0.turn) }
            }
            for node in [node, chain] {
                let hearing = Hearing()
                node.listened(by: listener).with { hearing.hear($0) }
                hearings.append(hearing)
            }
        }
        concurrently(4) { thread in
            for turn in 0..<sets { node.value = Stamp(thread: thread, turn: turn) }
        }
        waitForLate(at: node)
        let first = hearings[0].heard
        #expect(first.count == 4 * sets)
        #expect(first.firstFault == nil)
        #expect(node.value == first.last, "the last value delivered is the value stored")
        for (index, hearing) in hearings.enumerated() where hearing.heard != first {
            Issue.record("receiver \(index) heard \(hearing.heard), the first \(first)")
        }
    }
}
