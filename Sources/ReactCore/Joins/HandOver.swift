// A join that two threads have reached fires for the last of them, so that it never shows half of a transaction. The
// first thread sets it aside, together with the joins downstream of it, and fires all others. Then it hands over the
// joins that it has set aside.

extension Join {
    /// Adds another thread's transaction to the holders of the join, if `time` belongs to that transaction and it is
    /// still open. So the join fires there, too. Returns whether it does. Called while this thread fires the join.
    package func wait(for time: UInt64, in engine: Engine) -> Bool {
        let other = Engine.of(time)
        guard other.finished.load(ordering: .sequentiallyConsistent) < time else { return false }
        let isNew = vertex.locking {
            let more = state.wait(for: other.id)
            if more.needsList { moveToList(in: engine) }
            return more.isNew
        }
        guard isNew else { return true }
        // A join that the other thread has set aside may be upstream of this one by now.
        other.searchAgain()
        other.inbox.add(self)
        ScheduleFuzzing.pause(at: .inboxIsToBeEmptied)
        // A transaction that has ended by now may not look into its inbox again.
        guard other.finished.load(ordering: .sequentiallyConsistent) >= time, other.inbox.remove(self) else {
            return true
        }
        vertex.locking { _ = replace(other, by: nil, in: engine) }
        return false
    }
    /// Sets the join aside, because another thread has to fire it: another holder, or the owner of the busy vertex,
    /// which becomes a holder with the next turn. The lock is held, and is released here.
    @inline(never) func setAside(in engine: Engine, _ lockedBits: UInt32) {
        var bits = lockedBits
        if !state.hasSeveralHolders {
            let waiting = WaitingFiring()
            if state.wait(for: waiting.id).needsList { moveToList(in: engine) }
            vertex.coldStateLocked.queue.append(turn(for: waiting))
            bits |= Vertex.pending
        }
        vertex.unlock(bits)
        engine.setAside.insert(self)
    }
    /// Replaces `engine` by another holder of this join, here and in the rest of the group. Returns false if there is
    /// no other. The lock is held meanwhile, so that the other has the rest of the group when it fires this join.
    fileprivate func transfer(with group: [JoinBase], _ engine: Engine) -> Bool {
        vertex.locking {
            guard let other = state.holder(otherThan: engine.id)?.holder else { return false }
            engine.observer?.leftToOthers(vertex)
            replace(engine, by: other, in: engine)
            for join in group where join !== self {
                join.vertex.locking {
                    if join.asJoin.replace(engine, by: other, in: engine) { other.add(join) }
                }
            }
            if !(other is WaitingFiring), state.noteLeft() { engine.endFlags.insert(.yield) }
            return true
        }
    }
    static let handingOver = Lock(())

    /// Returns a pending delivery that gives the firing to the owner of the vertex.
    func turn(for waiting: WaitingFiring) -> QueuedDelivery {
        QueuedDelivery(context: nil, senders: SenderList(), onlyWaits: true) { [self] _, engine in
            take(waiting, to: engine)
            return false
        }
    }
    /// Moves a firing that waited, and the joins that it kept waiting, to `engine`. The vertex is no longer busy.
    func take(_ waiting: WaitingFiring, to engine: Engine) {
        Join.handingOver.withLock { _ in
            ScheduleFuzzing.pause(at: .handOverIsLocked)
            engine.searchAgain()
            for join in [self] + waiting.joins {
                join.vertex.locking {
                    if join.replace(waiting, by: engine, in: engine) { engine.joins.insert(join) }
                }
            }
        }
    }
    /// Replaces `old` by `new` among the holders. Returns true if `new` was not yet one of them. The lock is held.
    @discardableResult func replace(
        _ old: JoinHolder, by new: JoinHolder?, in engine: Engine
    ) -> Bool {
        let replacement = state.replace(old.id, by: new?.id)
        if replacement.needsList { moveToList(in: engine) }
        return replacement.isNew
    }
}

extension Engine {
    /// Leaves the joins that this thread has set aside to other holders. Called when nothing else is left to fire, so
    /// that these joins have all values of the transaction.
    ///
    /// In two cases, puts all of them into the queue again: a group has no other holder by now, or another thread has
    /// just left a join here. This thread has to fire that join itself. A listener may then bring new values to the
    /// other groups, so it is too early to hand these over.
    ///
    /// One lock serialises hand-overs, so that only one thread at a time holds the locks of two vertices. O(joins).
    func leaveSetAside() {
        setAside.followConnections()
        var left = setAside.take()
        let groups = left.groups()
        Join.handingOver.withLock { _ in
            ScheduleFuzzing.pause(at: .handOverIsLocked)
            var others: [JoinHolder] = []
            for group in groups {
                guard inbox.isEmpty, let other = otherHolder(of: group) else { return groups.forEach(list) }
                if other !== others.last { others.append(other) }
            }
            for other in others { other.searchAgain() }
            for group in groups where !group.contains(where: { $0.asJoin.transfer(with: group, self) }) { list(group) }
        }
        withExtendedLifetime(left) {}  // let go of when no lock is held
    }
    /// Returns another holder of one of the joins.
    private func otherHolder(of group: [JoinBase]) -> JoinHolder? {
        for join in group {
            if let other = join.vertex.locking({ join.asJoin.state.holder(otherThan: id)?.holder }) { return other }
        }
        return nil
    }
}

/// A firing that waits for a turn of its vertex, with the joins that must not fire before it.
final class WaitingFiring: JoinHolder {
    private(set) var joins: [Join] = []

    override func add(_ join: JoinBase) { joins.append(join.asJoin) }
}

extension JoinBase {
    /// `Join` is the only subclass.
    fileprivate final var asJoin: Join { unsafeDowncast(self, to: Join.self) }
}
