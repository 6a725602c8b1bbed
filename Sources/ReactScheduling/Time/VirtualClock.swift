import ReactCore
import Synchronization

extension VirtualScheduler {
    /// This scheduler's time as a clock: `Task.sleep(for:clock:)`, timeouts and `mapLatest` move with it.
    public var clock: VirtualClock { VirtualClock(scheduler: self) }
}

/// The time of a `VirtualScheduler`, as tasks see it.
///
///     let scheduler = VirtualScheduler()
///     let task = Task(executorPreference: scheduler) {
///         try await Task.sleep(for: .seconds(3), clock: scheduler.clock)
///         print("woken at", scheduler.now)
///     }
///     scheduler.advance(by: .seconds(2))
///     scheduler.advance(by: .seconds(2))          // woken at 3.0 seconds
///     try await task.value
///
/// **Order.** `VirtualScheduler.advance` wakes sleepers by the time for which they sleep; those that wake at one time, in
/// the order in which they went to sleep.
///
/// **Tests.** A task that has not come to its sleep yet when the clock moves sleeps from then on. Tasks that prefer the
/// scheduler as their executor have always come there: they run while the clock is moved, and nowhere else (see
/// `VirtualScheduler.enqueue(_:)`). For others, a test has to await what they do before it moves the clock.
///
/// **Lifetime.** It holds the scheduler, and so does a task that sleeps by it, until the clock wakes the task or that is cancelled. A task
/// that is cancelled is woken at once, and nothing of it is left.
public struct VirtualClock: Clock, Sendable {
    /// A moment of virtual time.
    public struct Instant: InstantProtocol {
        /// Lengths of time are the standard library's.
        public typealias Duration = Swift.Duration

        let sinceStart: Duration

        /// The moment that lies `duration` later; where that would be beyond the longest duration, the end of time.
        public func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart.adding(duration)) }
        /// The time from this instant to `other`.
        public func duration(to other: Instant) -> Duration { other.sinceStart.subtracting(sinceStart) }
        /// True if the first instant is the earlier one.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.sinceStart < rhs.sinceStart }
    }
    let scheduler: VirtualScheduler

    /// The time on the scheduler's clock.
    public var now: Instant { Instant(sinceStart: scheduler.now) }
    /// The shortest time that a `Duration` can tell: virtual time is exact.
    public var minimumResolution: Duration { Duration(attoseconds: 1) }

    /// Returns when the scheduler's clock has come to `deadline`: at once if it has by now.
    ///
    /// - Parameters:
    ///   - deadline: When to wake.
    ///   - tolerance: Without effect: virtual time is exact.
    /// - Throws: `CancellationError`, as soon as the task is cancelled.
    /// - Complexity: O(log n) in the number of pieces of work that wait.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let sleeper = Sleeper()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                sleeper.begin(continuation) { scheduler.wake(sleeper, at: deadline.sinceStart) }
            }
        } onCancel: {
            sleeper.end(with: .failure(CancellationError()))
        }
    }
}

/// One task that sleeps.
///
/// It ends once: when its time has come, or when its task is cancelled, which may be before it has begun.
final class Sleeper: Sendable {
    private enum State {
        case awake
        case sleeping(CheckedContinuation<Void, any Error>, timer: (any Cancelable)?)
        case over(Result<Void, any Error>)
    }
    private let state = Lock(State.awake)

    /// Sleeps, unless that is over by now. `start` starts the timer; `nil` says that the time has come.
    func begin(_ continuation: CheckedContinuation<Void, any Error>, _ start: () -> (any Cancelable)?) {
        let result: Result<Void, any Error>? = state.withLock { state in
            if case .over(let result) = state { return result }
            state = .sleeping(continuation, timer: nil)
            return nil
        }
        if let result { return continuation.resume(with: result) }
        guard let timer = start() else { return end(with: .success(())) }
        let isOver = state.withLock { state in
            guard case .sleeping(let continuation, _) = state else { return true }
            state = .sleeping(continuation, timer: timer)
            return false
        }
        if isOver { timer.cancel() }
    }
    func end(with result: Result<Void, any Error>) {
        let before = state.withLock { state in
            let before = state
            if case .over = state {} else { state = .over(result) }
            return before
        }
        guard case .sleeping(let continuation, let timer) = before else { return }
        timer?.cancel()
        continuation.resume(with: result)
    }
}

extension VirtualScheduler: TaskExecutor {
    /// Runs tasks that prefer this scheduler as their executor: they go on while the clock is moved, on that thread, each
    /// step in its place among whatever else is scheduled.
    ///
    ///     let scheduler = VirtualScheduler()
    ///     Task(executorPreference: scheduler) { print("begins when the clock is moved, even by nothing") }
    ///     scheduler.advance()         // begins when the clock is moved, even by nothing
    ///
    /// So when `advance` returns, each of them has ended, sleeps, or waits for something else than this scheduler: there is
    /// nothing to await. What is isolated to an actor that has an executor of its own, as the main actor has, runs there.
    ///
    /// A task that prefers the scheduler holds it until the task has ended, as the runtime has it: let such a task end before you drop the
    /// scheduler. The tasks of operators, such as `mapLatest`, do not hold it; where it has gone, they go on on the concurrent executor.
    ///
    /// The runtime calls this.
    public func enqueue(_ job: consuming ExecutorJob) {
        wait(WaitingJob(UnownedJob(job)), for: asUnownedTaskExecutor())
    }
    /// Has `job` run as one of `executor`'s when the clock is moved.
    fileprivate func wait(_ job: WaitingJob, for executor: UnownedTaskExecutor) {
        // What waits does not hold the scheduler, which holds it.
        schedule { job.run(on: executor) }
    }
    /// This scheduler as the executor of tasks that operators begin: unlike the scheduler itself, it may be held by these.
    var executor: any TaskExecutor { VirtualExecutor(scheduler: self) }
}

extension Optional<any TaskExecutor> {
    /// The executor for tasks that an operator begins, which are to keep no scheduler.
    var forOperators: (any TaskExecutor)? { (self as? VirtualScheduler)?.executor ?? self }
}

/// A virtual scheduler that a task holds as its executor. Where that has gone, tasks go on on the concurrent executor.
private final class VirtualExecutor: TaskExecutor {
    private weak let scheduler: VirtualScheduler?

    init(scheduler: VirtualScheduler) { self.scheduler = scheduler }

    func enqueue(_ job: consuming ExecutorJob) {
        let waiting = WaitingJob(UnownedJob(job))
        // Without a scheduler, what waits goes at once.
        scheduler?.wait(waiting, for: asUnownedTaskExecutor())
    }
}

/// A step of a task, which is run once: when its time comes, or on the concurrent executor where the scheduler has gone before.
private final class WaitingJob: Sendable {
    private let job: UnownedJob
    private let isBegun = Atomic(false)

    init(_ job: UnownedJob) { self.job = job }
    deinit { if !isBegun.load(ordering: .acquiring) { globalConcurrentExecutor.enqueue(ExecutorJob(job)) } }

    func run(on executor: UnownedTaskExecutor) {
        isBegun.store(true, ordering: .releasing)
        job.runSynchronously(on: executor)
    }
}
