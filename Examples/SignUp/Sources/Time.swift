import Dispatch
import ReactScheduling

/// The clock of the form.
struct Time: Sendable {
    /// The scheduler of operators.
    let scheduler: any Scheduler
    /// The clock of tasks.
    let clock: any Clock<Duration>
    /// The executor of tasks. `nil` stands for the system's executor.
    let executor: (any TaskExecutor)?

    static let real = Time(scheduler: DispatchQueue.main, clock: ContinuousClock(), executor: nil)
    /// Returns a time that moves with `scheduler`, also for tasks.
    static func virtual(_ scheduler: VirtualScheduler) -> Time {
        Time(scheduler: scheduler, clock: scheduler.clock, executor: scheduler)
    }
}

/// Does `work`, at most `attempts` times. If it fails, it is tried again after a pause. The last failure is thrown.
func retrying<Output>(
    _ attempts: Int, after pause: Duration, clock: any Clock<Duration>, _ work: () async throws -> Output
) async throws -> Output {
    for _ in 1..<attempts {
        do { return try await work() } catch is CancellationError { throw CancellationError() } catch {
            try await clock.sleep(for: pause)
        }
    }
    return try await work()
}
