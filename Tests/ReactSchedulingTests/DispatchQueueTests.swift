import Dispatch
import ReactCore
import ReactScheduling
import Testing

@Suite("DispatchQueue as a scheduler")
struct DispatchQueueTests {
    let queue = DispatchQueue(label: "test")
    let done = DispatchSemaphore(value: 0)
    let log = Log<Int>()

    @Test("immediate work runs on the queue, in order")
    func immediate() {
        for number in 0..<1_000 {
            queue.schedule {
                dispatchPrecondition(condition: .onQueue(queue))
                log.add(number)
            }
        }
        queue.sync {}
        #expect(log.entries == Array(0..<1_000))
    }

    @Test("work after an interval runs on the queue, by time and not by order of scheduling")
    func later() {
        let hour = queue.schedule(after: .seconds(3_600)) { log.add(2) }
        queue.schedule(after: .milliseconds(5)) {
            dispatchPrecondition(condition: .onQueue(queue))
            log.add(1)
            done.signal()
        }
        #expect(done.waitForSignals())
        #expect(log.entries == [1])
        hour.cancel()
    }

    @Test("work does not run before its interval has passed")
    func notTooEarly() {
        let interval = Duration.milliseconds(30)
        let start = ContinuousClock.now
        queue.schedule(after: interval) {
            #expect(ContinuousClock.now - start >= interval)
            done.signal()
        }
        #expect(done.waitForSignals())
    }

    @Test("an interval of zero or less has passed already", arguments: [Duration.zero, .seconds(-5)])
    func noInterval(interval: Duration) {
        queue.schedule(after: interval) { done.signal() }
        #expect(done.waitForSignals())
    }

    @Test(
        "work that is scheduled for now runs before work that is scheduled after it",
        arguments: [Duration.zero, .seconds(-5)])
    func order(interval: Duration) {
        queue.suspend()
        queue.schedule(after: interval) { log.add(1) }
        queue.schedule(after: interval) { log.add(0) }.cancel()
        queue.schedule {
            log.add(2)
            done.signal()
        }
        queue.resume()
        #expect(done.waitForSignals())
        #expect(log.entries == [1, 2])
    }

    @Test(
        "an interval beyond the reach of the clock is accepted, never passes, and can be cancelled",
        arguments: [Duration.seconds(Int64.max), .seconds(4_000_000_000)]
    )
    func endlessInterval(interval: Duration) {
        let timer = queue.schedule(after: interval) { log.add(0) }
        queue.schedule(after: .milliseconds(5)) { done.signal() }
        #expect(done.waitForSignals())
        timer.cancel()
        #expect(log.entries == [])
    }

    @Test("cancelled work does not run")
    func cancel() {
        queue.suspend()
        let timer = queue.schedule(after: .milliseconds(1)) { log.add(1) }
        queue.schedule(after: .milliseconds(40)) { done.signal() }
        timer.cancel()
        timer.cancel()
        queue.resume()
        #expect(done.waitForSignals())
        #expect(log.entries == [])
    }

    @Test("cancelled work is let go of at once, not when it would have been due")
    func cancelledWorkGoes() {
        weak var held: Payload?
        let timer: any Cancelable
        do {
            let payload = Payload()
            held = payload
            timer = queue.schedule(after: .seconds(3_600)) { _ = payload }
        }
        #expect(held != nil)
        timer.cancel()
        #expect(held == nil)
    }

    @Test("a timer that has fired goes, with its work")
    func firedTimerGoes() {
        weak var held: Payload?
        weak var timer: (any Cancelable)?
        do {
            let payload = Payload()
            held = payload
            timer = queue.schedule(after: .milliseconds(1)) { _ = payload }
        }
        while held != nil || timer != nil { queue.sync {} }
    }

    @Test("a timer that nobody keeps fires all the same")
    func unkeptTimer() {
        queue.schedule(after: .milliseconds(5)) { done.signal() }
        #expect(done.waitForSignals())
    }

    @Test("`.main` and `.global()` can be written where a scheduler is asked for")
    func shorthands() {
        func label(_ scheduler: some Scheduler) -> String? { (scheduler as? DispatchQueue)?.label }
        #expect(label(.main) == DispatchQueue.main.label)
        #expect(label(.global()) == DispatchQueue.global().label)
        #expect(label(.global(qos: .utility)) == DispatchQueue.global(qos: .utility).label)
        #expect(label(.global()) != label(.global(qos: .utility)))
    }

    @Test("the clock of a queue is the one by which its timers run")
    func clock() throws {
        let start = try #require(queue.clockReading)
        let interval = Duration.milliseconds(15)
        queue.schedule(after: interval) { done.signal() }
        #expect(done.waitForSignals())
        let end = try #require(queue.clockReading)
        #expect(end - start >= interval)
    }
}
