import ReactOperators
import TestSupport
import Testing

@testable import ReactCore

@Suite("Limits of the engine") struct LimitsTests {
    @Test("a set pauses for others ten milliseconds in all, however often it has to")
    func pauses() {
        var budget = PauseBudget()
        var pauses: [Int] = []
        for _ in 0..<5 {
            pauses.append(budget.left(of: 4_000))
            budget.use(pauses.last ?? 0)
        }
        #expect(pauses == [4_000, 4_000, 2_000, 0, 0])
    }
    @Test("a pause that lasts longer than it should leaves no more than none")
    func overdrawn() {
        var budget = PauseBudget()
        budget.use(12_000)
        #expect(budget.left(of: 1) == 0)
    }
    @Test("a thread with a number above 32,767 chooses among nodes as any other does")
    func highThreadNumber() {
        // 40,000 · 2⁴⁸ + 2⁴⁷ leaves 0 when it is divided by 3.
        let begin = Epoch.start(of: 40_000)
        #expect((0..<4).map { Epoch.place(at: begin + $0, among: 3) } == [0, 1, 2, 0])
    }
    @Test("values that wait at a node arrive in order, even if more are queued meanwhile")
    func queue() {
        var queue = PendingQueue()
        let updates = (0..<5).map { _ in PendingDelivery() }
        queue.append(updates[0])
        queue.append(updates[1])
        #expect(queue.popFirst() === updates[0])
        queue.append(updates[2])
        #expect(queue.count == 2)
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
