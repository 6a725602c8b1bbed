// A join that two threads have reached fires for the last of them, so that it never shows half of a transaction. Joins
// that meet it downstream fire there as well.

extension Join {
    /// Adds another thread's transaction to the holders of the join, if `time` belongs to that transaction and it is
    /// still open. So the join fires there, too. Returns whether it does. Called while this thread fires the join.
    func wait(for time: UInt64, in engine: Engine) -> Bool {
        let other = Engine.of(time)
        guard other.finished.load(ordering: .sequentiallyConsistent) < time else { return false }
        let isNew = vertex.locking {
            let more = state.wait(for: other.id)
            if more.needsList { moveToList(in: engine) }
            return more.isNew
        }
        guard isNew else { return true }
        other.inbox.add(self)
        ScheduleFuzzing.pause(at: .inboxIsToBeEmptied)
        // A transaction that has ended by now may not look into its inbox again.
        guard other.finished.load(ordering: .sequentiallyConsistent) >= time, other.inbox.remove(self) else {
            return true
        }
        vertex.locking { _ = replace(other, by: nil, in: engine) }
        return false
    }
    /// Leaves the firing to another holder, or to the next turn of a busy vertex. With it go the joins that this thread
    /// has yet to fire and that meet this one downstream: there, one of them would be seen new and the other old. The
    /// thread fires all its other joins before its set returns.
    ///
    /// Other joins of the same height that have another holder are left as well, with those that meet them. So two
    /// batches that overlap at many joins search the graph once, and not once for each of them.
    ///
    /// One lock serialises hand-overs, so that only one thread at a time holds the locks of two vertices. No vertex's
    /// lock is held during the search downstream, because any path may lead to any vertex. O(joins to fire, and
    /// vertices downstream of them).
    @inline(never) func transfer(_ engine: Engine) {
        engine.observer?.leftToOthers(vertex)
        var held: [Vertex] = []  // let go of when no lock is held
        Join.handingOver.withLock { _ in
            ScheduleFuzzing.pause(at: .handOverIsLocked)
            engine.inbox.empty(into: &engine.joins)
            var groups = MeetingJoins([self] + engine.takeJoins(but: self), holding: &held)
            let bits = vertex.lock()
            let known = state.heir(of: engine.id)?.holder
            let waiting = known == nil && bits & Vertex.busy != 0 ? WaitingFiring() : nil
            if let heir = known ?? waiting { transfer(to: heir, with: groups.take(meeting: 0), engine) }
            if let waiting { vertex.coldStateLocked.queue.append(turn(for: waiting)) }
            vertex.unlock(waiting == nil ? bits : bits | Vertex.pending)
            for place in groups.joins.indices.dropFirst() where !groups.isTaken[place] {
                groups.joins[place].transferIfShared(engine, &groups, place, at: vertex.height)
            }
            for place in groups.joins.indices where !groups.isTaken[place] {
                let join = groups.joins[place]
                join.vertex.locking { engine.joins.insert(join) }
            }
        }
    }
    /// Leaves the join, if it has the height `height` and another holder, as `transfer` does.
    private func transferIfShared(_ engine: Engine, _ groups: inout MeetingJoins, _ place: Int, at height: UInt32) {
        guard vertex.height == height else { return }
        vertex.locking {
            guard state.hasSeveralHolders, let heir = state.heir(of: engine.id)?.holder else { return }
            engine.observer?.leftToOthers(vertex)
            transfer(to: heir, with: groups.take(meeting: place), engine)
        }
    }
    /// Replaces `engine` by `heir` here, and at `others`. The lock is held, so that `heir` has the others when it fires
    /// this one.
    private func transfer(to heir: JoinHolder, with others: [Join], _ engine: Engine) {
        replace(engine, by: heir, in: engine)
        for join in others where join !== self {
            join.moveTo(from: engine, to: heir)
            engine.joinsLeft.append(join)
        }
        engine.joinsLeft.append(self)
        if !(heir is WaitingFiring), state.noteLeft() { engine.lastDuties.insert(.yield) }
    }
    /// Replaces the holder `engine` by `heir`.
    fileprivate func moveTo(from engine: Engine, to heir: JoinHolder) {
        vertex.locking {
            if replace(engine, by: heir, in: engine) { heir.add(self) }
        }
    }
    /// Follows one of the joins that were left to others, if this join is downstream of it: passes to the same holder.
    /// Returns whether it did.
    @inline(never) func deferIfDownstream(_ left: [JoinBase], _ engine: Engine) -> Bool {
        var held: [Vertex] = []  // let go of when no lock is held
        return Join.handingOver.withLock { _ in
            ScheduleFuzzing.pause(at: .handOverIsLocked)
            for other in left
            where other !== self && other.vertex.height < vertex.height
                && other.vertex.downstreamSet(holding: &held).contains(ObjectIdentifier(vertex))
            {
                // The holder has not fired the other join yet, or not finished. It reads its inbox after that.
                let follows = other.vertex.locking {
                    guard let heir = other.asJoin.state.holder?.holder, heir !== engine else { return false }
                    moveTo(from: engine, to: heir)
                    return true
                }
                if follows { return true }
            }
            return false
        }
    }
    static let handingOver = Lock(())

