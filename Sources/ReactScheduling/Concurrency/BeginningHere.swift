extension Task where Success == Void, Failure == Never {
    /// Starts a task on this thread, which runs it up to its first suspension before this returns; the task then goes
    /// on where `executor` says.
    ///
    /// Where the system is too old for `Task.immediate`, the task starts on its executor, as any other does.
    static func beginningHere(
        _ priority: TaskPriority?, _ executor: (any TaskExecutor)?, _ operation: @escaping @Sendable () async -> Void
    ) -> Task {
        #if canImport(Darwin)
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return Task(executorPreference: executor, priority: priority, operation: operation)
        }
        #endif
        return Task.immediate(priority: priority, executorPreference: executor, operation: operation)
    }
}
