import Synchronization

/// The outermost set or `batch` under way on a thread: a transaction. Everything that the thread sets and connects
/// meanwhile is a part of it.
///
/// `whenOver` calls a closure when the transaction is over, including its combinations and all that they led to.
///
/// The transaction's own thread counts it at its end only if somebody refers to it. So a transaction that nobody waits
/// for costs next to nothing, and any thread can ask later if it is over.
///
/// Unchecked, because propagations are never deallocated.
@usableFromInline package struct OutermostSet: Equatable, @unchecked Sendable {
    @usableFromInline let propagation: Unmanaged<Propagation>
    /// The value of `setsOver` when this was made: twice the number of counted transactions of the thread that were
    /// over. The lowest bit is ignored.
    @usableFromInline let count: UInt64

    /// The transaction under way on this thread. Precondition: there is one, which is true while an edge is called.
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

    /// Calls `isTold` with `object` when this transaction is over, on its thread, when nothing is under way there.
    /// Returns false, and calls nothing, if it is over already. Safe from any thread.
    @discardableResult @usableFromInline package func whenOver(
        _ object: any AnyObject & Sendable, _ isTold: @escaping @Sendable (AnyObject) -> Void
    ) -> Bool {
        propagation._withUnsafeGuaranteedRef { propagation in
            propagation.waiters.withLock { waiters in
                // The bit that says that somebody waits is set only under this lock. So if the exchange fails, the
                // count has changed.
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
    /// Does the work that is left. Called when nothing is under way, and `lastDuties` is not empty.
    @inline(__always) func doLastDuties() {
        if lastDuties != .count { return doLastWork() }
        lastDuties = []
        countSetOver()
    }
    /// Counts the transaction that is over, and tells those that wait for it.
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
        // A waiter may set a node, which is a transaction of its own.
        while let waiter = waiting.popFirst() { waiter.isTold(waiter.object) }
    }
}
