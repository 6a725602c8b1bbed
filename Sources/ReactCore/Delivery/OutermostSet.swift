/// The outermost set, or `batch`, that is under way on a thread: all that the thread sets and links meanwhile is a part of it.
///
/// What has to wait for its end says so here. Two moments can be waited for:
///
///     a set ──▶ deliveries ──▶ combinations ──▶ whenSettled: may set, as a part of it ──▶ it is over ──▶ whenOver
@usableFromInline package struct OutermostSet {
    /// Tells the thread apart from all others that have a set under way.
    @usableFromInline package typealias Thread = ObjectIdentifier
    /// Who waits until it is over.
    ///
    /// A closure and no requirement of a protocol, so that it is compiled for the types where it is made.
    @usableFromInline package final class Waiter: Sendable {
        fileprivate let isOver: @Sendable (Thread) -> Void

        /// `isOver` is called on the thread, with nothing under way there any more.
        @usableFromInline package init(_ isOver: @escaping @Sendable (Thread) -> Void) { self.isOver = isOver }
    }

    /// Propagations are never let go of.
    private let propagation: Unmanaged<Propagation>

    /// The one that is under way on this thread. Precondition: there is one, as there is whenever an edge is called.
    @usableFromInline package static var current: OutermostSet {
        let propagation = Propagation.currentUnretained
        assert(!propagation._withUnsafeGuaranteedRef { $0.isIdle }, "nothing is under way on this thread")
        return OutermostSet(propagation: propagation)
    }
    @usableFromInline package var thread: Thread { Thread(propagation.takeUnretainedValue()) }

    /// Calls `work` when nothing else is left to deliver, all combinations included. What it sets is a part of this set, and
    /// may call for more such work, which comes after all that is waiting by then.
    package func whenSettled(_ work: @escaping () -> Void) {
        propagation._withUnsafeGuaranteedRef {
            $0.lastWork.settling.append(work)
            $0.hasLastWork = true
        }
    }
    /// Tells `waiter` when this set is over.
    @usableFromInline package func whenOver(_ waiter: Waiter) {
        propagation._withUnsafeGuaranteedRef {
            $0.lastWork.waiters.append(waiter)
            $0.hasLastWork = true
        }
    }
}

/// What a thread has to do at the end of its outermost set.
struct LastWork {
    fileprivate var settling = Queue<() -> Void>()
    fileprivate var waiters: [OutermostSet.Waiter] = []
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
        tellWaiters()
        if lastWork.yields {
            lastWork.yields = false
            yield()
        }
    }
    private func tellWaiters() {
        var waiters: [OutermostSet.Waiter] = []
        swap(&waiters, &lastWork.waiters)
        for waiter in waiters { waiter.isOver(OutermostSet.Thread(self)) }
        waiters.removeAll(keepingCapacity: waiters.count <= 1_024)
        // Its room is for the next ones, unless a waiter has set something itself.
        if lastWork.waiters.isEmpty { swap(&waiters, &lastWork.waiters) }
    }
}
