import Dispatch
import ReactCore
import ReactScheduling
import TestSupport
import Testing

@Suite("VirtualScheduler")
struct VirtualSchedulerTests {
    let scheduler = VirtualScheduler()
    let log = Log<String>()

    @Test("due work runs by time, and within one time by order of scheduling")
    func order() {
        scheduler.schedule(after: .seconds(2)) { log.add("c") }
        scheduler.schedule(after: .seconds(1)) { log.add("a") }
        scheduler.schedule(after: .seconds(2)) { log.add("d") }
        scheduler.schedule(after: .seconds(1)) { log.add("b") }
        scheduler.advance(by: .seconds(2))
        #expect(log.entries == ["a", "b", "c", "d"])
    }

    @Test("a tie is broken by the order of scheduling, whenever that was")
    func tie() {
        scheduler.schedule(after: .seconds(3)) { log.add("first") }
        scheduler.advance(by: .seconds(1))
        scheduler.schedule(after: .seconds(2)) { log.add("second") }
        scheduler.advance(by: .seconds(1))
        scheduler.schedule(after: .seconds(1)) { log.add("third") }
        scheduler.run()
        #expect(log.entries == ["first", "second", "third"])
    }

    @Test("run ends with a message if work always schedules more", .enabled(if: Scale.runsTraps))
    func endless() async throws {
        let ticking = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let clock = VirtualScheduler()
            let ticks = Node.ticks(every: .seconds(1), on: clock)
            clock.run()
            _ = ticks
        }
        let message = misuse(in: ticking?.standardErrorContent)
        for part in ["VirtualScheduler.run()", "1000000 pieces", "ticks", "advance(by:)", "run(atMost:)"] {
            #expect(message.contains(part), "\(message)")
        }
        let place = placeOfMisuse(in: ticking?.standardErrorContent)
        #expect(place.contains("VirtualSchedulerTests.swift"))
        let sleeping = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let clock = VirtualScheduler(), question = MutableNode(1)
            let answer = question.mapLatest(executorPreference: clock) { _ in
                while true { try await Task.sleep(for: .seconds(1), clock: clock.clock) }
            }
            clock.run(atMost: 1_000)
            _ = answer
        }
        let other = misuse(in: sleeping?.standardErrorContent)
        #expect(other.contains("1000 pieces"), "\(other)")
    }

    @Test("run may be told how much work there is")
    func atMost() {
        let ran = Log<Int>()
        for number in 1...100 { scheduler.schedule(after: .seconds(number)) { ran.add(number) } }
        scheduler.run(atMost: 100)
        #expect(ran.entries.count == 100)
        scheduler.run(atMost: 0)
    }

    @Test("many pieces of work, scheduled in any order, run sorted by time and order of scheduling")
    func manyPieces() {
        var random = SeededGenerator(seed: 20_260_101)
        let delays = (0..<2_000).map { _ in Int(random.next() % 50) }
        let ran = Log<Int>()
        for (index, delay) in delays.enumerated() {
            scheduler.schedule(after: .seconds(delay)) { ran.add(index) }
        }
        scheduler.run()
        let expected = delays.enumerated().sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(\.offset)
        #expect(ran.entries == expected)
    }

    @Test("nothing runs before the clock is moved, and immediate work runs when it is moved by nothing")
    func immediate() {
        scheduler.schedule { log.add("a") }
        #expect(log.entries == [])
        scheduler.advance()
        #expect(log.entries == ["a"])
        #expect(scheduler.now == .zero)
    }

    @Test("work runs when its time has come, not a moment before")
    func exactTime() {
        scheduler.schedule(after: .milliseconds(10)) { log.add("a") }
        scheduler.advance(by: .nanoseconds(9_999_999))
        #expect(log.entries == [])
        scheduler.advance(by: .nanoseconds(1))
        #expect(log.entries == ["a"])
    }

    @Test("now is the time of the work that runs, and the end of the step when it is over")
    func now() {
        scheduler.schedule(after: .seconds(2)) { log.add("\(scheduler.now)") }
        scheduler.advance(by: .seconds(5))
        #expect(log.entries == ["2.0 seconds"])
        #expect(scheduler.now == .seconds(5))
        #expect(scheduler.clockReading == .seconds(5))
    }

    @Test("work scheduled by work runs in the same step if it falls due in it")
    func workSchedulesWork() {
        scheduler.schedule(after: .seconds(1)) {
            log.add("a")
            scheduler.schedule { log.add("at once, after what was scheduled before") }
            scheduler.schedule(after: .seconds(1)) { log.add("c") }
            scheduler.schedule(after: .seconds(2)) { [log] in log.add("too late") }
        }
        scheduler.schedule(after: .seconds(1)) { log.add("b") }
        scheduler.advance(by: .seconds(2))
        #expect(log.entries == ["a", "b", "at once, after what was scheduled before", "c"])
        #expect(scheduler.pendingCount == 1)
    }

    @Test("work may move the clock itself, and the clock never goes back")
    func nestedAdvance() {
        scheduler.schedule(after: .seconds(1)) {
            scheduler.advance(by: .seconds(10))
            log.add("\(scheduler.now)")
        }
        scheduler.schedule(after: .seconds(5)) { log.add("inner \(scheduler.now)") }
        scheduler.advance(by: .seconds(2))
        #expect(log.entries == ["inner 5.0 seconds", "11.0 seconds"])
        #expect(scheduler.now == .seconds(11))
    }

    @Test("run goes on until nothing is left, and stops the clock at the last work")
    func runToEnd() {
        scheduler.schedule(after: .seconds(1)) {
            scheduler.schedule(after: .seconds(41)) { log.add("end") }
        }
        scheduler.run()
        #expect(log.entries == ["end"])
        #expect(scheduler.now == .seconds(42))
        #expect(scheduler.pendingCount == 0)
    }

    @Test("an interval below zero is due now")
    func negativeInterval() {
        scheduler.advance(by: .seconds(3))
        scheduler.schedule(after: .seconds(-2)) { log.add("\(scheduler.now)") }
        scheduler.advance()
        #expect(log.entries == ["3.0 seconds"])
    }

    @Test("cancelled work does not run, also when work that is due with it cancels it")
    func cancel() {
        let cancelled = scheduler.schedule(after: .seconds(1)) { log.add("cancelled") }
        let later = Box<any Cancelable>()
        scheduler.schedule(after: .seconds(1)) { later.value?.cancel() }
        later.value = scheduler.schedule(after: .seconds(1)) { log.add("cancelled by work") }
        let kept = scheduler.schedule(after: .seconds(1)) { log.add("kept") }
        cancelled.cancel()
        cancelled.cancel()
        scheduler.run()
        kept.cancel()
        #expect(log.entries == ["kept"])
    }

    @Test("work that ran, or was cancelled, is let go of at once")
    func lettingGo() {
        weak var ran: Payload?
        weak var cancelled: Payload?
        let cancelable: any Cancelable
        do {
            let first = Payload()
            let second = Payload()
            (ran, cancelled) = (first, second)
            scheduler.schedule { _ = first }
            cancelable = scheduler.schedule(after: .seconds(1)) { _ = second }
        }
        #expect(ran != nil && cancelled != nil)
        scheduler.advance()
        #expect(ran == nil && cancelled != nil)
        cancelable.cancel()
        #expect(cancelled == nil)
        #expect(scheduler.pendingCount == 0)
    }

    @Test("many cancelled timers leave the order of the rest as it was")
    func manyCancelled() {
        scheduler.schedule(after: .seconds(2)) { log.add("b") }
        for _ in 0..<100_000 { scheduler.schedule(after: .seconds(1)) {}.cancel() }
        scheduler.schedule(after: .seconds(2)) { log.add("c") }
        scheduler.schedule(after: .seconds(1)) { log.add("a") }
        #expect(scheduler.pendingCount == 3)
        scheduler.run()
        #expect(log.entries == ["a", "b", "c"])
    }

    @Test("work scheduled and cancelled by many threads while another moves the clock runs once or never")
    func threads() {
        let ran = Counter()
        let cancelled = Counter()
        DispatchQueue.concurrentPerform(iterations: 5) { thread in
            if thread == 0 {
                for _ in 0..<500 { scheduler.advance(by: .milliseconds(1)) }
                return
            }
            for step in 0..<2_000 {
                let counter = step.isMultiple(of: 4) ? cancelled : ran
                let cancelable = scheduler.schedule(after: .milliseconds(step % 7)) { counter.increment() }
                if step.isMultiple(of: 4) { cancelable.cancel() }
            }
        }
        scheduler.run()
        #expect(ran.value == 4 * 1_500)
        #expect(cancelled.value <= 4 * 500)
        #expect(scheduler.pendingCount == 0)
    }

    @Test("time ends with the longest duration: the clock stops there, and work that is due then runs")
    func endOfTime() {
        let longest = Duration(attoseconds: .max)
        scheduler.schedule(after: longest) { log.add("at the end of time") }
        for _ in 1...20 { scheduler.advance(by: .seconds(Int64.max)) }
        #expect(scheduler.now == longest)
        #expect(log.entries == ["at the end of time"])
        scheduler.schedule(after: .seconds(1)) { log.add("later") }
        scheduler.advance(by: longest)
        #expect(log.entries == ["at the end of time", "later"])
    }

    @Test("operators take the longest interval there is", arguments: TimeOperator.plain)
    func longestInterval(operation: TimeOperator) {
        scheduler.advance(by: .seconds(1))
        let source = MutableNode(1)
        let result = operation.apply(to: source, on: scheduler, interval: Duration(attoseconds: .max))
        source.value = 2
        scheduler.run()
        #expect(result.value == 2)
    }

    @Test("a step back in time ends the process with a message", .enabled(if: Scale.runsTraps))
    func negativeStep() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            VirtualScheduler().advance(by: .seconds(-1))
        }
        let message = misuse(in: result?.standardErrorContent)
        #expect(message.contains("the clock cannot go back, and -1.0 seconds is negative."))
        #expect(placeOfMisuse(in: result?.standardErrorContent) == "\(#fileID):\(#line - 5)")
    }
}
