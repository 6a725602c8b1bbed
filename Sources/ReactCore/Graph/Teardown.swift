/// Lets go of chains, however long, in little stack: what would be `deinit` inside `deinit`, a thousand deep, waits on a list.
///
/// Whoever holds what may hold nodes lets go of it here: a node of its edges, a vertex of its value, a lifetime of its
/// edges. A few of them go at once, one inside the other; what lies deeper waits for the outermost on the thread, which works
/// until nothing is left. So all has gone when that returns.
struct Teardown {
    /// How many are being let go of, one inside the other.
    private var depth = 0
    private var waiting: [Any] = []
    private static let depthLimit = 8

    /// Lets go of `held`. Its end may be the user's code: no lock is held.
    static func letGo<Held>(of held: consuming Held) {
        let propagation = Propagation.currentUnretained.takeUnretainedValue()
        guard propagation.teardown.depth < depthLimit else { return propagation.teardown.waiting.append(held) }
        propagation.teardown.depth += 1
        // Not before it is counted: the optimiser would let go of it as soon as it can.
        withExtendedLifetime(held) {}
        _ = consume held
        if propagation.teardown.depth == 1 {
            while propagation.teardown.waiting.popLast() != nil {}
        }
        propagation.teardown.depth -= 1
    }
}