    /// Returns a pending delivery that gives the firing to the owner of the vertex.
    func turn(for waiting: WaitingFiring) -> QueuedDelivery {
        QueuedDelivery(context: nil, senders: SenderList(), isVisit: true) { [self] _, engine in
            take(waiting, to: engine)
            return false
        }
    }
    /// Moves a firing that waited, and the joins that it kept waiting, to `engine`. The vertex is no longer busy.
    func take(_ waiting: WaitingFiring, to engine: Engine) {
        Join.handingOver.withLock { _ in
            ScheduleFuzzing.pause(at: .handOverIsLocked)
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
    /// Takes all joins except `left` from the queue. Precondition: the lock of hand-overs is held.
    fileprivate func takeJoins(but left: Join) -> [Join] {
        var taken: [Join] = []
        while let entry = joins.popFirst() {
            let join = entry.join.takeUnretainedValue().asJoin
            if join !== left { taken.append(join) }
        }
        return taken
    }
}

/// Joins that are to fire, in groups: two are in one group if a vertex is downstream of both, or if both meet a third
/// one.
private struct MeetingJoins {
    let joins: [Join]
    private(set) var isTaken: [Bool]
    /// The group of each join, by the place of another join in it; the last one of such a row names itself.
    private var next: [Int]
    /// The joins of each group, at the place that names it, until they are taken.
    private var members: [Int: [Int]] = [:]

    /// Finds the groups. The vertices that were visited are added to `held`, so that the caller releases them when no
    /// lock is held.
    init(_ joins: [Join], holding held: inout [Vertex]) {
        self.joins = joins
        isTaken = Array(repeating: false, count: joins.count)
        next = Array(joins.indices)
        // A vertex that has been reached needs no second search.
        var reached: [ObjectIdentifier: Int] = [:]
        for place in joins.indices {
            var waiting = [joins[place].vertex]
            while let vertex = waiting.popLast() {
                held.append(vertex)
                if let other = reached.updateValue(place, forKey: ObjectIdentifier(vertex)) {
                    unite(place, other)
                } else {
                    waiting += vertex.locking { vertex.targets }
                }
            }
        }
        for place in joins.indices { members[name(of: place), default: []].append(place) }
    }
    /// Takes the joins of the group of the one at `place`, which is among them.
    mutating func take(meeting place: Int) -> [Join] {
        let taken = members.removeValue(forKey: name(of: place)) ?? []
        for place in taken { isTaken[place] = true }
        return taken.map { joins[$0] }
    }
    private mutating func name(of place: Int) -> Int {
        var place = place
        while next[place] != place {
            next[place] = next[next[place]]
            place = next[place]
        }
        return place
    }
    private mutating func unite(_ one: Int, _ other: Int) {
        let (one, other) = (name(of: one), name(of: other))
        next[max(one, other)] = min(one, other)
    }
}

/// A firing that waits for a turn of its vertex, with the joins that must not fire before it.
final class WaitingFiring: JoinHolder {
    private(set) var joins: [Join] = []

    override func add(_ join: JoinBase) { joins.append(join.asJoin) }
}

extension Vertex {
    /// Returns this vertex and all vertices downstream, as found by `next`. No vertex's lock is held; each is taken for
    /// a moment. The vertices that were visited are added to `held`, so that the caller releases them when no lock is
    /// held.
    final func downstreamSet(
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

extension JoinBase {
    /// `Join` is the only subclass.
    fileprivate final var asJoin: Join { unsafeDowncast(self, to: Join.self) }
}
