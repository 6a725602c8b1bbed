import Dispatch
import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

@Suite("Stress", .serialized)
struct StressTests {
    private static let threadCount = 4
    private static let valuesPerThread = Scale.gate.isSmall ? 600 : 3_000
    /// So many values of one thread, then a chain is built, and another is dropped.
    private static let valuesPerChain = 50

    @Test("4 threads set through deliver → map → delay → listener, while such chains are built and dropped")
    func chains() {
        let hop = DispatchQueue(label: "hop", attributes: .concurrent)
        let end = DispatchQueue(label: "end")
        let timers = CountingScheduler(end)
        let source = MutableNode<Int>()
        let total = Self.threadCount * Self.valuesPerThread

        @Sendable func chain() -> Node<Int> {
            source.deliver(on: hop).map { $0 * 2 + 1 }.delay(.milliseconds(1), on: timers)
        }

        let heard = Log<Int>()
        let heardAll = DispatchSemaphore(value: 0)
        var lifetime: Lifetime? = Lifetime()
        lifetime?.listen(to: chain()).with { value in
            dispatchPrecondition(condition: .onQueue(end))
            heard.add(value)
            if heard.entries.count == total { heardAll.signal() }
        }

        let heardAfterRelease = Counter()
        DispatchQueue.concurrentPerform(iterations: Self.threadCount) { thread in
            var droppable: DroppableChain?
            for step in 0..<Self.valuesPerThread {
                source.value = thread * Self.valuesPerThread + step
                guard step.isMultiple(of: Self.valuesPerChain) else { continue }
                if let dropped = droppable {
                    droppable = nil
                    #expect(dropped.hasHeard.waitForSignals())
                    // On the queue where the chain's values are heard: none is half-way while it goes.
                    end.sync { dropped.release() }
                }
                let new = DroppableChain()
                new.lifetime.value?.listen(to: chain()).with { [signal = new.hasHeard, isReleased = new.isReleased] _ in
                    signal.signal()
                    if isReleased.value == true { heardAfterRelease.increment() }
                }
                droppable = new
            }
            end.sync { droppable?.release() }
        }

        #expect(heardAll.waitForSignals())
        let entries = heard.entries
        #expect(entries.sorted() == (0..<total).map { $0 * 2 + 1 }, "lost, or delivered twice")
        for thread in 0..<Self.threadCount {
            let range = thread * Self.valuesPerThread..<(thread + 1) * Self.valuesPerThread
            let own = entries.filter { range.contains($0 / 2) }
            #expect(own == own.sorted(), "out of order")
        }
        #expect(heardAfterRelease.value == 0)

        lifetime = nil
        // Work that still holds a chain while it runs is through when the queues are.
        hop.sync(flags: .barrier) {}
        end.sync {}
        #expect(!source.hasDownstreamNode)
        #expect(timers.timersPending == 0)
    }

    /// A chain that hears at least one value before it is released.
    private struct DroppableChain {
        let lifetime = Box<Lifetime>(Lifetime())
        let hasHeard = DispatchSemaphore(value: 0)
        let isReleased = Box<Bool>()

        func release() {
            lifetime.value = nil
            isReleased.value = true
        }
    }

    @Test("4 threads set through throttle on a concurrent queue, while such chains are built and dropped")
    func throttles() {
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let timers = CountingScheduler(queue)
        let source = MutableNode<Int>()
        let lastHeard = Box<Int>()
        let isSettled = DispatchSemaphore(value: 0)
        var lifetime: Lifetime? = Lifetime()
        lifetime?.listen(to: source.throttle(.milliseconds(2), on: timers)).with { value in
            lastHeard.value = value
            if value == -1 { isSettled.signal() }
        }
        DispatchQueue.concurrentPerform(iterations: Self.threadCount) { thread in
            var kept: [Node<Int>] = []
            for step in 0..<Self.valuesPerThread {
                source.value = thread * Self.valuesPerThread + step
                guard step.isMultiple(of: Self.valuesPerChain) else { continue }
                kept.append(source.throttle(.microseconds(step + 1), on: timers))
                if kept.count > 3 { kept.removeFirst() }
            }
        }
        source.value = -1
        #expect(isSettled.waitForSignals())
        #expect(lastHeard.value == -1)
        lifetime = nil
        queue.sync(flags: .barrier) {}
        #expect(!source.hasDownstreamNode)
        #expect(timers.timersPending == 0)
    }
}
