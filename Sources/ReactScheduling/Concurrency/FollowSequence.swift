import ReactCore

extension MutableNode {
    /// Sets this node to each element, in order, until the sequence ends, `lifetime` goes, or the result is cancelled.
    ///
    ///     let (readings, sensor) = AsyncStream<Int>.makeStream()
    ///     let temperature = MutableNode<Int>(), lifetime = Lifetime()
    ///     temperature.follow(readings, in: lifetime)
    ///     sensor.yield(21)
    ///     print(try await temperature.first { $0 > 20 })      // 21
    ///
    /// **Threads.** One task reads the sequence and sets the node, on `executor`, one element at a time. It asks for
    /// the next element when everything downstream of this one is done, or when this one waits for its turn at the
    /// node. If another thread keeps the graph busy when this method is called, the task waits before the first set
    /// until the graph is free.
    ///
    /// **Lifetime.** The sequence does not keep the node alive. At the end, the task is cancelled, and nothing is set
    /// any more. If another thread is already delivering a value, it finishes. The node keeps its value.
    ///
    /// - Parameters:
    ///   - sequence: The elements to set.
    ///   - lifetime: Ends the following when it goes, or is cancelled.
    ///   - executor: The executor that the task prefers, such as a `VirtualScheduler` in a test. `nil` stands for the
    ///     concurrent executor. The following does not hold a `VirtualScheduler`.
    /// - Returns: An object that ends the following on `cancel()`. You may drop it.
    @discardableResult
    public func follow<S: AsyncSequence & Sendable>(
        _ sequence: S, in lifetime: Lifetime, executorPreference executor: (any TaskExecutor)? = nil
    ) -> any Cancelable where S.Element == Value, S.Failure == Never {
        follow(in: lifetime, on: executor) { set in
            for await element in sequence {
                guard await set(element) else { return }
            }
        }
    }
    /// Sets this node to each element of a sequence that may fail, as a success. The failure is the last value.
    ///
    ///     struct Unplugged: Error {}
    ///     let (readings, sensor) = AsyncThrowingStream<Int, any Error>.makeStream()
    ///     let temperature = MutableNode<Result<Int, any Error>>(), lifetime = Lifetime()
    ///     temperature.follow(readings, in: lifetime)
    ///     sensor.finish(throwing: Unplugged())
    ///     let last = try await temperature.first { _ in true }
    ///     if case .failure(is Unplugged) = last { print("unplugged") }        // unplugged
    ///
    /// An error that the sequence throws because its task was cancelled is not set.
    ///
    /// - Parameters:
    ///   - sequence: The elements to set.
    ///   - lifetime: Ends the following when it goes, or is cancelled.
    ///   - executor: The executor that the task prefers, such as a `VirtualScheduler` in a test.
    /// - Returns: An object that ends the following on `cancel()`. You may drop it.
    @discardableResult
    public func follow<S: AsyncSequence & Sendable, Element>(
        _ sequence: S, in lifetime: Lifetime, executorPreference executor: (any TaskExecutor)? = nil
    ) -> any Cancelable where S.Element == Element, Value == Result<Element, any Error> {
        follow(in: lifetime, on: executor) { set in
            do {
                for try await element in sequence {
                    guard await set(.success(element)) else { return }
                }
            } catch {
                _ = await set(.failure(error))
            }
        }
    }

    /// Runs `read` in a task, with a closure that sets this node. The closure returns `false` once the following has
    /// ended.
    private func follow(
        in lifetime: Lifetime, on executor: (any TaskExecutor)?,
        _ read: @escaping @Sendable (_ set: (Value) async -> Bool) async -> Void
    ) -> any Cancelable {
        let following = SequenceFollowing()
        let edge = FollowingEdge<Value>(following)
        // An edge without a source sends nothing, so the edge leads from a node that stays empty.
        link(to: Node<Never>().named("follow"), transform: edge)
        following.begin(
            Task(executorPreference: executor.forOperators) { [weak edge] in
                await read { value in
                    await edge?.waitUntilLinked()
                    guard !Task.isCancelled, let edge else { return false }
                    // Sent by the edge, so that nothing is stored once the edge is cut.
                    edge.send(value, from: SenderList(), context: nil)
                    return true
                }
                await edge?.waitUntilLinked()
                // Ends the following after the values that wait for their turn at the node, so that they are still set.
                guard let edge, case let connection = edge.connection, connection != .none else {
                    return following.cancel()
                }
                edge.change(by: Origin(connection: connection)) {
                    following.cancel()
                    return nil
                }
            },
            edge, lifetime)
        return following
    }
}

/// The edge through which a followed sequence sets its node. It ends the following when it is cut, or released.
///
/// Unchecked, as its superclass is: its own property is constant.
private final class FollowingEdge<Output: Sendable>: Transform<Never, Output>, ConnectionKeeper, @unchecked Sendable {
    private let following: SequenceFollowing

    init(_ following: SequenceFollowing) {
        self.following = following
        super.init(name: "Follow")
    }
    deinit { following.cancel() }
    func discard(_ ended: Connection) {
        if from == nil || to == nil { following.cancel() }
    }
    /// Waits while the edge has both ends and is not connected yet, because the graph of its target is busy.
    func waitUntilLinked() async {
        while connection == .none, from != nil, !Task.isCancelled, let over = to?.endOfPresentWork {
            for await _ in over {}
            // A thread of the library is about to link the two.
            try? await Task.sleep(for: .milliseconds(1))
        }
    }
}

/// The task that reads a sequence, and the object that ends it.
private final class SequenceFollowing: Cancelable {
    private struct State {
        var isOver = false
        var task: Task<Void, Never>?
        weak var edge: AnyEdge?
        /// The object by which the lifetime ends the following.
        var farewell: BlockCancelable?
    }
    private let state = Lock(State())

    func begin(_ task: Task<Void, Never>, _ edge: AnyEdge, _ lifetime: Lifetime) {
        let farewell = BlockCancelable { [weak self] in self?.cancel() }
        lifetime.hold(farewell)
        let isOver = state.withLock { state in
            (state.task, state.edge, state.farewell) = (task, edge, farewell)
            return state.isOver
        }
        if isOver { cancel() }
    }
    /// After any call returns, nothing is set any more, even if another call is still running, because the edge is cut
    /// by then.
    func cancel() {
        let (task, edge, farewell) = state.withLock { state in
            state.isOver = true
            return (state.task.take(), state.edge, state.farewell.take())
        }
        task?.cancel()
        edge?.cancel()
        farewell?.cancel()
    }
}
