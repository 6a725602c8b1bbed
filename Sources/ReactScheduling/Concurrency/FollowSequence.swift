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
    /// node.
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
            for await element in sequence where !set(element) { return }
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
                for try await element in sequence where !set(.success(element)) { return }
            } catch {
                _ = set(.failure(error))
            }
        }
    }

    /// Runs `read` in a task, with a closure that sets this node. The closure returns `false` once the following has
    /// ended.
    private func follow(
        in lifetime: Lifetime, on executor: (any TaskExecutor)?,
        _ read: @escaping @Sendable (_ set: (Value) -> Bool) async -> Void
    ) -> any Cancelable {
        let edge = FollowEdge<Value>(name: "Follow")
        // An edge without a source sends nothing, so the edge leads from a node that stays empty.
        link(to: Node<Never>().named("follow"), transform: edge)
        edge.begin(
            Task(executorPreference: executor.forOperators) { [weak edge] in
                await read { value in
                    guard !Task.isCancelled, let edge else { return false }
                    // Sent by the edge, so that nothing is stored once the edge is cut.
                    edge.send(value, from: SenderList(), context: nil)
                    return true
                }
                // Ends the following after the values that wait for their turn at the node, so that they are still set.
                guard let edge, case let connection = edge.connection, connection != .none else { return }
                edge.change(by: Origin(connection: connection)) { [weak edge] in
                    edge?.cancel()
                    return nil
                }
            },
            Farewell(to: lifetime) { [weak edge] in edge?.cancel() })
        return BlockCancelable { [weak edge] in edge?.cancel() }
    }
}

/// The edge by which a followed sequence sets its node, and the task that reads the sequence. When the edge is cut, or
/// released, the task is cancelled.
///
/// Unchecked, as its superclass is: its own property is under a lock.
private final class FollowEdge<Output: Sendable>: Transform<Never, Output>, ConnectionKeeper, @unchecked Sendable {
    private struct Reading {
        var task: Task<Void, Never>?
        var farewell: Farewell?
        var isOver = false
    }
    private let reading = Lock(Reading())

    deinit { end() }
    func discard(_ ended: Connection) {
        if connection == .none { end() }
    }
    func begin(_ task: Task<Void, Never>, _ farewell: Farewell) {
        let isOver = reading.withLock { reading in
            if !reading.isOver { (reading.task, reading.farewell) = (task, farewell) }
            return reading.isOver
        }
        if isOver { task.cancel() }
    }
    /// The farewell is released without the lock, because it ends.
    private func end() { reading.withLock { exchange(&$0, with: Reading(isOver: true)) }.task?.cancel() }
}
