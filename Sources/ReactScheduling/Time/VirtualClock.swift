import ReactCore
import Synchronization

extension VirtualScheduler {
    /// The scheduler's time as a clock, for `Task.sleep(for:clock:)`, timeouts and the work of `mapLatest`.
    public var clock: VirtualClock { VirtualClock(scheduler: self) }
}

/// A clock that shows the time of a `VirtualScheduler`, for tasks.
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
/// **Order.** `VirtualScheduler.advance` wakes sleepers in the order of the times at which they are to wake. Sleepers
/// of one time wake in the order in which they went to sleep.
///
/// **Tests.** A task that has not reached its `sleep` when the clock moves sleeps from the new time on. A task that
/// prefers the scheduler as its executor has always reached it, because it runs only while the clock is moved (see
/// `VirtualScheduler.enqueue(_:)`). With other tasks, a test must await their progress before it moves the clock.
///
/// **Lifetime.** The clock holds the scheduler. So does a task that sleeps by the clock, until the clock wakes it or
/// the task is cancelled. Cancelling a task wakes it at once, and removes its timer.
public struct VirtualClock: Clock, Sendable {
    /// A moment of virtual time.
    public struct Instant: InstantProtocol {
        /// The standard library's duration.
        public typealias Duration = Swift.Duration

        let sinceStart: Duration

        /// Returns the instant `duration` later. If it would lie beyond the longest duration, returns the last instant
        /// that there is.
        public func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart.adding(duration)) }
        /// Returns the time from this instant to `other`.
        public func duration(to other: Instant) -> Duration { other.sinceStart.subtracting(sinceStart) }
        /// Returns true if the first instant is the earlier one.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.sinceStart < rhs.sinceStart }
    }
    let scheduler: VirtualScheduler

    /// The time on the scheduler's clock.
    public var now: Instant { Instant(sinceStart: scheduler.now) }
    /// One attosecond, the shortest time that a `Duration` can express. Virtual time is exact.
    public var minimumResolution: Duration { Duration(attoseconds: 1) }

    /// Returns when the scheduler's clock has reached `deadline`, and at once if it has reached it already.
    ///
    /// - Parameters:
    ///   - deadline: The instant at which to wake.
    ///   - tolerance: Without effect, because virtual time is exact.
    /// - Throws: `CancellationError`, as soon as the task is cancelled.
    /// - Complexity: O(log n) in the number of pieces of work that wait.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let (wakes, wake) = AsyncStream<Void>.makeStream()
        guard let timer = scheduler.schedule(at: deadline.sinceStart, { wake.yield() }) else { return }
        // Called in the call that cancels the task, so that the timer has gone when that returns.
        wake.onTermination = { _ in timer.cancel() }
        for await _ in wakes { return }
        throw CancellationError()
    }
}

extension VirtualScheduler: TaskExecutor {
    /// Runs a step of a task that prefers this scheduler as its executor, when the clock is moved.
    ///
    ///     let scheduler = VirtualScheduler()
    ///     Task(executorPreference: scheduler) { print("begins when the clock is moved, even by nothing") }
    ///     scheduler.advance()         // begins when the clock is moved, even by nothing
    ///
    /// The runtime calls this method. Such tasks run only while the clock is moved, on the thread that moves it. Each
    /// step runs in its place among the other scheduled work. When `advance` returns, each of these tasks has ended,
    /// sleeps, or waits for something other than this scheduler, so a test has nothing to await. Code that is isolated
    /// to an actor with an executor of its own, such as the main actor, runs on that executor.
    ///
    /// A task holds the scheduler that it prefers until the task has ended. Let such a task end before you drop the
    /// scheduler. The tasks of operators such as `mapLatest` do not hold it. When it has gone, they continue on the
    /// concurrent executor. But work that holds the scheduler's `clock`, or the scheduler itself, does hold it. So call
    /// `run()` or `advance` after you have let go of such a node: cancelled work ends only when the clock is moved.
    public func enqueue(_ job: consuming ExecutorJob) {
        wait(WaitingJob(UnownedJob(job)), for: asUnownedTaskExecutor())
    }
    /// Runs `job` as a job of `executor` when the clock is next moved.
    fileprivate func wait(_ job: WaitingJob, for executor: UnownedTaskExecutor) {
        // The closure does not hold the scheduler, because the scheduler holds the closure.
        schedule { job.run(on: executor) }
    }
    /// An executor for the tasks of operators, which runs them by this scheduler without holding it.
    var executor: any TaskExecutor { VirtualExecutor(scheduler: self) }
}

extension Optional<any TaskExecutor> {
    /// The executor for tasks that an operator begins. Those tasks must not keep a scheduler alive.
    var forOperators: (any TaskExecutor)? { (self as? VirtualScheduler)?.executor ?? self }
}

/// Runs the tasks of operators by a virtual scheduler that it does not hold. When the scheduler has gone, tasks
/// continue on the concurrent executor.
private final class VirtualExecutor: TaskExecutor {
    private weak let scheduler: VirtualScheduler?

    init(scheduler: VirtualScheduler) { self.scheduler = scheduler }

    func enqueue(_ job: consuming ExecutorJob) {
        let waiting = WaitingJob(UnownedJob(job))
        // Without a scheduler, the job is released here, and so runs on the concurrent executor.
        scheduler?.wait(waiting, for: asUnownedTaskExecutor())
    }
}

/// A step of a task, which runs once: when its time comes, or on the concurrent executor if the scheduler goes first.
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
