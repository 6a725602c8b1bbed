// A join that two threads have reached fires for the last of them, so that it never shows one half of what some thread is about to
// set; and with it what meets it downstream.

extension Join {
    /// Has the join fire in the outermost set of another thread, too, if something that was set there at `time` is of one that is
    /// still under way; answers whether it does. Called while this thread fires it.
    func wait(for time: UInt64, in propagation: Propagation) -> Bool {
        let other = Propagation.of(time)
        guard other.finished.load(ordering: .sequentiallyConsistent) < time else { return false }
        let isNew = vertex.locking {
            let more = state.wait(for: other.id)
            if more.needsList { moveToList(in: propagation) }
            return more.isNew
        }
        guard isNew else { return true }
        other.inbox.add(self)
        ScheduleFaults.pause(at: .inboxIsToBeEmptied)
        // Where that is over by now, it may have looked into its inbox for the last time.
        guard other.finished.load(ordering: .sequentiallyConsistent) >= time, other.inbox.remove(self) else {
            return true
        }
        vertex.locking { _ = replace(other, by: nil, in: propagation) }
        return false
    }
    /// Leaves the firing to another holder, or to a turn of the vertex, and with it what this thread has yet to fire that meets it
    /// downstream: there, the one would be seen new and the other old. All else is this thread's own, and made before its set
    /// returns.
    ///
    /// Hand-overs take turns, so that only one thread at a time holds the locks of two vertices. None is held while the ways
    /// downstream are looked for: any of them may lead to any vertex.
    @inline(never) func leave(_ propagation: Propagation) {
        propagation.observer?.leftToOthers(vertex)
        var held: [Vertex] = []  // let go of when no lock is held
        Join.handingOver.withLock { _ in
            ScheduleFaults.pause(at: .handOverIsLocked)
            propagation.inbox.empty(into: &propagation.joins)
            var others = propagation.takeJoins(but: self, holding: &held)
            let reach = vertex.reach(holding: &held)
            let bits = vertex.lock()
            let known = state.heir(of: propagation.id)?.holder
            let waiting = known == nil && bits & Vertex.busy != 0 ? WaitingFiring() : nil
            if let heir = known ?? waiting {
                replace(propagation, by: heir, in: propagation)
                // Before the lock is let go of: when the heir fires this join, it has the others.
                propagation.handOver(&others, meeting: reach, to: heir)
                propagation.joinsLeft.append(self)
            } else {
                propagation.joins.insert(self)
            }
            if known != nil, state.noteLeft() { propagation.lastDuties.insert(.yield) }
            if let waiting { vertex.rareLocked.queue.append(turn(for: waiting)) }
            vertex.unlock(waiting == nil ? bits : bits | Vertex.pending)
            for (join, _) in others { join.vertex.locking { propagation.joins.insert(join) } }
        }
    }
    /// Puts `heir` in the place of `propagation`.
    fileprivate func goOver(from propagation: Propagation, to heir: JoinHolder) {
        vertex.locking {
            if replace(propagation, by: heir, in: propagation) { heir.add(self) }
        }
    }
    /// Goes the way of joins that were left to others, and that this one may be downstream of; says whether it did.
    @inline(never) func follow(_ left: [AnyJoin], _ propagation: Propagation) -> Bool {
        var held: [Vertex] = []  // let go of when no lock is held
        return Join.handingOver.withLock { _ in
            ScheduleFaults.pause(at: .handOverIsLocked)
            for other in left
            where other !== self && other.vertex.height < vertex.height
                && other.vertex.reach(holding: &held).contains(ObjectIdentifier(vertex))
            {
                // Who holds the other has yet to come to it, or to finish with it: its inbox is read after that.
                let follows = other.vertex.locking {
                    guard let heir = other.asJoin.state.holder?.holder, heir !== propagation else { return false }
                    goOver(from: propagation, to: heir)
                    return true
                }
                if follows { return true }
            }
            return false
        }
    }
    static let handingOver = Lock(())

    /// A turn of a vertex in which the firing goes over to whoever has the turn.
    func turn(for waiting: WaitingFiring) -> Update {
        Update(context: nil, senders: SenderList(), isVisit: true) { [self] _, propagation in
            take(waiting, to: propagation)
            return false
        }
    }
    /// The vertex is no longer busy: the firing that waited is `propagation`'s now, and so are those that it kept waiting.
    func take(_ waiting: WaitingFiring, to propagation: Propagation) {
        Join.handingOver.withLock { _ in
            ScheduleFaults.pause(at: .handOverIsLocked)
            for join in [self] + waiting.joins {
                join.vertex.locking {
                    if join.replace(waiting, by: propagation, in: propagation) { propagation.joins.insert(join) }
                }
            }
        }
    }
    /// Puts `new` in the place of `old` among the holders; says whether it was none yet. The lock is held.
    @discardableResult func replace(
        _ old: JoinHolder, by new: JoinHolder?, in propagation: Propagation
    ) -> Bool {
        let replacement = state.replace(old.id, by: new?.id)
        if replacement.needsList { moveToList(in: propagation) }
        return replacement.isNew
    }
}

extension Propagation {
    /// Takes all joins that are to be fired from the list but `left`, each with what it reaches. Precondition: hand-overs are
    /// locked, and no vertex is.
    fileprivate func takeJoins(but left: Join, holding held: inout [Vertex]) -> [(
        join: Join, reach: Set<ObjectIdentifier>
    )] {
        var taken: [(join: Join, reach: Set<ObjectIdentifier>)] = []
        while let entry = joins.popFirst() {
            let join = entry.join.takeUnretainedValue().asJoin
            if join !== left { taken.append((join, join.vertex.reach(holding: &held))) }
        }
        return taken
    }
    /// Hands over those of `others` that meet `reach` downstream, or one another that does.
    /// Precondition: hand-overs are locked.
    fileprivate func handOver(
        _ others: inout [(join: Join, reach: Set<ObjectIdentifier>)], meeting reach: Set<ObjectIdentifier>,
        to heir: JoinHolder
    ) {
        var reach = reach
        while let next = others.firstIndex(where: { !$0.reach.isDisjoint(with: reach) }) {
            let (join, more) = others.remove(at: next)
            join.goOver(from: self, to: heir)
            reach.formUnion(more)
            joinsLeft.append(join)
        }
    }
}

/// A firing that waits for a turn of its vertex, with the joins that must not fire before it.
final class WaitingFiring: JoinHolder {
    private(set) var joins: [Join] = []

    override func add(_ join: AnyJoin) { joins.append(join.asJoin) }
}

extension Vertex {
    /// This vertex and all that is downstream of it, from one to the `next`. No vertex's lock is held; each is taken for a moment. What
    /// was visited is added to `held`, so that it is let go of when no lock is held.
    final func reach(
        holding held: inout [Vertex], by next: (Vertex) -> [Vertex] = { vertex in vertex.locking { vertex.targets } }
    ) -> Set<ObjectIdentifier> {
        var reached: Set<ObjectIdentifier> = []
        var waiting = [self]
        while let vertex = waiting.popLast() {
            held.append(vertex)
            guard reached.insert(ObjectIdentifier(vertex)).inserted else { continue }
            waiting += next(vertex)
        }
        return reached
    }
    fileprivate final var targets: [Vertex] {
        var targets: [Vertex] = []
        transforms.forEach { edge in
            if let target = edge.target.load(ordering: .acquiring) { targets.append(target.takeUnretainedValue()) }
        }
        return targets
    }
}

extension AnyJoin {
    /// There is no other kind.
    fileprivate final var asJoin: Join { unsafeDowncast(self, to: Join.self) }
}
