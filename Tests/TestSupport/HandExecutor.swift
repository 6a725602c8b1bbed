import Foundation

/// Runs tasks on the thread that says so, so that a test decides when a task goes on, and knows that it waits.
///
///     let executor = HandExecutor()
///     Task(executorPreference: executor) { … }
///     executor.run()      // the task has ended, or waits for something
public final class HandExecutor: TaskExecutor {
    private let jobs = Locked<[UnownedJob]>([])

    public init() {}

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }
    /// Runs all that can run, also what that makes able to run.
    public func run() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
    /// How many tasks could go on.
    public var count: Int { jobs.withLock { $0.count } }
}
