import Synchronization

/// The outermost set, or `batch`, that is under way on a thread: all that the thread sets and links meanwhile is a part of it.
///
/// Who waits for its end says so here, and is told when all that it led to is done, combinations and what they led to included.
///
/// Its own thread notes for a set that somebody knows it, and counts it when it is over; so whoever does not wait costs it next
/// to nothing, and can ask later, on any thread, whether it is over.
///
/// Unchecked, because propagations are never let go of.
@usableFromInline package struct OutermostSet: Equatable, @unchecked Sendable {
    @usableFromInline let propagation: Unmanaged<Propagation>
    /// How many of the thread's sets that somebody knew were over before, as `setsOver` says it: the lowest bit is of no matter.
    @usableFromInline let count: UInt64

    /// The one that is under way on this thread. Precondition: there is one, as there is whenever an edge is called.
    static var current: OutermostSet {
        let propagation = Propagation.currentUnretained
        assert(!propagation._withUnsafeGuaranteedRef { $0.isIdle }, "nothing is under way on this thread")
        return OutermostSet(of: propagation)
    }
    @inlinable @inline(__always) init(of propagation: Unmanaged<Propagation>) {
        self.propagation = propagation
        count = propagation._withUnsafeGuaranteedRef {
            $0.lastDuties.insert(.count)
            return $0.setsOver.load(ordering: .relaxed)
        }
    }
    @usableFromInline package static func == (one: OutermostSet, other: OutermostSet) -> Bool {
        one.number == other.number && one.propagation.toOpaque() == other.propagation.toOpaque()
    }
    @usableFromInline package var isOver: Bool {
        propagation._withUnsafeGuaranteedRef { $0.setsOver.load(ordering: .acquiring) >> 1 != number }
    }
    private var number: UInt64 { count >> 1 }

    /// Calls `isTold` with `object` when this set is over, on its thread, with nothing under way there any more; answers `false`
    /// if it is over, and then calls nothing. On any thread.
    @discardableResult @usableFromInline package func whenOver(
        _ object: any AnyObject & Sendable, _ isTold: @escaping @Sendable (AnyObject) -> Void
    ) -> Bool {
        propagation._withUnsafeGuaranteedRef { propagation in
            propagation.waiters.withLock { waiters in
                // The mark that somebody waits changes under this lock alone: where the exchange fails, the count has changed.
                let count = propagation.setsOver.load(ordering: .relaxed)
                guard count >> 1 == number,
                    propagation.setsOver.compareExchange(
                        expected: count, desired: count | 1, ordering: .acquiringAndReleasing
                    ).exchanged
                else { return false }
                waiters.append(SetWaiter(object: object, isTold: isTold))
                return true
            }
        }
    }
}

extension Propagation {
    /// Called when nothing is under way, and there is something to do.
    @inline(__always) func doLastDuties() {
        if lastDuties != .count { return doLastWork() }
        lastDuties = []
        countSetOver()
    }
    /// Counts the set that is over, and tells who waits for that.
    @inline(__always) func countSetOver() {
        if setsOver.wrappingAdd(2, ordering: .acquiringAndReleasing).oldValue & 1 != 0 { tellWaiters() }
    }
    @inline(never) private func tellWaiters() {
        var waiting = waiters.withLock { waiters in
            setsOver.bitwiseAnd(~1, ordering: .acquiringAndReleasing)
            let waiting = waiters
            waiters = Queue()
            return waiting
        }
        // A waiter may set something, which is a set of its own.
        while let waiter = waiting.popFirst() { waiter.isTold(waiter.object) }
    }
}
