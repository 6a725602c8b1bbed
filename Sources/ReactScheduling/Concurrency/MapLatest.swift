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
    /// `from` or its `to` changes. Such a change also forgets the last output. A task keeps neither this node nor the
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
        let node = Node<TaskPhase<Output>>()
        node.link(to: self, transform: MapLatestTransform(priority, executor, transform))
        return node
    }
}

/// Runs the work for the newest value. Work for other values is cancelled, and its results are not seen.
///
/// - `running` and the end of the work are compared with the newest work in their turn at the new node. An end is
///   therefore never seen before its own `running`, nor after the `running` of a newer value.
/// - All state belongs to one connection of the edge, and is initial for any other.
/// - The context and senders of a value wait in this object. A task refers to it weakly.
/// - No user code runs under the lock, and no user object is released under it.
///
/// Unchecked, as its superclass is: its own properties are constant, or under a lock.
private final class MapLatestTransform<Input: Sendable, Output: Sendable>: Transform<Input, TaskPhase<Output>>,
    ConnectionKeeper, SecretCarrier, @unchecked Sendable
{
    typealias Phase = TaskPhase<Output>

    /// The work for one value, until it has ended.
    private struct Work {
        let number: UInt64
        let senders: SenderList
        let context: NodeContext?
        let hold = BufferedValueRecord()
        var task: Task<Void, Never>?
    }
    private struct State {
        var connection = Connection.none
        var count: UInt64 = 0
        var work: Work?
        var last: Output?

        /// Resets the state if `new` is another connection. Returns the old work and output, to be released without the
        /// lock.
        mutating func begin(_ new: Connection) -> (Work?, last: Output?) {
            guard connection != new else { return (nil, nil) }
            defer { (connection, work, last) = (new, nil, nil) }
            return (work, last)
        }
    }
    /// The work may make the value itself a phase's output, or an optional or an array of it.
    var carriesSecrets: Bool {
        Output.self == Input.self || Output.self == Input?.self || Output.self == [Input].self
    }
    private let state = Lock(State())
    private let priority: TaskPriority?
    private let executor: (any TaskExecutor)?
    private let make: @Sendable (Input) async throws -> Output

    init(
        _ priority: TaskPriority?, _ executor: (any TaskExecutor)?,
        _ make: @escaping @Sendable (Input) async throws -> Output
    ) {
        self.priority = priority
        self.executor = executor.forOperators
        self.make = make
        super.init(name: "MapLatest")
    }
    // Recorders are not told, because the edge is on no record by now.
    deinit { _ = state.withLock { $0.begin(.none) }.0?.task?.cancel() }

    override func next(_ value: Input, from senders: SenderList, context: NodeContext?) {
        let connection = connectionOfCall
        guard let work = begin(by: connection, senders, context) else { return }
        work.hold.beginWork(at: self)
        guard run(work.number, value) else { return }
        change(from: senders, context: context, by: connection) {
            self.state.withLock { $0.work?.number == work.number ? .running(last: $0.last) : nil }
        }
    }

    /// Replaces and cancels the work under way. Returns the new work, or `nil` if its connection has ended.
    private func begin(by connection: Connection, _ senders: SenderList, _ context: NodeContext?) -> Work? {
        let (work, superseded, over) = state.withLock { state -> (Work?, Work?, (Work?, last: Output?)) in
            // Compared under the lock, because the thread that ends the connection drops the work only after that.
            guard connection == self.connection else { return (nil, nil, (nil, nil)) }
            let over = state.begin(connection)
            let superseded = state.work
            state.count += 1
            state.work = Work(number: state.count, senders: senders, context: context)
            return (state.work, superseded, over)
        }
        over.0?.task?.cancel()
        over.0?.hold.drop(at: self, .wasCut)
        superseded?.task?.cancel()
        superseded?.hold.drop(at: self, .superseded)
        return work
    }
    /// Cancels the work under way, and forgets the last output, if they belong to the connection `ended`. Those of a
    /// later connection may have replaced them by now.
    func discard(_ ended: Connection) {
        let (work, last) = state.withLock { $0.connection == ended ? $0.begin(.none) : (nil, nil) }
        work?.task?.cancel()
        work?.hold.drop(at: self, .wasCut)
        withExtendedLifetime(last) {}
    }

    /// Begins the work. Returns true if it has suspended and no newer value has come.
    private func run(_ number: UInt64, _ value: Input) -> Bool {
        let task = Task.beginningHere(priority, executor) { [weak self, make] in
            let result: Result<Output, any Error>
            do { result = .success(try await make(value)) } catch { result = .failure(error) }
            self?.end(number, with: result)
        }
        let isOfInterest = state.withLock { state in
            guard state.work?.number == number else { return false }
            state.work?.task = task
            return true
        }
        // The work was superseded, or has ended already, in which case cancelling does nothing.
        if !isOfInterest { task.cancel() }
        return isOfInterest
    }
    private func end(_ number: UInt64, with result: Result<Output, any Error>) {
        let (work, connection) = state.withLock { ($0.work, $0.connection) }
        guard let work, work.number == number else { return }
        work.hold.sending {
            change(from: work.senders, context: work.context, by: connection) { self.phase(of: number, with: result) }
        }
    }
    /// Returns the phase at the end of the work, or `nil` if the work was superseded. Called in the new node's turn.
    private func phase(of number: UInt64, with result: Result<Output, any Error>) -> Phase?? {
        let (phase, work, last) = state.withLock { state -> (Phase??, Work?, Output?) in
            guard state.work?.number == number else { return (nil, nil, nil) }
            let (work, last) = (state.work, state.last)
            state.work = nil
            switch result {
            case .success(let output):
                state.last = output
                return (.finished(output), work, last)
            case .failure(let error):
                return (.failed(error, last: last), work, last)
            }
        }
        withExtendedLifetime((work, last)) {}
        return phase
    }
}
