import Synchronization

/// The joins that other threads have left to this thread's propagation. It looks here before it fires each join.
///
/// Invariant: the inbox's propagation is among the holders of every join in the inbox (`JoinState.isHeld(by:)`).
final class JoinInbox: Sendable {
    private let joins = Lock<[AnyJoin]>([])
    private let count = Atomic<Int>(0)

    /// Sequentially consistent, because it has to be in one order with `finished`; see `Join.wait`.
    var isEmpty: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }

    func add(_ join: AnyJoin) {
        ScheduleFaults.pause(at: .inboxIsToBeFilled)
        joins.withLock {
            $0.append(join)
            count.store($0.count, ordering: .sequentiallyConsistent)
        }
    }
    /// Takes a join back. Returns true if it was still in the inbox.
    func remove(_ join: AnyJoin) -> Bool {
        joins.withLock { waiting in
            guard let place = waiting.firstIndex(where: { $0 === join }) else { return false }
            waiting.remove(at: place)
            count.store(waiting.count, ordering: .sequentiallyConsistent)
            return true
        }
    }
    func empty(into queue: inout JoinQueue) {
        ScheduleFaults.pause(at: .inboxIsToBeEmptied)
        let waiting = joins.withLock { waiting in
            defer { waiting = [] }
            count.store(0, ordering: .releasing)
            return waiting
        }
        for join in waiting { join.vertex.locking { queue.insert(join) } }
    }
}
