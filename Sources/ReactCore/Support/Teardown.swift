/// Lets go of chains, however long, in little stack: what would be `deinit` inside `deinit`, a thousand deep, waits on a list.
///
/// Whoever holds what may hold nodes lets go of it here: a node of its edges, a vertex of its value, a lifetime of its
/// edges. A few of them go at once, one inside the other; what lies deeper waits for the outermost on the thread, which works
/// until nothing is left. So all has gone when that returns.
final class Teardown {
    /// How many are being let go of, one inside the other.
    @exclusivity(unchecked) private var depth = 0
    @exclusivity(unchecked) private var waiting: [Any] = []
    private static let depthLimit = 8
    private static let threads = ThreadLocal { Teardown() }

    /// Lets go of `held`. Its end may be the user's code: no lock is held.
    static func letGo<Held>(of held: consuming Held) {
        let teardown = threads.current.takeUnretainedValue()
        guard teardown.depth < depthLimit else { return teardown.waiting.append(held) }
        teardown.depth += 1
        // Not before it is counted: the optimiser would let go of it as soon as it can.
        withExtendedLifetime(held) {}
        _ = consume held
        if teardown.depth == 1 {
            while teardown.waiting.popLast() != nil {}
        }
        teardown.depth -= 1
    }
}
