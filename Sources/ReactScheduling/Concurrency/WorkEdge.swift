import ReactCore

/// The edge of `mapLatest`, `mapFirst` and `mapInOrder`. It begins the work that its core chooses, and sends the
/// phases. Tasks refer to the edge weakly, by the ticket of their value.
///
/// Unchecked, as its superclass is: its own properties are constant.
final class WorkEdge<Input: Sendable, Output: Sendable>: Transform<Input, TaskPhase<Output>>, WorkingEdge,
    ConnectionKeeper, BufferingEdge, @unchecked Sendable
{
    private let core: WorkCore
    private let priority: TaskPriority?
    private let executor: (any TaskExecutor)?
    private let make: @Sendable (Input) async throws -> Output
    private struct Shown {
        /// The node that was last told that work runs.
        weak var node: Node<TaskPhase<Output>>?
    }
    private let shown = Lock(Shown())

    init(
        _ name: String, _ rule: WorkPolicy.Rule, _ priority: TaskPriority?, _ executor: (any TaskExecutor)?,
        _ make: @escaping @Sendable (Input) async throws -> Output
    ) {
        (core, self.priority, self.executor, self.make) = (WorkCore(rule), priority, executor.forOperators, make)
        super.init(name: name)
        beginToBuffer()
    }
    /// The work may make the value itself a phase's output, or an optional or an array of it.
    var ownFacts: OperatorFacts {
        let wraps = Output.self == Input.self || Output.self == Input?.self || Output.self == [Input].self
        return wraps ? [.passesLater, .wraps] : .passesLater
    }
    var hasBufferedValues: Bool { core.hasBufferedValues }

    override func next(_ value: Input, from senders: SenderList, context: NodeContext?) {
        core.arrive(Parcel(value, Origin(senders: senders, context: context, connection: connectionOfCall)), at: self)
    }
    func discard(_ ended: Connection) {
        Engine.current.transaction { _ in
            core.discard(ended, of: self)
            endPhase()
        }
    }
    /// Ends the phase of a node whose work was dropped, unless a new source is about to give it another one.
    private func endPhase() {
        guard let node = shown.withLock({ $0.node }) else { return }
        let isHere = to === node
        if isHere, connection != .none, source?.isEmpty == false { return }
        node.amend { [core] phase in
            // A newer source may have begun work by now.
            guard phase.isRunning, !(isHere && core.hasBufferedValues) else { return nil }
            return .failed(CancellationError(), last: phase.output)
        }
        // The edge is cut by now, and so finds nobody to tell.
        node.bufferingUpstreamHasChanged()
    }

    func begin(_ ticket: Ticket, _ parcel: any AnyParcel, waitedWith setters: TaskPriority?) -> Task<Void, Never> {
        let value = unsafeDowncast(parcel, to: Parcel<Input>.self).value
        return Task.beginningHere(priority ?? setters, executor, detached: setters != nil) { [weak self, make] in
            let result: WorkResult<Output>
            do { result = .init(.success(try await make(value))) } catch { result = .init(.failure(error)) }
            guard let self else { return }
            core.end(ticket, with: result, of: self)
        }
    }
    func pass(_ phase: WorkCore.Phase) {
        change(by: phase.parcel.origin, { self.value(of: phase) }, { self.core.hasLeft(phase, $0, of: self) })
    }
    /// Returns the phase that is passed on, or `nil` if the value was superseded. Called in the node's turn.
    private func value(of phase: WorkCore.Phase) -> TaskPhase<Output>?? {
        guard let before = core.take(phase, of: self) else { return nil }
        let last = before.flatMap { try? unsafeDowncast($0, to: WorkResult<Output>.self).result.get() }
        switch phase.result.map({ unsafeDowncast($0, to: WorkResult<Output>.self).result }) {
        case nil:
            let node = to
            shown.withLock { $0.node = node }
            return .running(last: last)
        case .success(let output): return .finished(output)
        case .failure(let error): return .failed(error, last: last)
        }
    }
}

private final class WorkResult<Output: Sendable>: AnyWorkResult {
    let result: Result<Output, any Error>
    var isSuccess: Bool { if case .success = result { true } else { false } }

    init(_ result: Result<Output, any Error>) { self.result = result }
}

extension Task where Success == Void, Failure == Never {
    /// Starts a task on this thread, and runs it up to its first suspension before returning. The task then continues
    /// on `executor`. If it is `detached`, it inherits nothing from the task that this thread runs.
    ///
    /// On systems without `Task.immediate`, the task starts on its executor, like any other task.
    static func beginningHere(
        _ priority: TaskPriority?, _ executor: (any TaskExecutor)?, detached: Bool,
        _ operation: @escaping @Sendable () async -> Void
    ) -> Task {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return detached
                ? Task.detached(executorPreference: executor, priority: priority, operation: operation)
                : Task(executorPreference: executor, priority: priority, operation: operation)
        }
        return detached
            ? Task.immediateDetached(priority: priority, executorPreference: executor, operation: operation)
            : Task.immediate(priority: priority, executorPreference: executor, operation: operation)
    }
}
