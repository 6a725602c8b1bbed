import ReactCore
import ReactScheduling
import TestSupport
import Testing

@Suite("VirtualClock")
struct VirtualClockTests {
    let scheduler = VirtualScheduler()
    let log = Log<String>()

    /// A task that sleeps, and says when it wakes; it prefers the scheduler as its executor.
    @discardableResult private func sleeper(_ name: String, _ duration: Duration) -> Task<Void, any Error> {
        Task(executorPreference: scheduler) { [scheduler, log] in
            do {
                try await Task.sleep(for: duration, clock: scheduler.clock)
                log.add("\(name) \(scheduler.now)")
            } catch {
                log.add("\(name) cancelled \(scheduler.now)")
                throw error
            }
        }
    }

    @Test("advance wakes sleepers by time, and those of one time in the order in which they went to sleep")
    func order() {
        sleeper("c", .seconds(2))
        sleeper("a", .seconds(1))
        sleeper("d", .seconds(2))
        sleeper("b", .seconds(1))
        scheduler.advance()
        #expect(log.entries == [])
        #expect(scheduler.pendingCount == 4)
        scheduler.advance(by: .seconds(3))
        #expect(log.entries == ["a 1.0 seconds", "b 1.0 seconds", "c 2.0 seconds", "d 2.0 seconds"])
        #expect(scheduler.pendingCount == 0)
    }

    @Test("a task sleeps to the nanosecond, again and again in one step of the clock")
    func exactTime() {
        Task(executorPreference: scheduler) { [scheduler, log] in
            for _ in 1...3 {
                try await scheduler.clock.sleep(for: .milliseconds(10))
                log.add("\(scheduler.now)")
            }
        }
        scheduler.advance(by: .nanoseconds(9_999_999))
        #expect(log.entries == [])
        scheduler.advance(by: .nanoseconds(1))
        #expect(log.entries == ["0.01 seconds"])
        scheduler.advance(by: .seconds(1))
        #expect(log.entries == ["0.01 seconds", "0.02 seconds", "0.03 seconds"])
    }

    @Test("tasks and other work that fall due together take their turns in the order of scheduling")
    func amongOtherWork() {
        scheduler.schedule(after: .seconds(1)) { [log] in log.add("before") }
        sleeper("task", .seconds(1))
        scheduler.advance()
        scheduler.schedule(after: .seconds(1)) { [log] in log.add("after") }
        scheduler.advance(by: .seconds(1))
        // The task is woken before "after" runs, and goes on behind it.
        #expect(log.entries == ["before", "after", "task 1.0 seconds"])
    }

    @Test("a deadline that has passed, or is now, is no sleep")
    func past() async throws {
        scheduler.advance(by: .seconds(5))
        try await scheduler.clock.sleep(until: scheduler.clock.now)
        try await scheduler.clock.sleep(until: scheduler.clock.now.advanced(by: .seconds(-1)))
        #expect(scheduler.pendingCount == 0)
    }

    @Test("a task that is cancelled wakes at once with an error, and leaves nothing")
    func cancelled() async {
        let task = sleeper("a", .seconds(10))
        scheduler.advance(by: .seconds(1))
        task.cancel()
        scheduler.advance()
        #expect(log.entries == ["a cancelled 1.0 seconds"])
        #expect(scheduler.pendingCount == 0)
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a task that is cancelled before it sleeps does not sleep, also where the deadline has passed")
    func cancelledBefore() async {
        let task = Task { [scheduler] in
            while !Task.isCancelled { await Task.yield() }
            try await scheduler.clock.sleep(until: scheduler.clock.now)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(scheduler.pendingCount == 0)
    }

    @Test("tasks on other threads that sleep and are cancelled while the clock moves all end, once each")
    func threads() async {
        let moving = Task.detached { [scheduler] in
            while !Task.isCancelled {
                scheduler.advance(by: .milliseconds(1))
                await Task.yield()
            }
        }
        let count = Scale.heavy(2_000)
        let ended = Counter()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask { [scheduler] in
                    let task = Task { try await scheduler.clock.sleep(for: .milliseconds(number % 7)) }
                    if number % 3 == 0 { task.cancel() }
                    _ = await task.result
                    ended.increment()
                }
            }
        }
        moving.cancel()
        await moving.value
        #expect(ended.value == count)
        #expect(scheduler.pendingCount == 0)
    }

