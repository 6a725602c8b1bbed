// Retries before queueing. A set or an `update` may find its node busy on another thread, while nothing is under way on
// its own. Then it tries again for a moment, before it is queued.
//
// A queued set costs five times as much as one that gets the turn at once, because it allocates, and because lock and
// queue move between cores. Most turns end sooner than that. A thread that retries only now and then also lets the
// owner go on with data in its own cache. So two threads that set one node take little more time per set than one
// thread.
//
// No value is overtaken. The set is made only if the vertex's `word` is 0, so nobody has the turn and nothing is
// queued. The thread's own earlier sets have been made or queued before.
//
// The thread does not wait for another thread's listeners: it retries for about 3 microseconds, however long they take.
// After retries in vain, the next sets are queued at once (up to 64), before one retries again.

extension Propagation {
    /// Calls `set` now and then for a moment, while the vertex belongs to another thread. Returns true if the set was
    /// made.
    static func tryForAMoment(at vertex: Vertex, _ set: () -> Bool) -> Bool {
        #if SCHEDULE_FAULTS
        // A controlled thread does not go by the clock.
        return false
        #else
        return quick?._withUnsafeGuaranteedRef { $0.tryForAMoment(at: vertex, set) } ?? false
        #endif
    }
    /// Calls `set` now and then for a moment. Does nothing if this thread has something under way, or keeps turns: then
    /// the vertex may be its own.
    func tryForAMoment(at vertex: Vertex, _ set: () -> Bool) -> Bool {
        guard isIdle, lastWork.kept.isEmpty, patience.begin() else { return false }
        let isSet = Patience.pauses.contains { nanoseconds in
            Waiting.spin(nanoseconds: nanoseconds)
            return vertex.word.load(ordering: .relaxed) == 0 && set()
        }
        patience.end(hasHadTurn: isSet)
        return isSet
    }
}

/// Decides if a set that finds its node busy retries for a moment, from the results of earlier retries.
struct Patience: Equatable {
    /// The nanoseconds before each retry, about 3 microseconds in all.
    static let pauses: [UInt64] = [200, 400, 800, 1_600]
    static let mostPassedOver = 64

    /// The number of sets that are queued at once after the next retry in vain.
    private(set) var penalty = 1
    /// The number of sets that are queued at once from now on.
    private(set) var passingOver = 0

    /// Returns true if the next set retries.
    mutating func begin() -> Bool {
        guard passingOver > 0 else { return true }
        passingOver -= 1
        return false
    }
    mutating func end(hasHadTurn: Bool) {
        passingOver = hasHadTurn ? 0 : penalty
        penalty = hasHadTurn ? 1 : min(penalty * 2, Patience.mostPassedOver)
    }
}
