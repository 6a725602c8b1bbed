import Testing

@testable import ReactScheduling

/// Tables of events and effects, without threads, clocks and values.
@Suite("The policies of waiting operators")
struct WaitingPoliciesTests {
    private enum Event { case begins, arrives(Ticket), fires, isDue(Ticket) }

    private func expect(_ policy: some WaitingPolicy, _ table: [(Event, WaitingEffects)], line: Int = #line) {
        var policy = policy
        for (row, (event, expected)) in table.enumerated() {
            let effects =
                switch event {
                case .begins: policy.began()
                case .arrives(let ticket): policy.arrived(ticket)
                case .fires: policy.timerFired()
                case .isDue(let ticket): policy.isDue(ticket)
                }
            #expect(effects == expected, "line \(line), row \(row + 1)")
        }
    }

    private func check<Answer: Equatable>(_ answer: Answer, _ expected: Answer, line: Int = #line) {
        #expect(answer == expected, "line \(line)")
    }
    private static func running(_ ticket: Ticket) -> WorkPolicy.Step { .init(ticket: ticket, isEnd: false) }
    private static func end(_ ticket: Ticket) -> WorkPolicy.Step { .init(ticket: ticket, isEnd: true) }

    @Test("each value has its own work, and leaves with those before it")
    func each() {
        expect(
            EachPolicy(work: .soon),
            [
                (.arrives(0), WaitingEffects(work: .soon)), (.arrives(1), WaitingEffects(work: .soon)),
                (.isDue(1), WaitingEffects(sendsBelow: 2)), (.isDue(0), WaitingEffects(sendsBelow: 1)),
            ])
    }
    @Test("debounce drops the value before, and sends the newest when the timer fires")
    func debounce() {
        expect(
            DebouncePolicy(interval: .seconds(1)),
            [
                (.arrives(0), WaitingEffects(dropsBelow: 0, timer: .starts(.seconds(1)))),
                (.arrives(1), WaitingEffects(dropsBelow: 1, timer: .starts(.seconds(1)))),
                (.fires, WaitingEffects(sendsBelow: 2)), (.fires, WaitingEffects()),
            ])
    }
    @Test("sample sends the first value at once, and the newest of an interval at its end")
    func sample() {
        expect(
            SamplePolicy(interval: .seconds(1), keepsFirst: false),
            [
                (.arrives(0), WaitingEffects(timer: .starts(.seconds(1)), sendsBelow: 1)),
                (.arrives(1), WaitingEffects(dropsBelow: 1)), (.arrives(2), WaitingEffects(dropsBelow: 2)),
                (.fires, WaitingEffects(timer: .starts(.seconds(1)), sendsBelow: 3)), (.fires, WaitingEffects()),
                (.arrives(3), WaitingEffects(timer: .starts(.seconds(1)), sendsBelow: 4)),
            ])
    }
    @Test("sample that keeps the first refuses the others of an interval")
    func sampleFirst() {
        expect(
            SamplePolicy(interval: .seconds(1), keepsFirst: true),
            [
                (.arrives(0), WaitingEffects(timer: .starts(.seconds(1)), sendsBelow: 1)),
                (.arrives(1), WaitingEffects(refuses: true)), (.fires, WaitingEffects()),
                (.arrives(1), WaitingEffects(timer: .starts(.seconds(1)), sendsBelow: 2)),
            ])
    }
    @Test("collect sends the values of an interval at its end, and rests after one without a value")
    func collect() {
        expect(
            CollectPolicy(interval: .seconds(1)),
            [
                (.arrives(0), WaitingEffects(timer: .starts(.seconds(1)))), (.arrives(1), WaitingEffects()),
                (.fires, WaitingEffects(timer: .repeats(.seconds(1)), sendsBelow: 2)),
                (.arrives(2), WaitingEffects()),
                (.fires, WaitingEffects(timer: .repeats(.seconds(1)), sendsBelow: 3)), (.fires, WaitingEffects()),
                (.arrives(3), WaitingEffects(timer: .starts(.seconds(1)))),
            ])
    }

    @Test("ticks sends something of its own at the end of each interval")
    func ticks() {
        let interval = Duration.seconds(1)
        expect(
            TicksPolicy(interval: interval),
            [
                (.begins, WaitingEffects(timer: .repeats(interval))),
                (.fires, WaitingEffects(timer: .repeats(interval), makes: true)),
                (.fires, WaitingEffects(timer: .repeats(interval), makes: true)),
                (.arrives(0), WaitingEffects(refuses: true)),
            ])
    }
    @Test("timeout begins its interval anew with each value, and sends something of its own at its end, once")
    func timeout() {
        let interval = Duration.seconds(1)
        expect(
            TimeoutPolicy(interval: interval),
            [
                (.begins, WaitingEffects(timer: .starts(interval))),
                (.begins, WaitingEffects(timer: .starts(interval))),
                (.fires, WaitingEffects(makes: true)), (.begins, WaitingEffects(timer: .starts(interval))),
            ])
    }

    @Test("work that cancels drops the value before, whose end does not count")
    func cancels() throws {
        var policy = WorkPolicy(.cancels)
        check(policy.arrived()?.dropping, 0..<0)
        check(policy.begin(), 0)
        check(policy.hasSuspended(0), true)
        check(policy.step, Self.running(0))
        policy.take(Self.running(0))
        check(policy.arrived()?.dropping, 0..<1)
        check(policy.isCurrent(Self.running(0)), false)
        check(policy.hasEnded(0), false)
        check(policy.begin(), 1)
        check(policy.hasEnded(1), true)
        check(policy.step, Self.end(1))
        policy.take(Self.end(1))
        check(policy.isCurrent(Self.end(1)), true)
        check(policy.step, nil)
    }
    @Test("work that drops takes no value until the one under way has ended")
    func drops() {
        var policy = WorkPolicy(.drops)
        check(policy.arrived()?.ticket, 0)
        check(policy.begin(), 0)
        check(policy.arrived()?.ticket, nil)
        check(policy.hasEnded(0), true)
        check(policy.arrived()?.ticket, 1)
    }
    @Test("work in order begins as many as it may, and passes phases on in the order of the values")
    func inOrder() {
        var policy = WorkPolicy(.waits(limit: 2))
        for ticket in 0..<3 as Range<Ticket> { #expect(policy.arrived()?.ticket == ticket) }
        check(policy.begin(), 0)
        check(policy.begin(), 1)
        check(policy.begin(), nil)
        check(policy.isFull, true)
        check(policy.hasSuspended(0), true)
        check(policy.hasEnded(1), true)
        check(policy.begin(), 2)
        check(policy.step, Self.running(0))
        policy.take(Self.running(0))
        check(policy.step, nil)
        check(policy.hasEnded(0), true)
        check(policy.step, Self.end(0))
        policy.take(Self.end(0))
        check(policy.step, Self.end(1))
        policy.take(Self.end(1))
        check(policy.step, nil)
        check(policy.end(), 2..<3)
        check(policy.hasEnded(2), false)
    }
}
