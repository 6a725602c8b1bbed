import ReactCore

extension Node {
    /// "MapInOrder": runs `transform` in a task for each value, `maxConcurrent` at a time, and passes results on in the
    /// order of the values.
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
    /// While `maxConcurrent` pieces of work are under way, further values wait, without limit. None is dropped.
    ///
    /// **Order.** The phases of the new node concern one value after the other: `running` when it is the value's turn
    /// and its work is under way, then `finished` or `failed`. The next value's turn comes when the result has been
    /// passed on. Work that has ended by then, or that ends without suspending, passes no `running`. A failure is a
    /// phase; it ends nothing.
    ///
    /// **Threads.** The work begins on the thread that sets this node, and the set returns when the work has suspended
    /// or ended. The work for a value that has waited begins on the thread on which the work before it ended, without
    /// task-local values. After its first suspension, work continues on `executor`, or on the concurrent executor if
    /// there is none. Work that computes for long should suspend first, so that it does not hold up that thread: have
    /// it await a `@concurrent` function. Before macOS 26, iOS 26, tvOS 26, watchOS 26 and visionOS 26, the work begins
    /// on the executor.
    ///
    /// **Lifetime.** The tasks are cancelled, and the waiting values dropped, when the new node is released and when
    /// the transform is cut. The same happens when its `from` or its `to` changes, which also forgets the last output.
    /// A `running` phase then ends, as with `mapLatest`. Tasks and waiting values keep neither this node nor the new
    /// one alive.
    ///
    /// **Emptiness.** Emptying this node is not passed on, and cancels nothing.
    ///
    /// **Context and sender list** are those of the value that the work is for.
    ///
    /// - Parameters:
    ///   - maxConcurrent: The greatest number of pieces of work that are under way at a time.
    ///   - priority: The priority of the tasks. `nil` stands for the setter's priority.
    ///   - executor: The executor that the tasks prefer after their first suspension, such as a `VirtualScheduler` in a
    ///     test.
    ///   - file: The file of the call, which the message of a trap names.
    ///   - line: The line of the call.
    ///   - transform: The work for one value. It is called with no lock held.
    /// - Returns: A new immutable node, empty until the first value has come.
    /// - Precondition: `maxConcurrent` is greater than zero.
    /// - Complexity: One task for each value, and O(1) besides.
    public func mapInOrder<Output>(
        maxConcurrent: Int = 1, priority: TaskPriority? = nil, executorPreference executor: (any TaskExecutor)? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ transform: @escaping @Sendable (Value) async throws -> Output
    ) -> Node<TaskPhase<Output>> {
        require(
            maxConcurrent > 0,
            "mapInOrder: maxConcurrent must be greater than zero, and \(maxConcurrent) is not. 1 runs one after the other.",
            file: file, line: line)
        return following(by: WorkEdge("MapInOrder", .waits(limit: maxConcurrent), priority, executor, transform))
    }
}
