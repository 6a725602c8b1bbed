/// Holds back every `combine` until the outermost `batch`, or the set under way, on this thread ends; each then fires at most once.
///
/// All else is delivered at once, inside the block. If `body` throws, what it had set stays set, and the combinations
/// still fire.
///
///     let width = MutableNode(1), height = MutableNode(1), lifetime = Lifetime()
///     let area = combine(width, height) { $0 * $1 }
///     area.listened(by: lifetime).with { print($0) }      // 1
///     batch { width.value = 3; height.value = 4 }         // 12
///
/// A combination that is made inside the block has its first value when the call returns, if every input has one. It fires again when
/// the block ends, if one of its inputs changes after that.
///
/// What another thread sets
/// meanwhile waits with the rest, where it reaches a combination that this thread has begun to change; all else that other
/// threads set goes its way.
///
/// - Parameter body: Called once, at once, on this thread. It should be short: combinations wait for it.
/// - Returns: What `body` returned.
/// - Complexity: O(1), beside what `body` does and what the combinations then lead to.
public func batch<R>(_ body: () throws -> R) rethrows -> R {
    try Propagation.currentUnretained._withUnsafeGuaranteedRef { propagation in
        propagation.begin()
        propagation.observer?.batchBegan()
        defer {
            propagation.observer?.batchEnded()
            propagation.end()
        }
        return try body()
    }
}
