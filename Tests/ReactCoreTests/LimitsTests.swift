import ReactOperators
import TestSupport
import Testing

@testable import ReactCore

@Suite("Limits of the engine") struct LimitsTests {
    @Test("values that wait at a node arrive in order, even if more are queued meanwhile")
    func queue() {
        var queue = Queue<PendingDelivery>()
        let updates = (0..<5).map { _ in PendingDelivery() }
        queue.append(updates[0])
        queue.append(updates[1])
        #expect(queue.popFirst() === updates[0])
        queue.append(updates[2])
        #expect(queue.popFirst() === updates[1])
        #expect(queue.popFirst() === updates[2])
        #expect(queue.popFirst() == nil && queue.isEmpty)
        queue.append(updates[3])
        queue.append(updates[4])
        #expect(queue.popFirst() === updates[3] && queue.popFirst() === updates[4] && queue.isEmpty)
    }
    @Test("a thread gives the memory back that its joins took in a huge batch")
    func joinQueue() {
        let source = MutableNode(0), count = Scale.gate.isSmall ? 5_000 : 10_000
        let sums = (0..<count).map { _ in combine(source, MutableNode(0)) { $0 + $1 } }
        source.value = 1
        #expect(sums.allSatisfy { $0.value == 1 })
        #expect(Engine.current.joins.capacity <= JoinQueue.mostKept)
    }
    @Test("taking an edge out of a list that holds another one ends the process", .enabled(if: Scale.runsTraps))
    func wrongEdge() async {
        await #expect(processExitsWith: .failure) {
            var slots = EdgeStorage(), deferred = DeferredReleases()
            let edge = LinkTransform<Int>(), other = LinkTransform<Int>()
            slots.insert(.passRetained(edge), at: .source, &deferred)
            slots.remove(other, &deferred)
        }
    }
}
