extension Task where Success == Void, Failure == Never {
    /// Starts a task on this thread, and runs it up to its first suspension before returning. The task then continues
    /// on `executor`.
    ///
    /// On systems without `Task.immediate`, the task starts on its executor, like any other task.
    static func beginningHere(
        _ priority: TaskPriority?, _ executor: (any TaskExecutor)?, _ operation: @escaping @Sendable () async -> Void
    ) -> Task {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return Task(executorPreference: executor, priority: priority, operation: operation)
        }
        return Task.immediate(priority: priority, executorPreference: executor, operation: operation)
    }
}
