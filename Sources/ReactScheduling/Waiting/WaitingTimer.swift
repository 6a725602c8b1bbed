import ReactCore

/// The one timer of an operator, as a value. Its owner keeps it under a lock, and schedules the starts that it
/// returns.
///
/// If the scheduler has a clock, a timer that is started while it runs is only moved. When it fires before its
/// deadline, it is started again for the rest. Without a clock, the timer is replaced. Timers are numbered, and only
/// the newest counts.
struct WaitingTimer {
    /// A timer that its owner has to schedule.
    struct Start {
        let number: UInt64
        let interval: Duration
        /// The moment at which it is to fire, by the scheduler's clock.
        let due: Duration?
    }
    enum Firing {
        case isOver
        /// The timer was moved meanwhile.
        case goesOn(Start)
        case fires
    }
    private var number: UInt64 = 0
    private(set) var isRunning = false
    /// The moment for which the timer is scheduled, and the one at which it is to fire.
    private var due: Duration?
    private(set) var deadline: Duration?
    private var timer: (any Cancelable)?

    /// Starts or moves the timer. The caller cancels `old` when it holds no lock.
    mutating func start(after interval: Duration, at now: Duration?, replacing old: inout (any Cancelable)?) -> Start? {
        start(at: now?.adding(interval), after: interval, &old)
    }
    /// Starts the timer for the interval after the last one. A late one does not delay those after it. Returns `nil`
    /// if the deadline would be the longest duration again.
    mutating func startNext(
        after interval: Duration, at now: Duration?, replacing old: inout (any Cancelable)?
    ) -> Start? {
        guard let now, let last = deadline else { return start(after: interval, at: now, replacing: &old) }
        guard last.adding(interval) > last else { return nil }
        let next = max(last.adding(interval), now)
        return start(at: next, after: next.subtracting(now), &old)
    }
    private mutating func start(
        at deadline: Duration?, after interval: Duration, _ old: inout (any Cancelable)?
    ) -> Start? {
        self.deadline = deadline
        if isRunning, let due, let deadline, due <= deadline { return nil }
        stop(&old)
        isRunning = true
        (due, self.deadline) = (deadline, deadline)
        return Start(number: number, interval: interval, due: deadline)
    }
    /// Ends the timer. The caller cancels `old` when it holds no lock.
    mutating func stop(_ old: inout (any Cancelable)?) {
        number += 1
        (isRunning, deadline) = (false, nil)
        if let timer = timer.take() { old = timer }
    }
    /// Notes that the timer with this number has fired. The caller releases `old` when it holds no lock.
    mutating func fired(_ number: UInt64, at now: Duration?, releasing old: inout (any Cancelable)?) -> Firing {
        guard isRunning, number == self.number else { return .isOver }
        old = timer.take()
        isRunning = false
        guard let now, let deadline, deadline > now else { return .fires }
        return start(at: deadline, after: deadline.subtracting(now), &old).map { .goesOn($0) } ?? .isOver
    }
    /// Keeps the object that cancels a timer. Returns false if that timer does not run any more.
    mutating func keep(_ timer: any Cancelable, _ number: UInt64) -> Bool {
        guard isRunning, number == self.number else { return false }
        self.timer = timer
        return true
    }
}

/// An object with a `WaitingTimer`. Scheduled work refers to it weakly.
protocol TimerHolder: AnyObject, Sendable {
    func timerFired(_ number: UInt64)
    /// Keeps the timer (see `WaitingTimer.keep`).
    func keep(_ timer: any Cancelable, _ number: UInt64) -> Bool
}
extension TimerHolder {
    func schedule(_ start: WaitingTimer.Start, on scheduler: any Scheduler) {
        let timer = scheduler.schedule(after: scheduler.rest(until: start.due) ?? start.interval) { [weak self] in
            self?.timerFired(start.number)
        }
        if !keep(timer, start.number) { timer.cancel() }
    }
}
