/// Counts how often one node is set off again in one transaction, and so finds a feedback that never ends.
///
/// It counts only what feedback brings about again and again: values of the transaction's own that had to wait because the node was being
/// delivered, and firings of a join. A loop through listeners comes to the first, a loop through a join to the second. A batch that sets
/// a node many times comes to neither.
struct FeedbackCount {
    /// With more than so many in one transaction, the process ends.
    static let most: UInt32 = 100_000

    private var lastTime: UInt64 = 0
    private var count: UInt32 = 0

    /// Counts one time more, in the transaction of a thread that is open since the time `finished`. Answers whether those were too many.
    @inline(__always) mutating func isExceeded(after finished: UInt64, now: UInt64) -> Bool {
        // Times of other threads are all lower, or all higher.
        let isAgain = lastTime > finished && lastTime <= now
        count = isAgain ? count &+ 1 : 1
        lastTime = now
        return count > FeedbackCount.most
    }
}
