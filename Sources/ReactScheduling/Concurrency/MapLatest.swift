import ReactCore

extension Node {
    /// "MapLatest": runs `transform` in a task for each value, and cancels the task of the value before.
    ///
    ///     let query = MutableNode("gra")
    ///     let result = query.mapLatest { text in
    ///         try await Task.sleep(for: .milliseconds(300))
    ///         return "what matches \(text)"
    ///     }
    ///     query.value = "graph"
    ///     print(try await result.first { $0.output != nil }.output!)      // what matches graph
    ///
    /// **Order.** Each value makes the new node `running`, on the thread that sets it. If no newer value comes before
    /// the work ends, the node is then `finished` or `failed`, on the thread on which the work ended. The result of
    /// cancelled work is never seen. Work that ends without suspending passes no `running`: the node is `finished` when
    /// the set returns, and no spinner flashes. A failure is a phase; it ends nothing. A `CancellationError` that the
    /// work throws by itself is a failure like any other.
    ///
    /// **Threads.** The work begins on the thread that sets this node, and the set returns when the work has suspended
    /// or ended. After its first suspension, work continues on `executor`, or on the concurrent executor if there is
    /// none. Work that computes for long should suspend first: have it await a `@concurrent` function. Task-local
    /// values are those of the setter. Cancelling a task only asks it to end, so several tasks may run at a time if
    /// they ignore the request.
    ///
    /// Before macOS 26, iOS 26, tvOS 26, watchOS 26 and visionOS 26, the work begins on the executor. `running` then
    /// comes first, unless the work has ended by then.
    ///
    /// **Lifetime.** The task is cancelled when the new node is released, when the transform is cut, and when its
    /// `from` or its `to` changes. Such a change also forgets the last output. If the new node was `running`, and no
    /// other value comes, it becomes `failed` with a `CancellationError`. A task keeps neither this node nor the
    /// new one alive.
    ///
    /// **Emptiness.** Emptying this node is not passed on, and cancels nothing.
    ///
    /// **Context and sender list** are those of the value that the work is for.
    ///
    /// - Parameters:
    ///   - priority: The priority of the tasks. `nil` stands for the setter's priority.
    ///   - executor: The executor that the tasks prefer after their first suspension, such as a `VirtualScheduler` in a
    ///     test.
    ///   - transform: The work for one value. It is called with no lock held.
    /// - Returns: A new immutable node, empty until the first value has come.
    /// - Complexity: One task for each value.
    public func mapLatest<Output>(
        priority: TaskPriority? = nil, executorPreference executor: (any TaskExecutor)? = nil,
        _ transform: @escaping @Sendable (Value) async throws -> Output
    ) -> Node<TaskPhase<Output>> {
        following(by: WorkEdge("MapLatest", .cancels, priority, executor, transform))
    }
}
