import Dispatch
import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

@Suite("A loop goes on when the outermost set is over")
struct ValuesAfterSetTests {
    let a = MutableNode(1), b = MutableNode(10)
    let sum: Node<Int>
    let lifetime = Lifetime()

    init() { sum = a.combine(b).map { $0 + $1 } }

    @Test("in a batch a loop is not resumed before its end, and then gets the newest")
    func batches() {
        let loop = Loop(a.values)
        batch {
            a.value = 2
            #expect(!loop.isResumed)
            a.value = 3
            b.value = 20
            #expect(!loop.isResumed)
        }
        #expect(loop.isResumed)
        #expect(loop.run() == [1, 3])
        loop.cancel()
    }

    @Test("a line that keeps all has all that the batch set")
    func batchKeepsAll() {
        let loop = Loop(a.values(buffering: .all))
        batch { for value in 2...5 { a.value = value } }
        #expect(loop.run() == [1, 2, 3, 4, 5])
        loop.cancel()
    }

    @Test("a combination of the nodes that the loop reads is up to date when a set resumes the loop")
    func derived() {
        let sums = Recorder<Int>()
        let loop = Loop(a.values) { [sum] _ in sums.record(sum.value!) }
        // In mid-delivery, after the loop's edge was called and before the combination fires.
        a.listened(by: lifetime).with { value in if value > 1 { #expect(!loop.isResumed) } }
        a.value = 2
        #expect(loop.run() == [1, 2])
        #expect(sums.take() == [11, 12])
        loop.cancel()
    }

    @Test("a set by a listener belongs to the set that called it")
    func nested() {
        let loop = Loop(b.values)
        a.listened(by: lifetime).with { [b] value in
            b.value = 10 * value
            if value > 1 { #expect(!loop.isResumed) }
        }
        loop.run()
        a.value = 2
        #expect(loop.run() == [20])
        loop.cancel()
    }

    @Test("a loop that asks in the middle of another thread's batch waits for its end")
    func askedInMidBatch() {
        let loop = Loop(a.values, takes: 2) { [a, busy] value in
            guard value == 1 else { return }
            busy.value = BusyGraph(of: a, setting: 2)
        }
        // The loop has asked by now, and the batch is open.
        #expect(loop.run() == [1])
        #expect(!loop.isResumed)
        busy.value!.end()
        #expect(loop.run() == [2])
        #expect(loop.isOver)
    }
    private let busy = Box<BusyGraph>()

    @Test("a set that another thread's batch holds up is read at once, and told after the batch")
    func otherThreadsBatch() {
        let loop = Loop(a.values)
        let busy = BusyGraph(of: a, setting: 2)
        #expect(!loop.isResumed)
        // The batch keeps the graph busy, so this set is late.
        a.value = 3
        #expect(loop.run() == [1] && a.value == 3)
        busy.end()
        #expect(loop.run().last == 3)
        loop.cancel()
    }

    @Test("a line that keeps all holds a later value back until the batch of the first is over")
    func orderAcrossThreads() {
        let loop = Loop(a.values(buffering: .all))
        let busy = BusyGraph(of: a, setting: 2)
        a.value = 3
        #expect(loop.run() == [1])
        busy.end()
        #expect(loop.run() == [2, 3])
        loop.cancel()
    }
}
