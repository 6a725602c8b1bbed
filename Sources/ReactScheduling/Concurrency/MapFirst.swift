import ReactCore

extension Node {
    /// "MapFirst": runs `transform` in a task for a value, and drops the values that come during the work.
    ///
    ///     let presses = MutableNode<String>(), clock = VirtualScheduler(), screen = Lifetime()
    ///     let orders = presses.mapFirst(executorPreference: clock) { item in
    ///         try await Task.sleep(for: .seconds(2), clock: clock.clock)
    ///         return "ordered \(item)"
    ///     }
    ///     orders.successes().listened(by: screen).with { print($0) }
    ///     presses.value = "tea"
    ///     presses.value = "coffee"
    ///     clock.run()                         // ordered tea
    ///     presses.value = "milk"
    ///     clock.run()                         // ordered milk
    ///
    /// Use it for a button that must not act twice. Phases, threads, lifetime, emptiness, context and sender list are
    /// as for `mapInOrder`.
    ///
    /// - Parameters:
    ///   - priority: The priority of the tasks. `nil` stands for the setter's priority.
    ///   - executor: The executor that the tasks prefer after their first suspension, such as a `VirtualScheduler` in a
    ///     test.
    ///   - transform: The work for one value. It is called with no lock held.
    /// - Returns: A new immutable node, empty until the first value has come.
    /// - Complexity: One task for each value that is not dropped.
    public func mapFirst<Output>(
        priority: TaskPriority? = nil, executorPreference executor: (any TaskExecutor)? = nil,
        _ transform: @escaping @Sendable (Value) async throws -> Output
    ) -> Node<TaskPhase<Output>> {
        following(by: WorkEdge("MapFirst", .drops, priority, executor, transform))
    }
}
