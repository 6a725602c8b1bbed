import Dispatch
import ReactCore
import ReactScheduling
import TestSupport
import Testing

@Suite("throttle")
struct ThrottleTests {
    let scheduler = VirtualScheduler()
    let lifetime = Lifetime()
    let log = Log<Int>()

    @Test("the newest value is passed on when it has been quiet for the interval, to the nanosecond")
    func exactTime() {
        let source = MutableNode(1)
        let result = source.throttle(.seconds(1), on: scheduler)
        scheduler.advance(by: .milliseconds(700))
        source.value = 2
        scheduler.advance(by: .milliseconds(999))
        #expect(result.isEmpty)
        scheduler.advance(by: .nanoseconds(999_999))
        #expect(result.isEmpty)
        scheduler.advance(by: .nanoseconds(1))
        #expect(result.value == 2)
    }

    @Test("the context is that of the value that is passed on")
    func context() {
        let source = MutableNode<Int>()
        let result = source.throttle(.seconds(1), on: scheduler)
        let contexts = Log<String>()
        lifetime.listen(to: result).withContext { _, context in contexts.add(context as? String ?? "-") }
        source.setValue(1, context: "first")
        source.setValue(2, context: "second")
        scheduler.run()
        #expect(contexts.entries == ["second"])
    }

    @Test("very many values leave one timer pending, and make few")
    func millionValues() {
        let counting = CountingScheduler(scheduler)
        let source = MutableNode<Int>()
        let result = source.throttle(.seconds(1), on: counting)
        let count = Scale.gate.isSmall ? 20_000 : 1_000_000
        for value in 0..<count {
            source.value = value
            if value.isMultiple(of: count / 10) { scheduler.advance(by: .milliseconds(500)) }
        }
        #expect(counting.mostTimersPending == 1)
        // The clock moved ten times, and a timer is made when one has fired.
        #expect(counting.timersMade <= 11)
        #expect(result.isEmpty)
        scheduler.run()
        #expect(result.value == count - 1)
        #expect(counting.timersPending == 0)
    }

    @Test("many values leave one timer pending on a scheduler without a clock too")
    func manyValuesWithoutClock() {
        let counting = CountingScheduler(PlainScheduler(base: scheduler))
        let source = MutableNode<Int>()
        let result = source.throttle(.seconds(1), on: counting)
        let last = Scale.gate.scaled(100_000)
        for value in 0...last { source.value = value }
        #expect(counting.mostTimersPending == 1)
        #expect(scheduler.pendingCount == 1)
        scheduler.run()
        #expect(result.value == last)
        #expect(counting.timersPending == 0)
    }

    @Test("many values leave one timer pending on a real queue")
    func manyValuesOnQueue() {
        let counting = CountingScheduler(DispatchQueue(label: "throttle"))
        let source = MutableNode<Int>()
        let result = source.throttle(.milliseconds(50), on: counting)
        let last = Scale.gate.scaled(100_000), hasHeardLast = DispatchSemaphore(value: 0)
        lifetime.listen(to: result).with { if $0 == last { hasHeardLast.signal() } }
        for value in 0...last { source.value = value }
        #expect(hasHeardLast.waitForSignals())
        #expect(counting.mostTimersPending == 1)
        #expect(counting.timersPending == 0)
    }

    @Test("throttle in a throttled ring of listeners holds no lock while it passes a value on")
    func mutualSets() {
        let left = MutableNode(0)
        let right = MutableNode<Int>()
        let settledLeft = left.throttle(.seconds(1), on: scheduler)
        let settledRight = right.throttle(.seconds(1), on: scheduler)
        lifetime.listen(to: settledLeft).with { right.value = $0 + 1 }
        lifetime.listen(to: settledRight).with { [log] value in
            log.add(value)
            if value < 10 { left.value = value + 1 }
        }
        scheduler.run()
        #expect(log.entries == [1, 3, 5, 7, 9, 11])
    }

    @Test(
        "an interval of zero or less ends the process, with the problem and the remedy", .enabled(if: Scale.runsTraps))
    func interval() async {
        let zero = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Node(1).throttle(.zero, on: VirtualScheduler())
        }
        let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Node(1).throttle(.seconds(-1), on: VirtualScheduler())
        }
        for (result, seconds) in [(zero, "0.0"), (negative, "-1.0")] {
            let message = misuse(in: result?.standardErrorContent)
            #expect(
                message.contains("throttle: the interval must be greater than zero, and \(seconds) seconds is not."))
            #expect(message.contains("deliver(on:) passes on every value."))
        }
        #expect(placeOfMisuse(in: zero?.standardErrorContent) == "\(#fileID):\(#line - 12)")
    }
}
