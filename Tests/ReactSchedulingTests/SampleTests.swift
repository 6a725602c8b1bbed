import Dispatch
import ReactCore
import ReactScheduling
import ReactTesting
import TestSupport
import Testing

@Suite("sample")
struct SampleTests {
    let scheduler = VirtualScheduler()
    let lifetime = Lifetime()
    let log = Log<Int>()

    @Test("the first is passed on before the set returns, the newest when the interval is over, to the nanosecond")
    func exactTime() {
        let source = MutableNode(1)
        let result = source.sample(every: .seconds(1), on: scheduler)
        #expect(result.value == 1)
        scheduler.advance(by: .milliseconds(700))
        source.value = 2
        source.value = 3
        scheduler.advance(by: .nanoseconds(299_999_999))
        #expect(result.value == 1)
        scheduler.advance(by: .nanoseconds(1))
        #expect(result.value == 3)
        source.value = 4
        #expect(result.value == 3)
        scheduler.advance(by: .seconds(1))
        #expect(result.value == 4)
    }

    @Test("a value that comes when an interval has gone by without one is passed on at once, and begins an interval")
    func afterPause() {
        let source = MutableNode(1)
        let result = source.sample(every: .seconds(1), on: scheduler)
        scheduler.advance(by: .milliseconds(1_700))
        source.value = 2
        #expect(result.value == 2)
        source.value = 3
        scheduler.advance(by: .milliseconds(999))
        #expect(result.value == 2)
        scheduler.advance(by: .milliseconds(1))
        #expect(result.value == 3)
    }

    @Test("the interval is counted from the value, however long its listeners take")
    func slowListener() {
        let source = MutableNode(0)
        let result = source.sample(every: .seconds(1), on: scheduler)
        lifetime.listen(to: result).with { [scheduler] in
            guard $0 == 1 else { return }
            source.value = 2
            scheduler.advance(by: .milliseconds(900))
        }
        source.value = 1
        scheduler.advance(by: .seconds(1))
        #expect(result.value == 1)
        scheduler.advance(by: .milliseconds(100))
        #expect(result.value == 2)
    }

    @Test("between two values there is an interval at least, whenever values come")
    func spacing() {
        let source = MutableNode<Int>()
        let result = source.sample(every: .milliseconds(10), on: scheduler)
        let heard = Log<(value: Int, time: Duration)>()
        lifetime.listen(to: result).with { [scheduler] in heard.add(($0, scheduler.now)) }
        var random = SeededGenerator(seed: 20_261_121)
        for value in 0..<5_000 {
            source.value = value
            scheduler.advance(by: .milliseconds(Int(random.next() % 8) * (random.next() % 16 == 0 ? 10 : 1)))
        }
        scheduler.run()
        let entries = heard.entries
        #expect(entries.last?.value == 4_999)
        #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.value < $1.value })
        #expect(zip(entries, entries.dropFirst()).allSatisfy { $1.time - $0.time >= .milliseconds(10) })
        #expect(scheduler.pendingCount == 0)
    }

    @Test("the context is that of the value that is passed on")
    func context() {
        let source = MutableNode<Int>()
        let contexts = Log<String>()
        let result = source.sample(every: .seconds(1), on: scheduler)
        lifetime.listen(to: result).withContext { _, context in contexts.add(context as? String ?? "-") }
        source.setValue(1, context: "first")
        source.setValue(2, context: "second")
        source.setValue(3, context: "third")
        scheduler.run()
        #expect(contexts.entries == ["first", "third"])
    }

    @Test("many values make one timer an interval", arguments: [true, false])
    func timers(hasClock: Bool) {
        let counting = CountingScheduler(scheduler)
        let source = MutableNode<Int>()
        let result =
            hasClock
            ? source.sample(every: .seconds(1), on: counting)
            : source.sample(every: .seconds(1), on: PlainScheduler(base: counting))
        let count = Scale.gate.scaled(100_000)
        for value in 1...count {
            source.value = value
            if value.isMultiple(of: count / 10) { scheduler.advance(by: .seconds(1)) }
        }
        // The last interval has passed on a value, and so begun another.
        #expect(counting.timersMade == 11)
        #expect(counting.mostTimersPending == 1)
        scheduler.run()
        #expect(result.value == count)
        #expect(counting.timersPending == 0)
    }

    @Test("on a concurrent queue values are passed on in order, and the last is there at rest")
    func concurrentQueue() {
        let source = MutableNode<Int>()
        let result = source.sample(every: .microseconds(1), on: .global())
        let last = DispatchSemaphore(value: 0)
        lifetime.listen(to: result).with { [log] value in
            log.add(value)
            if value == 20_000 { last.signal() }
        }
        for value in 0...20_000 { source.value = value }
        #expect(last.waitForSignals())
        #expect(log.entries == log.entries.sorted())
        #expect(result.value == 20_000)
    }

    @Test(
        "an interval of zero or less ends the process, with the problem and the remedy", .enabled(if: Scale.runsTraps))
    func interval() async {
        let zero = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Node(1).sample(every: .zero, on: VirtualScheduler())
        }
        let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Node(1).sample(every: .seconds(-1), on: VirtualScheduler())
        }
        for (result, seconds) in [(zero, "0.0"), (negative, "-1.0")] {
            let message = misuse(in: result?.standardErrorContent)
            #expect(message.contains("sample: the interval must be greater than zero, and \(seconds) seconds is not."))
            #expect(message.contains("deliver(on:) passes on every value."))
        }
        #expect(placeOfMisuse(in: zero?.standardErrorContent) == "\(#fileID):\(#line - 11)")
    }

    @Test("the trap of debounce names debounce", .enabled(if: Scale.runsTraps))
    func debounceInterval() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Node(1).debounce(.zero, on: VirtualScheduler())
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("debounce: the interval must be greater than zero, and 0.0 seconds is not."))
        #expect(placeOfMisuse(in: result?.standardErrorContent) == "\(#fileID):\(#line - 5)")
    }

    @Test("keeping the first drops the values of the interval after it, and the next after that goes at once")
    func first() {
        let taps = MutableNode<Int>(), clock = VirtualScheduler()
        let heard = Heard(taps.sample(every: .seconds(1), on: clock, keeping: .first))
        taps.value = 1
        taps.value = 2
        clock.advance(by: .milliseconds(999))
        taps.value = 3
        #expect(heard.values == [1])
        clock.advance(by: .milliseconds(1))
        #expect(heard.values == [1])
        #expect(clock.pendingCount == 0)
        taps.value = 4
        #expect(heard.values == [1, 4])
        clock.run()
        #expect(heard.values == [1, 4])
    }
}
