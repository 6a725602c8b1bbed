extension MutableNode {
    /// Changes the value as one atomic step, and returns the result of `change`. Returns `nil` if the node is empty.
    ///
    ///     let names = MutableNode<Set<String>>([])
    ///     let isMine = await names.update(returning: { $0.insert("ada").inserted }) ?? false
    ///     print(isMine)       // true
    ///
    /// No other set comes between the value that `change` receives and the one that it makes.
    ///
    /// In an `async` function, a trailing closure means this method: `await node.update { $0 += 1 }`. To call
    /// `update(context:_:)` there, put the closure in parentheses: `node.update({ $0 += 1 })`.
    ///
    /// **Threads.** If the node is idle, `change` runs on this thread, and the new value is delivered before the call
    /// goes on. If the node is delivering, the update waits in line: the thread that delivers runs `change`, and the
    /// call goes on when the new value is stored. No thread is blocked. The call goes on on the caller's actor.
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
    nonisolated(nonsending) public func update<R: Sendable>(
        context: NodeContext? = nil, returning change: @escaping @Sendable (inout Value) -> R
    ) async -> R? {
        // Each queued delivery has its turn once, so the continuation is resumed once.
        await withUnsafeContinuation { continuation in
            self.change(.box(context)) { store, engine in
                // Only the owner of the turn writes the value, so it may be read without the lock.
                guard var value = store.value else {
                    continuation.resume(returning: nil)
                    return false
                }
                let result = change(&value)
                let isStored = engine.change(value, in: store, by: .set)
                continuation.resume(returning: result)
                return isStored
            }
        }
    }
}
