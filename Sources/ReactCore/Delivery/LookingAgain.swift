// What a set or an `update` does that finds its node busy with another thread's, while nothing is under way on its own: it looks again
// for a moment, before it is queued.
//
// A queued set costs an allocation, and goes from core to core with the lock and the queue: five times a set that has its turn
// at once. Most turns are over in less. And while one thread looks only now and then, the other goes on with what its own core
// has in reach: so two threads that set one node take little more time for each set than one does.
//
// Nothing is overtaken: the set is made only where the word of the node is 0, so that nobody has the turn and nothing is queued; and the
// thread's own earlier sets have been made or queued before.
//
// This is no waiting for another thread's listeners: the moment is a few microseconds, however long those take. And where they
// do take long, so that the moment was in vain, so many sets are queued at once before the next one looks again.

extension Propagation {
    /// Has a set tried again now and then, as long as its vertex is another thread's, for a moment. Answers whether it was made.
    ///
    /// Only where nothing records, so that what is on record is one way.
    static func tryForAMoment(at vertex: Vertex, _ set: () -> Bool) -> Bool {
        #if SCHEDULE_FAULTS
        // A thread under control goes by no clock.
        return false
        #else
        return quick?._withUnsafeGuaranteedRef { $0.tryForAMoment(at: vertex, set) } ?? false
        #endif
    }
    /// The same. Only where nothing is under way on this thread, nor kept for later, for else the vertex may be its own.
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

/// Whether who finds a node another thread's is to look again for a moment, by how that went before.
struct Patience: Equatable {
    /// Nanoseconds until it looks again, each time; some three microseconds in all.
    static let pauses: [UInt64] = [200, 400, 800, 1_600]
    static let mostPassedOver = 64

    /// How many sets are queued at once after the next one that has looked in vain.
    private(set) var penalty = 1
    /// How many are queued at once from now on.
    private(set) var passingOver = 0

    /// Whether the next set looks again.
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
