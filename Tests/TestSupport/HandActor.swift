import Foundation

/// An actor that does something only when the test says so, on the thread that says so.
public actor HandActor {
    public final class Executor: SerialExecutor {
        private let jobs = Locked<[UnownedJob]>([])
        private let runner = Locked<pthread_t?>(nil)

        public func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            jobs.withLock { $0.append(job) }
        }
        public func isIsolatingCurrentContext() -> Bool? { runner.value == pthread_self() }
        /// Does `body` as the actor.
        public func perform(_ body: () -> Void) {
            runner.value = pthread_self()
            body()
            runner.value = nil
        }
        /// Does all that was asked of the actor.
        public func run() {
            while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                perform { job.runSynchronously(on: asUnownedSerialExecutor()) }
            }
        }
    }
    public nonisolated let executor = Executor()

    public init() {}
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
