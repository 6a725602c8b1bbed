import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Visits of other threads", .serialized) struct ForeignVisitsTests {
    @Test("a value goes round a ring through a combination once, while another thread attaches to every node of it")
    func attachedByAnother() {
        let sets = Scale.heavy(50_000)
        let (source, constant) = (MutableNode(0), MutableNode(100))
        let node = Node<Int>()
        node.link(to: source)
        let passed = node.map { $0 }
        let sum = combine(passed, constant).mapEach { $0 + $1 }
        let back = node.link(to: sum)
        let listener = Lifetime()
        source.value = 1
        let heard = Recorder<Int>()
        node.listened(by: listener).with { heard.record($0) }
        _ = heard.take()
        let isOver = Locked(false)
        concurrently(2) { thread in
            if thread == 0 {
                for turn in 1...sets { source.value = turn }
                isOver.value = true
            } else {
                while !isOver.value {
                    for node in [node, passed, sum] {
                        node.listened(by: listener).with { _ in }.cancel()
                        _ = node.map { $0 }
                    }
                }
            }
        }
        waitForLate(at: node)
        #expect(heard.count == sets)
        #expect(heard.events.allSatisfy { $0 <= sets })
        back.cancel()
    }
}
