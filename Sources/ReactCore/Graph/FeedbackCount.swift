/// Counts how often one node is set off again in one transaction, and so finds an endless feedback.
///
/// Only repetitions by feedback count: values of the transaction's own that had to wait because the node was busy, and
/// firings of a join. A loop through listeners leads to the first, a loop through a join to the second. A batch that
/// sets a node many times leads to neither.
struct FeedbackCount {
    /// The limit in one transaction. The process ends if it is exceeded.
    static let most: UInt32 = 100_000

    private var lastEpoch: UInt64 = 0
    private var count: UInt32 = 0

    /// Counts once more, in the transaction that the thread has open since the epoch `finished`. Returns whether the
    /// limit is exceeded.
    @inline(__always) mutating func isExceeded(after finished: UInt64, now: UInt64) -> Bool {
        // Epochs of other threads are all lower, or all higher.
        let isAgain = lastEpoch > finished && lastEpoch <= now
        count = isAgain ? count &+ 1 : 1
        lastEpoch = now
        return count > FeedbackCount.most
    }
}
