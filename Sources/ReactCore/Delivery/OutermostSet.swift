import Synchronization

/// The outermost set, or `batch`, that is under way on a thread: all that the thread sets and links meanwhile is a part of it.
///
/// What has to wait for its end says so here. Two moments can be waited for:
///
///     a set ──▶ deliveries ──▶ combinations ──▶ whenSettled: may set, as a part of it ──▶ it is over ──▶ whenOver
///
/// Its own thread notes for a set that somebody knows it, and counts it when it is over; so whoever does not wait costs it next
/// to nothing, and can ask later, on any thread, whether it is over.
///
/// Unchecked, because propagations are never let go of, and the work of a set is added on its own thread.
@usableFromInline package struct OutermostSet: Equatable, @unchecked Sendable {
    /// Who waits until it is over.
    ///
    /// A closure and no requirement of a protocol, so that it is compiled for the types where it is made.
    @usableFromInline package final class Waiter: Sendable {
        fileprivate let isTold: @Sendable (Waiter) -> Void

        /// `isTold` is called on the thread of the set, with nothing under way there any more, and is given this waiter.
        @usableFromInline package init(_ isTold: @escaping @Sendable (Waiter) -> Void) { self.isTold = isTold }
    }

    private let propagation: Unmanaged<Propagation>
    /// How many of the thread's sets that somebody knew were over before.
    private let number: UInt64

    /// The one that is under way on this thread. Precondition: there is one, as there is whenever an edge is called.
    @usableFromInline package static var current: OutermostSet {
        let propagation = Propagation.currentUnretained
        return propagation._withUnsafeGuaranteedRef {
            assert(!$0.isIdle, "nothing is under way on this thread")
            $0.lastWork.isKnown = true
            $0.hasLastWork = true
            return OutermostSet(propagation: propagation, number: $0.setsOver.load(ordering: .relaxed) >> 1)
        }
    }
    private init(propagation: Unmanaged<Propagation>, number: UInt64) {
        self.propagation = propagation
        self.number = number
    }
    @usableFromInline package static func == (one: OutermostSet, other: OutermostSet) -> Bool {
        one.number == other.number && one.propagation.toOpaque() == other.propagation.toOpaque()
    }
    @usableFromInline package var isOver: Bool {
        propagation._withUnsafeGuaranteedRef { $0.setsOver.load(ordering: .acquiring) >> 1 != number }
    }

    /// Calls `work` when nothing else is left to deliver, all combinations included. What it sets is a part of this set, and
    /// may call for more such work, which comes after all that is waiting by then. Only on the set's own thread.
    package func whenSettled(_ work: @escaping () -> Void) {
        propagation._withUnsafeGuaranteedRef {
            $0.lastWork.settling.append(work)
            $0.hasLastWork = true
        }
    }
    /// Tells `waiter` when this set is over; `false` if it is, and then nobody is told. On any thread.
    @discardableResult @usableFromInline package func whenOver(_ waiter: Waiter) -> Bool {
        propagation._withUnsafeGuaranteedRef { propagation in
            propagation.waiters.withLock { waiters in
                // The mark that somebody waits changes under this lock alone: where the exchange fails, the count has changed.
                let count = propagation.setsOver.load(ordering: .relaxed)
                guard count >> 1 == number,
                    propagation.setsOver.compareExchange(
                        expected: count, desired: count | 1, ordering: .acquiringAndReleasing
                    ).exchanged
                else { return false }
                waiters.append(waiter)
                return true
            }
        }
    }
}

/// What a thread has to do at the end of its outermost set.
struct LastWork {
    fileprivate var settling = Queue<() -> Void>()
    /// Whether somebody knows the set that is under way.
    fileprivate var isKnown = false
    /// Whether this thread and another keep leaving a join to each other.
    fileprivate var yields = false
    fileprivate var isSettling = false
}

extension Propagation {
    /// Has this thread step back for a moment when its outermost set is over.
    func yieldWhenOver() {
        lastWork.yields = true
        hasLastWork = true
    }
    /// Called when nothing is under way, and `hasLastWork`.
    @inline(never) func doLastWork() {
        // Work that ends a set of its own is in the loop below, which comes to what that has added.
        if lastWork.isSettling { return }
        lastWork.isSettling = true
        while let work = lastWork.settling.popFirst() {
            begin()
            work()
            end()
        }
        lastWork.isSettling = false
        hasLastWork = false
        tellThatItIsOver()
        if lastWork.yields {
            lastWork.yields = false
            yield()
        }
    }
    /// Counts the set that is over, and tells who waits for that.
    private func tellThatItIsOver() {
        guard lastWork.isKnown else { return }
        lastWork.isKnown = false
        if setsOver.add(2, ordering: .acquiringAndReleasing).oldValue & 1 != 0 { tellWaiters() }
    }
    @inline(never) private func tellWaiters() {
        var waiting = waiters.withLock { waiters in
            setsOver.bitwiseAnd(~1, ordering: .acquiringAndReleasing)
            let waiting = waiters
            waiters = Queue()
            return waiting
        }
        // A waiter may set something, which is a set of its own.
        while let waiter = waiting.popFirst() { waiter.isTold(waiter) }
    }
}
