import ReactCore

extension Node {
    /// "MapInOrder": runs `transform` in a task for each value, `atOnce` at a time, and passes results on in the order
    /// of the values.
    ///
    ///     let files = MutableNode<String>(), clock = VirtualScheduler(), screen = Lifetime()
    ///     let uploads = files.mapInOrder(executorPreference: clock) { file in
    ///         try await Task.sleep(for: .seconds(1), clock: clock.clock)
    ///         return "\(file) is up after \(clock.now)"
    ///     }
    ///     uploads.successes().listened(by: screen).with { print($0) }
    ///     files.value = "a"
    ///     files.value = "b"
    ///     clock.run()                         // a is up after 1.0 seconds
    ///                                         // b is up after 2.0 seconds
    ///
    /// Values that come when `atOnce` pieces of work are under way wait, without limit. None is dropped.
    ///
    /// **Order.** The new node is about one value after the other: `running` when it is that value's turn and its work
    /// is under way, then `finished` or `failed`. The next value's turn comes when the result has been passed on; work
    /// that has ended by then, or ends without suspending, passes no `running`. A failure is a phase; it ends nothing.
    ///
    /// **Threads.** The work begins on the thread that sets this node, and the set returns when the work has suspended
    /// or ended. A value that has waited begins on the thread on which the work before it ended. After its first
    /// suspension, work goes on where `executor` says, else on the concurrent executor. Let work that computes for long
    /// suspend first, so that it holds up nobody: have it await a `@concurrent` function. Before macOS 26, iOS 26, tvOS
    /// 26, watchOS 26 and visionOS 26 the work begins on the executor.
    ///
    /// **Lifetime.** The tasks are cancelled, and the values that wait are dropped, when the new node is released, when
    /// the transform is cut, and when its `from` or its `to` changes, which also forgets the last output. Tasks and
    /// values that wait keep neither this node nor the new one alive.
    ///
    /// **Emptiness.** Emptying this node is not passed on, and cancels nothing.
    ///
    /// **Context and sender list** are those of the value that the work is for.
    ///
    /// - Parameters:
    ///   - atOnce: The greatest number of pieces of work under way at a time.
    ///   - priority: That of the tasks; `nil` for that of the setter.
    ///   - executor: Where the tasks prefer to run after their first suspension, such as a `VirtualScheduler` in a
    ///     test.
    ///   - transform: The work for one value. No lock is held.
    /// - Returns: The new node: immutable, and empty until the first value has come.
    /// - Precondition: `atOnce` is greater than zero.
    /// - Complexity: One task a value, O(1) beside it.
    public func mapInOrder<Output>(
        atOnce: Int = 1, priority: TaskPriority? = nil, executorPreference executor: (any TaskExecutor)? = nil,
        _ transform: @escaping @Sendable (Value) async throws -> Output
    ) -> Node<TaskPhase<Output>> {
        require(
            atOnce > 0,
            "mapInOrder: atOnce must be greater than zero, and \(atOnce) is not. 1 runs one after the other.")
        let node = Node<TaskPhase<Output>>()
        node.link(
            to: self, transform: WorkTransform("MapInOrder", .waits(atOnce: atOnce), priority, executor, transform))
        return node
    }
}
