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
    /// For a button that must not act twice. The phases, their order and threads, lifetime, emptiness, context and
    /// sender list are those of `mapInOrder`.
    ///
    /// - Parameters:
    ///   - priority: That of the tasks; `nil` for that of the setter.
    ///   - executor: Where the tasks prefer to run after their first suspension, such as a `VirtualScheduler` in a
    ///     test.
    ///   - transform: The work for one value. No lock is held.
    /// - Returns: The new node: immutable, and empty until the first value has come.
    /// - Complexity: One task for each value that is not dropped.
    public func mapFirst<Output>(
        priority: TaskPriority? = nil, executorPreference executor: (any TaskExecutor)? = nil,
        _ transform: @escaping @Sendable (Value) async throws -> Output
    ) -> Node<TaskPhase<Output>> {
        let node = Node<TaskPhase<Output>>()
        node.link(to: self, transform: WorkTransform("MapFirst", .drops, priority, executor, transform))
        return node
    }
}
