extension MutableNode {
    /// Changes the value as one atomic step, and returns the result of `change`; `nil` if the node is empty.
    ///
    ///     let names = MutableNode<Set<String>>([])
    ///     let isNew = await names.withUpdate { $0.insert("ada").inserted } ?? false
    ///     print(isNew)        // true
    ///
    /// No other set comes between the value that `change` receives and the one that it makes.
    ///
    /// **Threads.** If the graph is idle, `change` runs on this thread, and the new value is delivered before the call
    /// goes on. If a listener of the node makes the call, or if another thread keeps the graph busy, the update waits
    /// in line: a thread that has the graph runs `change`, and the call goes on when the new value is stored. No thread
    /// is blocked. The call goes on on the caller's actor.
    ///
    /// **Cancellation.** Cancelling the task has no effect. `change` runs exactly once, or never if the node is empty
    /// when its turn comes.
    ///
    /// - Parameters:
    ///   - context: A value that travels beside the new value.
    ///   - change: Called at most once, with the value to change, with no lock held.
    /// - Returns: The result of `change`, or `nil` if the node was empty.
    /// - Precondition: `isMutable`.
    /// - Complexity: As `update(context:_:)`, besides one allocation for the delivery in line.
    @discardableResult
    nonisolated(nonsending) public func withUpdate<R: Sendable>(
        context: NodeContext? = nil, _ change: @escaping @Sendable (inout Value) -> R
    ) async -> R? {
        // Each queued delivery has its turn once, so the continuation is resumed once.
        await withCheckedContinuation { continuation in
            self.change(.box(context), waits: false) { cell, engine in
                // Only the owner of the region writes the value, so it may be read without the lock.
                guard var value = cell.value else {
                    continuation.resume(returning: nil)
                    return false
                }
                let result = change(&value)
                let isStored = engine.change(value, in: cell, by: .set)
                continuation.resume(returning: result)
                return isStored
            }
        }
    }
    /// Changes the value as one atomic step, at once, and returns the result of `change`.
    ///
    /// Returns `nil`, and has changed nothing, if the node is empty, if it is delivering on this thread, or if another
    /// thread kept its graph busy for the bound of a set (see *Threads and order*). Use it where the next line needs
    /// the result, and `await` is not possible:
    ///
    ///     let rows = MutableNode(["ada"])
    ///     let place = rows.tryUpdate { rows in
    ///         rows.append("grace")
    ///         return rows.count - 1
    ///     }
    ///     print(place ?? -1)      // 1
    ///
    /// - Parameters:
    ///   - context: A value that travels beside the new value.
    ///   - change: Called at most once, on this thread, before this returns, with no lock held.
    /// - Returns: The result of `change`, or `nil` if the value was not changed.
    /// - Precondition: `isMutable`.
    /// - Complexity: As `update(context:_:)`.
    @discardableResult public func tryUpdate<R>(context: NodeContext? = nil, _ change: (inout Value) -> R) -> R? {
        guard isMutable else { refuseSet() }
        return Engine.currentUnretained._withUnsafeGuaranteedRef { engine in
            engine.begin()
            defer { engine.end() }
            guard engine.takeOrWait(for: vertex) else { return nil }
            var result: R?
            _ = withUnsafePointer(to: context) { context in
                updateIfIdle {
                    context.pointee == nil ? $0.beginSet(of: $1) : $0.beginSet(of: $1, carrying: context)
                } by: {
                    result = change(&$0)
                }
            }
            return result
        }
    }
}
