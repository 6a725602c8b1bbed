import Synchronization

/// Joins that other threads have left to a propagation. It looks here before each join that it fires.
///
/// Invariant: a join in here is held by the inbox's propagation, in the sense of `JoinState.isHeld(by:)`.
final class JoinInbox: Sendable {
    private let joins = Lock<[AnyJoin]>([])
    private let count = Atomic<Int>(0)

    /// In one order with what else is said sequentially consistently.
    var isEmpty: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }

    func add(_ join: AnyJoin) {
        ScheduleFaults.pause(at: .inboxIsToBeFilled)
        joins.withLock {
            $0.append(join)
            count.store($0.count, ordering: .sequentiallyConsistent)
        }
    }
    /// Takes a join back; answers whether it was still there.
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
