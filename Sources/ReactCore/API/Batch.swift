/// Holds back every `combine` until the outermost `batch` or set of this thread ends; then each fires at most once.
///
/// All other operators, and listeners, get their values at once, inside the block. If `body` throws, the values that it
/// has set stay, and the combinations still fire.
///
///     let width = MutableNode(1), height = MutableNode(1), lifetime = Lifetime()
///     let area = combine(width, height) { $0 * $1 }
///     area.listened(by: lifetime).with { print($0) }      // 1
///     batch { width.value = 3; height.value = 4 }         // 12
///
/// A combination that is made inside the block has its first value when the call returns, if every input has one. It
/// fires again when the block ends, if one of its inputs changes after that.
///
/// The thread keeps each graph that the block sets until the batch ends. A thread that sets such a graph meanwhile
/// waits, and is late after a while: see *Threads and order*. So nobody sees half of the batch.
///
/// In a graph with a cycle, or with an operator that asks for senders, a batch keeps a record of each value that
/// reaches a combination, until the outermost batch or set ends: see *Memory*. From then on, the thread keeps at most
/// 1 MB of it for the next one.
///
/// - Parameter body: Called once, at once, on this thread. It should be short, because combinations wait for it.
/// - Returns: The result of `body`.
/// - Complexity: O(1), besides `body` and the firings that follow.
public func batch<R>(_ body: () throws -> R) rethrows -> R {
    try Engine.currentUnretained._withUnsafeGuaranteedRef { engine in
        engine.begin()
        engine.observer?.batchBegan()
        defer {
            engine.observer?.batchEnded()
            engine.end()
        }
        return try body()
    }
}
