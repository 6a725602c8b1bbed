import Dispatch
import ReactScheduling

/// The time that the form goes by.
struct Time: Sendable {
    /// For operators.
    let scheduler: any Scheduler
    /// For tasks.
    let clock: any Clock<Duration>
    /// The executor of tasks. `nil` stands for the system's own.
    let executor: (any TaskExecutor)?

    static let real = Time(scheduler: DispatchQueue.main, clock: ContinuousClock(), executor: nil)
    /// All of it moves with `scheduler`, tasks too.
    static func virtual(_ scheduler: VirtualScheduler) -> Time {
        Time(scheduler: scheduler, clock: scheduler.clock, executor: scheduler)
    }
}

/// Does `work`, again after a pause where it fails: so many times at most. The last failure is passed on.
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
