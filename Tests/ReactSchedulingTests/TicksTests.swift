import Dispatch
import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

@Suite("ticks")
struct TicksTests {
    let scheduler = VirtualScheduler()
    let lifetime = Lifetime()
    let log = Log<Int>()

    @Test("a node ticks 0, 1, 2, …, the first when one interval is over, to the nanosecond")
    func exactTime() {
        let ticks = Node.ticks(every: .seconds(1), on: scheduler)
        #expect(!ticks.isMutable)
        scheduler.advance(by: .nanoseconds(999_999_999))
        #expect(ticks.isEmpty)
        scheduler.advance(by: .nanoseconds(1))
        #expect(ticks.value == 0)
        lifetime.listen(to: ticks).with { [log] in log.add($0) }
        scheduler.advance(by: .seconds(3))
        #expect(log.entries == [0, 1, 2, 3])
        #expect(ticks.upstreamTransforms.map(\.name) == ["Ticks"])
    }

    @Test("a scheduler's timer that goes may end the ticking: no lock is held")
    func timerGoes() {
        let ticks = Locked<Node<Int>?>(nil)
        ticks.value = Node.ticks(
            every: .seconds(1),
            on: PartingScheduler(scheduler: scheduler) {
                if ticks.value?.value == 1 { ticks.value?.removeUpstreamNodes() }
            })
        scheduler.advance(by: .seconds(5))
        #expect(ticks.value?.value == 1)
        #expect(scheduler.pendingCount == 0)
    }

    @Test("the ticking keeps nothing alive, and leaves no timer")
    func lifetimeOfNode() {
        weak var node: Node<Int>?
        weak var held: Payload?
        do {
            let payload = Payload()
            let ticks = Node.ticks(every: .seconds(1), on: scheduler)
            let derived = ticks.map { [payload] tick in (tick, payload) }
            (node, held) = (ticks, payload)
            scheduler.advance(by: .seconds(2))
            #expect(derived.value?.0 == 1)
        }
        #expect(node == nil)
        #expect(held == nil)
        #expect(scheduler.pendingCount == 0)
    }

    @Test("a node that is let go of by a listener of its own tick is gone, and ticks no more")
    func releasedByListener() {
        let held = Box(Node.ticks(every: .seconds(1), on: scheduler))
        let listener = Box(Lifetime())
        if let ticks = held.value {
            listener.value?.listen(to: ticks).with { [log] tick in
                log.add(tick)
                if tick == 1 { (held.value, listener.value) = (nil, nil) }
            }
        }
        scheduler.advance(by: .seconds(5))
        #expect(log.entries == [0, 1])
        #expect(scheduler.pendingCount == 0)
    }

    @Test("cutting the upstream edge ends the ticking, and leaves no timer")
    func cut() {
        let ticks = Node.ticks(every: .seconds(1), on: scheduler)
        scheduler.advance(by: .seconds(2))
        ticks.removeUpstreamNodes()
        #expect(scheduler.pendingCount == 0)
        scheduler.advance(by: .seconds(2))
        #expect(ticks.value == 1)
    }

    @Test("the ticking ends, and leaves no timer, when the node goes though its transform is held")
    func transformHeld() {
        var ticks: Node<Int>? = .ticks(every: .seconds(1), on: scheduler)
        let transform = ticks?.upstreamTransforms.first
        scheduler.advance(by: .seconds(2))
        ticks = nil
        #expect(scheduler.pendingCount == 0)
        withExtendedLifetime(transform) {}
    }

    @Test("given another `to`, the transform ticks on there; without one, it has ended")
    func target() throws {
        let ticks = Node.ticks(every: .seconds(1), on: scheduler), other = Node<Int>()
        let transform = try #require(ticks.upstreamTransforms.first as? Transform<Int, Int>)
        scheduler.advance(by: .seconds(1))
        transform.to = other
        scheduler.advance(by: .seconds(1))
        #expect(ticks.value == 0)
        #expect(other.value == 1)
        transform.to = nil
        #expect(scheduler.pendingCount == 0)
    }

    @Test("given a `to` in a busy graph, the transform ticks on there when that is free")
    func busyTarget() throws {
        let ticks = Node.ticks(every: .seconds(1), on: scheduler), other = MutableNode(-1)
        let transform = try #require(ticks.upstreamTransforms.first as? Transform<Int, Int>)
        scheduler.advance(by: .seconds(1))
        let busy = BusyGraph(of: other, setting: -2)
        transform.to = other
        busy.end()
        scheduler.advance(by: .seconds(1))
        #expect(ticks.value == 0)
        #expect(other.value == 1)
    }

    @Test("at the end of time, after which no tick can be due, the ticking ends")
    func endOfTime() {
        let longest = Duration(attoseconds: .max)
        let ticks = Node.ticks(every: longest, on: scheduler)
        lifetime.listen(to: ticks).with { [log] tick in
            log.add(tick)
            // The time would never be over.
            if tick == 3 { ticks.removeUpstreamNodes() }
        }
        scheduler.advance(by: longest)
        #expect(log.entries == [0])
        #expect(scheduler.pendingCount == 0)
    }

    @Test("a late tick delays none; one later than an interval is followed by the next at once")
    func late() {
        let slow = HandScheduler(reading: .zero)
        let ticks = Node.ticks(every: .seconds(10), on: slow)
        lifetime.listen(to: ticks).with { [log] in log.add($0) }
        #expect(slow.intervals == [.seconds(10)])
        slow.reading = .seconds(13)
        slow.take()()
        #expect(slow.intervals == [.seconds(10), .seconds(7)])
        slow.reading = .seconds(45)
        slow.take()()
        #expect(slow.intervals == [.seconds(10), .seconds(7), .zero])
        slow.take()()
        #expect(slow.intervals == [.seconds(10), .seconds(7), .zero, .seconds(10)])
        #expect(log.entries == [0, 1, 2])
    }

    @Test("on a concurrent queue the ticks come in order, one at a time")
    func concurrentQueue() {
        let last = DispatchSemaphore(value: 0)
        let ticks = Node.ticks(every: .microseconds(10), on: .global())
        lifetime.listen(to: ticks).with { [log] tick in
            log.add(tick)
            if tick == 500 { last.signal() }
        }
        #expect(last.waitForSignals())
        let first = log.entries.first ?? 0
        #expect(Array(log.entries.prefix(501 - first)) == Array(first...500))
    }

    @Test(
        "an interval of zero or less ends the process, with the problem and the remedy", .enabled(if: Scale.runsTraps))
    func interval() async {
        let zero = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Node.ticks(every: .zero, on: VirtualScheduler())
        }
        let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Node.ticks(every: .seconds(-1), on: VirtualScheduler())
        }
        for (result, seconds) in [(zero, "0.0"), (negative, "-1.0")] {
            let message = misuse(in: result?.standardErrorContent)
            #expect(message.contains("ticks: the interval must be greater than zero, and \(seconds) seconds is not."))
            #expect(message.contains("Pass the time from one number to the next."))
        }
        #expect(placeOfMisuse(in: zero?.standardErrorContent) == "\(#fileID):\(#line - 11)")
    }
}