    @Test("clock arithmetic: instants compare, advance, and end with the longest duration")
    func instants() {
        let clock = scheduler.clock
        let start = clock.now
        scheduler.advance(by: .seconds(3))
        #expect(start < clock.now)
        #expect(start.duration(to: clock.now) == .seconds(3))
        #expect(clock.now.duration(to: start) == .seconds(-3))
        #expect(start.advanced(by: .seconds(3)) == clock.now)
        let end = clock.now.advanced(by: Duration(attoseconds: .max))
        #expect(end.advanced(by: .seconds(1)) == end)
        #expect(clock.minimumResolution > .zero)
    }

    @Test("a sleep to the end of time ends there")
    func endOfTime() {
        sleeper("a", Duration(attoseconds: .max))
        scheduler.advance(by: .seconds(1))
        #expect(log.entries == [])
        scheduler.advance(by: Duration(attoseconds: .max))
        #expect(log.entries.count == 1)
    }

    @Test("a task that prefers the scheduler runs on the thread that moves the clock, and has parked when that returns")
    func executor() {
        let task = Task(executorPreference: scheduler) { [log] in
            log.add("begins")
            await Task.yield()
            await withTaskGroup(of: Void.self) { group in
                for child in 1...2 { group.addTask { log.add("child \(child)") } }
            }
            log.add("ends")
        }
        #expect(log.entries == [])
        scheduler.advance()
        #expect(log.entries == ["begins", "child 1", "child 2", "ends"])
        withExtendedLifetime(task) {}
    }
}

@Suite("Work that starts tasks, in virtual time") struct TasksOfWorkTests {
    @Test("work that starts a task is moved by the clock only if that task prefers it")
    func tasks() async throws {
        let clock = VirtualScheduler(), question = MutableNode(5)
        let own = question.mapLatest(executorPreference: clock) { value in
            try await Task(executorPreference: clock) {
                try await Task.sleep(for: .seconds(1), clock: clock.clock)
                return value
            }.value
        }
        let children = question.mapLatest(executorPreference: clock) { value in
            async let sleep: Void = Task.sleep(for: .seconds(1), clock: clock.clock)
            try await sleep
            return value
        }
        // The end of this one comes from another executor, at some real time.
        let gate = MutableNode(false)
        let detached = question.mapLatest(executorPreference: clock) { value in
            await Task { _ = try? await gate.first { $0 } }.value
            return value
        }
        clock.run()
        #expect(own.current.finished == 5 && children.current.finished == 5)
        #expect(detached.current.isRunning && clock.pendingCount == 0)
        gate.value = true
        while detached.current.isRunning {
            await Task.yield()
            clock.run()
        }
        #expect(detached.current.finished == 5)
    }
}

@Suite("A virtual scheduler that goes") struct VirtualSchedulerGoesTests {
    private final class Thing: Sendable {}

    @Test("a virtual scheduler is released with the timers and the tasks of operators that wait for it")
    func goes() {
        weak var scheduler: VirtualScheduler?
        weak var timer: Thing?
        weak var input: Thing?
        do {
            let clock = VirtualScheduler(), thing = Thing(), node = MutableNode(Thing())
            (scheduler, timer, input) = (clock, thing, node.current)
            clock.schedule(after: .seconds(1)) { withExtendedLifetime(thing) {} }
            let result = node.mapLatest(executorPreference: clock) { _ in
                await Task.yield()
                return 1
            }
            #expect(clock.pendingCount == 2)
            withExtendedLifetime(result) {}
        }
        #expect(scheduler == nil && timer == nil)
        // The task of the work ends on another thread.
        #expect(eventually { input == nil })
    }

    @Test("the task of an operator whose scheduler has gone goes on on another executor")
    func goesOn() async throws {
        let node = MutableNode(1)
        let result = node.mapLatest(executorPreference: VirtualScheduler()) { value in
            await Task.yield()
            return value + 1
        }
        #expect(try await result.first { $0.output != nil }.output == 2)
    }
}
