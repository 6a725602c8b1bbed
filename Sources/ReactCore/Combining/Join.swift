import Synchronization

/// A node that is made from several: what `combine` is built on.
///
/// Its edges store their values in slots, and the join fires when nothing else is left to deliver: lowest height first, so
/// after every join upstream of it, and once for all that arrived.
///
/// Invariants (all mutable fields, and the slots, are guarded by the lock of the vertex):
/// - `missing` counts the slots without a value. A join that misses one does not fire.
/// - `isDirty` says that something arrived since it last fired.
/// - `holder` and `moreHolders` have the join on their list: propagations, and firings that wait for their turn. It fires
///   when the last of them has nothing else left, so that it never shows one half of what some thread is about to set.
/// - What its value has come through is on record with `holder` while there is no other, and else in `senderList`: the newest
///   arrival's `senders`, and with `earlier` those of what arrived before it. The last of the newest may be `source` alone,
///   which is not on record yet: it is there as long as `edge` stays linked.
///
/// Unchecked, because of the lock.
@usableFromInline package final class Join: @unchecked Sendable {
    /// Fires: stores the newest values in the vertex as one. Called with the vertex entered and locked; unlocks it.
    @usableFromInline typealias Fire = @Sendable (Join, Propagation) -> Sent

    @usableFromInline let vertex: Vertex
    fileprivate let inputs: Int
    @exclusivity(unchecked) @usableFromInline var missing: Int
    @exclusivity(unchecked) private(set) var isDirty = false
    @exclusivity(unchecked) private var holder: Unmanaged<JoinHolder>?
    @exclusivity(unchecked) private var moreHolders: [Unmanaged<JoinHolder>] = []
    /// Whether the join holds itself: so once an edge of its has gone while someone has it on a list.
    @exclusivity(unchecked) private var isKept = false
    /// How often the join was left to another holder since it last fired.
    @exclusivity(unchecked) private var timesLeft = 0
    // What came with the newest arrival.
    @exclusivity(unchecked) private var senders = Propagation.Senders.none
    /// Whether something has arrived, since it last fired or lost an input, of which what is noted below tells.
    @exclusivity(unchecked) private var hasArrivals = false
    /// What the arrivals before the newest came through.
    @exclusivity(unchecked) private var earlier = Propagation.Senders.none
    @exclusivity(unchecked) private var source: Unmanaged<Vertex>?
    @exclusivity(unchecked) private var edge: Unmanaged<AnyEdge>?
    @exclusivity(unchecked) private var senderList: SenderList?
    /// Held.
    @exclusivity(unchecked) private var context: Unmanaged<ContextBox>?
    private let make: Fire

    /// Whether it fires after all others, whatever their ranks.
    let isLast: Bool

    @usableFromInline init(at vertex: Vertex, inputs: Int, isLast: Bool = false, fire: @escaping Fire) {
        self.vertex = vertex
        self.isLast = isLast
        self.inputs = inputs
        missing = inputs
        make = fire
        vertex.becomeJoin()
    }
    deinit { context?.release() }

    /// Notes the arrival of what the called edge of `propagation` carries. The lock is held, and not when it returns.
    @usableFromInline func arrived(in propagation: Propagation, by edge: Unmanaged<AnyEdge>, _ bits: UInt32) {
        // A value that came through the join is kept for the next firing, and sets off none.
        if propagation.cameThrough(vertex, bits) { return vertex.unlock(bits) }
        isDirty = true
        guard missing == 0 else { return vertex.unlock(bits) }
        let isFirst = !hasArrivals
        hasArrivals = true
        hold(propagation)
        guard isFirst, moreHolders.isEmpty, senderList == nil, context == nil, !propagation.hasContext else {
            return noteCompany(in: propagation, isFirst: isFirst, by: edge, bits)
        }
        (senders, source) = propagation.sendersAndLastSource
        self.edge = edge
        vertex.unlock(bits)
    }
    /// Notes what travels beside the arrival, where that, or what is in its place, is more than a record. Unlocks.
    @inline(never) private func noteCompany(
        in propagation: Propagation, isFirst: Bool, by edge: Unmanaged<AnyEdge>, _ bits: UInt32
    ) {
        let oldContext = context
        let oldList = senderList
        context = propagation.context.map { .passRetained($0) }
        if moreHolders.isEmpty, senderList == nil {
            if !isFirst { earlier = recordAll(with: propagation) }
            (senders, source) = propagation.sendersAndLastSource
            self.edge = edge
        } else {
            source = nil
            earlier = .none
            let newest = propagation.senderList
            senderList = isFirst ? newest : newest.meeting(oldList ?? SenderList())
        }
        vertex.unlock(bits)
        oldContext?.release()
        withExtendedLifetime(oldList) {}
    }
    /// Lists the join where nothing has arrived. The lock is held.
    func request(in propagation: Propagation) {
        if !isDirty {
            isDirty = true
            (senders, earlier) = (.none, .none)
            source = nil
            hasArrivals = false
        }
        hold(propagation)
        // What is on record may be on another's.
        if !moreHolders.isEmpty, senderList == nil { senderList = SenderList() }
    }
    /// Has the join fire in the outermost set of another thread, too, if something that was set there at `time` is of one that is
    /// still under way; answers whether it does. Called while this thread fires it.
    func wait(for time: UInt64, in propagation: Propagation) -> Bool {
        let other = Propagation.of(time)
        guard other.finished.load(ordering: .sequentiallyConsistent) < time else { return false }
        let isNew = vertex.locking {
            guard !isHeld(by: other) else { return false }
            moreHolders.append(.passUnretained(other))
            if isDirty { keepSenders(of: propagation) }
            return true
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
    /// Notes that the firing under way came to nothing, and is to be made again. The lock is held.
    func giveUp(in propagation: Propagation) {
        guard !isDirty else { return }
        isDirty = true
        context = propagation.context.map { .passRetained($0) }
        if !moreHolders.isEmpty { keepSenders(of: propagation) }
    }
    /// Keeps the newest arrival's senders where any holder finds them. The lock is held.
    private func keepSenders(of propagation: Propagation) {
        guard senderList == nil else { return }
        senderList = propagation.senderList(recordAll(with: propagation))
    }
    /// Puts the join on the propagation's list, once.
    @inline(__always) private func hold(_ propagation: Propagation) {
        if holder == nil {
            holder = .passUnretained(propagation)
        } else if isHeld(by: propagation) {
            return
        } else {
            moreHolders.append(.passUnretained(propagation))
        }
        propagation.joins.insert(self)
    }
    @inline(__always) private func isHeld(by wanted: JoinHolder) -> Bool {
        let wanted = Unmanaged.passUnretained(wanted).toOpaque()
        return holder?.toOpaque() == wanted
            || !moreHolders.isEmpty && moreHolders.contains { $0.toOpaque() == wanted }
    }
    /// Fires, when `propagation` has nothing else left, unless another holder has yet to.
    /// Where it has risen above the height that the join was listed with, it has more to wait for.
    ///
    /// It stays held while it fires: who asks may hand over what must not overtake it. Its first value it has at once,
    /// whoever else holds it: who makes a combination of nodes with values finds it with one.
    func fire(in propagation: Propagation, listedAt height: UInt32) { fire(in: propagation, listedAt: height, nil) }
    /// The same, on record.
    @inline(never) func fire(in propagation: Propagation, listedAt height: UInt32, recordingOn tape: Tape?) {
        fire(in: propagation, listedAt: height, tape)
    }
    @inline(__always) private func fire(in propagation: Propagation, listedAt height: UInt32, _ tape: Tape?) {
        if !propagation.joinsLeft.isEmpty, !vertex.locking({ vertex.holdsNothing }),
            follow(propagation.joinsLeft, propagation)
        {
            return
        }
        var bits = vertex.lock()
        guard vertex.height <= height else {
            propagation.joins.insert(self)
            return vertex.unlock(bits)
        }
        guard moreHolders.isEmpty || vertex.holdsNothing, bits & Vertex.busy == 0 else {
            vertex.unlock(bits)
            return leave(propagation)
        }
        if isDirty, missing == 0 {
            vertex.relock(Vertex.busy)
            beginRun(in: propagation)
            let run = propagation.runCount
            if let tape {
                tape.stage(Record(.fired, target: vertex.address), holdingValueOf: vertex)
                let sent = make(self, propagation)
                if propagation.isLastRunEmpty { tape.cancelStaged() }
                propagation.serveRecorded(run, sent)
            } else {
                propagation.driveQuickly(run, make(self, propagation))
            }
            bits = vertex.lock()
        }
        if isDirty, missing == 0 {
            propagation.joins.insert(self)
        } else if moreHolders.isEmpty {
            holder = nil
            // From here on nothing holds the join but its edges, which may go as soon as the lock is let go of.
            let wasKept = isKept
            isKept = false
            vertex.unlock(bits)
            if wasKept { Unmanaged.passUnretained(self).release() }
            return
        } else {
            replace(propagation, by: nil, in: propagation)
        }
        vertex.unlock(bits)
    }
    /// Called when an edge of the join's goes, which may be the last that holds it: it has to be there until it is on nobody's
    /// list.
    func keep() {
        vertex.locking {
            guard holder != nil, !isKept else { return }
            isKept = true
            _ = Unmanaged.passRetained(self)
        }
    }
    /// Leaves the firing to another holder, or to a turn of the vertex, and with it what this thread has yet to fire that meets it
    /// downstream: there, the one would be seen new and the other old. All else is this thread's own, and made before its set
    /// returns.
    ///
    /// Hand-overs take turns, so that only one thread at a time holds the locks of two vertices. None is held while the ways
    /// downstream are looked for: any of them may lead to any vertex.
    @inline(never) private func leave(_ propagation: Propagation) {
        propagation.tape?.write(Record(.left, target: vertex.address, aux: UInt(Recording.now)))
        var held: [Vertex] = []  // let go of when no lock is held
        Join.handingOver.withLock { _ in
            ScheduleFaults.pause(at: .handOverIsLocked)
            propagation.inbox.empty(into: &propagation.joins)
            var others = propagation.takeJoins(but: self, holding: &held)
            let reach = vertex.reach(holding: &held)
            let bits = vertex.lock()
            if let heir = heir(of: propagation) {
                replace(propagation, by: nil, in: propagation)
                // Before the lock is let go of: when the heir fires this join, it has the others.
                propagation.handOver(&others, meeting: reach, to: heir)
                timesLeft += 1
                if timesLeft > 32 { propagation.yieldWhenOver() }
                propagation.joinsLeft.append(self)
                vertex.unlock(bits)
            } else if bits & Vertex.busy != 0 {
                let waiting = WaitingFiring()
                replace(propagation, by: waiting, in: propagation)
                propagation.handOver(&others, meeting: reach, to: waiting)
                vertex.rareLocked.queue.append(
                    Update(context: nil, senders: SenderList()) { [self] _, propagation in
                        take(waiting, to: propagation)
                        return false
                    })
                propagation.joinsLeft.append(self)
                vertex.unlock(bits | Vertex.pending)
            } else {
                propagation.joins.insert(self)
                vertex.unlock(bits)
            }
            for (join, _) in others { join.vertex.locking { propagation.joins.insert(join) } }
        }
    }
    /// Another holder, if there is one. The lock is held.
    private func heir(of propagation: Propagation) -> JoinHolder? {
        if let holder = holder?.takeUnretainedValue(), holder !== propagation { return holder }
        return moreHolders.lazy.map { $0.takeUnretainedValue() }.first { $0 !== propagation }
    }
    /// Puts `heir` in the place of `propagation`, unless that has yet to give the join its first value; says whether it did.
    fileprivate func goOver(from propagation: Propagation, to heir: JoinHolder) -> Bool {
        vertex.locking {
            if vertex.holdsNothing { return false }
            if replace(propagation, by: heir, in: propagation) { heir.add(self) }
            return true
        }
    }
    /// Goes the way of joins that were left to others, and that this one may be downstream of; says whether it did.
    @inline(never) private func follow(_ left: [Join], _ propagation: Propagation) -> Bool {
        var follows = false
        var held: [Vertex] = []  // let go of when no lock is held
        Join.handingOver.withLock { _ in
            ScheduleFaults.pause(at: .handOverIsLocked)
            for other in left
            where other !== self && other.vertex.height < vertex.height
                && other.vertex.reach(holding: &held).contains(ObjectIdentifier(vertex))
            {
                // Who holds the other has yet to come to it, or to finish with it: its inbox is read after that.
                let bits = other.vertex.lock()
                if let heir = other.holder?.takeUnretainedValue(), heir !== propagation {
                    vertex.locking {
                        if replace(propagation, by: heir, in: propagation) { heir.add(self) }
                    }
                    follows = true
                }
                other.vertex.unlock(bits)
                if follows { return }
            }
        }
        return follows
    }
    fileprivate static let handingOver = Lock(())

    /// The vertex is no longer busy: the firing that waited is `propagation`'s now, and so are those that it kept waiting.
    private func take(_ waiting: WaitingFiring, to propagation: Propagation) {
        Join.handingOver.withLock { _ in
            ScheduleFaults.pause(at: .handOverIsLocked)
            vertex.locking {
                if replace(waiting, by: propagation, in: propagation) { propagation.joins.insert(self) }
            }
            for join in waiting.joins {
                join.vertex.locking {
                    if join.replace(waiting, by: propagation, in: propagation) { propagation.joins.insert(join) }
                }
            }
        }
    }
    /// Puts `new` in the place of `old` among the holders; says whether it was none yet. The lock is held.
    @discardableResult fileprivate func replace(
        _ old: JoinHolder, by new: JoinHolder?, in propagation: Propagation
    ) -> Bool {
        // Once the newest arrival has been fired, the record may be another's, who fired it.
        if isDirty { keepSenders(of: propagation) }
        let isNew = new.map { !isHeld(by: $0) } ?? false
        if isNew, let new { moreHolders.append(.passUnretained(new)) }
        let old = Unmanaged.passUnretained(old).toOpaque()
        if holder?.toOpaque() == old {
            holder = moreHolders.isEmpty ? nil : moreHolders.removeFirst()
        } else {
            moreHolders.removeAll { $0.toOpaque() == old }
        }
        return isNew
    }
    /// Begins the run of a firing. The lock is held.
    @inline(__always) private func beginRun(in propagation: Propagation) {
        isDirty = false
        hasArrivals = false
        timesLeft = 0
        if let list = senderList {
            senderList = nil
            senders = propagation.record(list)
        }
        if earlier.visit >= 0 {
            _ = recordAll(with: propagation)
        } else if let source {
            senders = propagation.record(source, after: senders)
            self.source = nil
        }
        let held = context
        context = nil
        propagation.beginRun(holding: held, senders: senders)
    }
    /// Puts on record, where it is not, all that arrived, as one visit; answers that. The lock is held.
    @inline(never) private func recordAll(with propagation: Propagation) -> Propagation.Senders {
        if let source {
            senders = propagation.record(source, after: senders, and: earlier)
            self.source = nil
        } else if earlier.visit >= 0 {
            senders = propagation.record(meetingOf: senders, and: earlier)
        }
        earlier = .none
        return senders
    }
    /// Forgets what may go now that `edge` is linked no more. The lock is held.
    func forget(_ edge: AnyEdge) {
        hasArrivals = false
        if self.edge?.toOpaque() == Unmanaged.passUnretained(edge).toOpaque() { source = nil }
    }
}

/// The place of one of a join's inputs.
///
/// Unchecked, because it is guarded by the lock of the join's vertex.
@usableFromInline package final class JoinSlot<Value: Sendable>: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var value: Value?
    /// Whether there is no value of the linking that the edge is in; `value` may be one of an earlier linking then.
    @exclusivity(unchecked) @usableFromInline var isEmpty = true
    @inlinable package init() {}

    /// The newest value. Precondition: there is one, and the lock is held.
    @inlinable package var newest: Value { value.unsafelyUnwrapped }
}

extension Propagation {
    /// Takes all joins that are to be fired from the list but `left`, each with what it reaches. Precondition: hand-overs are
    /// locked, and no vertex is.
    fileprivate func takeJoins(but left: Join, holding held: inout [Vertex]) -> [(
        join: Join, reach: Set<ObjectIdentifier>
    )] {
        var taken: [(join: Join, reach: Set<ObjectIdentifier>)] = []
        while let entry = joins.popFirst() {
            let join = entry.join.takeUnretainedValue()
            if join !== left { taken.append((join, join.vertex.reach(holding: &held))) }
        }
        return taken
    }
    /// Hands over those of `others` that meet `reach` downstream, or one another that does; but none without a value.
    /// Precondition: hand-overs are locked.
    fileprivate func handOver(
        _ others: inout [(join: Join, reach: Set<ObjectIdentifier>)], meeting reach: Set<ObjectIdentifier>,
        to heir: JoinHolder
    ) {
        var reach = reach
        var kept: [(join: Join, reach: Set<ObjectIdentifier>)] = []
        while let next = others.firstIndex(where: { !$0.reach.isDisjoint(with: reach) }) {
            let (join, more) = others.remove(at: next)
            guard join.goOver(from: self, to: heir) else {
                kept.append((join, more))
                continue
            }
            reach.formUnion(more)
            joinsLeft.append(join)
        }
        others += kept
    }
    /// The typed half of a firing: stores `value`, which was put together under the lock.
    @inlinable @inline(__always) package func fire<Output: Sendable>(_ join: Join, with value: Output) -> Sent {
        Unmanaged.passUnretained(join.vertex)._withUnsafeGuaranteedRef { vertex in
            makeRoom()
            return put(value, in: unsafeDowncast(vertex, to: Store<Output>.self))
        }
    }
}

extension Delivery {
    /// Stores the value in a join's slot, and has the join fire when nothing else is left to deliver.
    @inlinable @inline(__always) func arrive(at slot: JoinSlot<Input>, of join: Join) -> Sent {
        raw.propagation._withUnsafeGuaranteedRef { propagation in
            var new: Input? = value
            let bits = join.vertex.lock()
            guard isCurrent else { return join.vertex.unlock(bits) }
            swap(&slot.value, &new)
            if slot.isEmpty {
                slot.isEmpty = false
                join.missing -= 1
            }
            join.arrived(in: propagation, by: raw.edge, bits)
            withExtendedLifetime(new) {}
        }
        return .nothing
    }
}

/// The edge from an input to a join.
@usableFromInline
final class JoinTransform<Input: Sendable, Output: Sendable>: Transform<Input, Output>,
    @unchecked Sendable
{
    private let join: Join
    private let slot: JoinSlot<Input>

    @usableFromInline init(_ name: String, _ join: Join, _ slot: JoinSlot<Input>, forward: @escaping Forward) {
        self.join = join
        self.slot = slot
        super.init(name: name, forward: forward)
    }
    deinit { join.keep() }
    override package var inputCount: Int? { join.inputs }
    override package var passesOn: Bool { true }
    override func forwardEmpty(_ delivery: RawDelivery) -> Sent { .nothing }
    override var heedsSource: Bool { false }
    override var missingInputs: Int? { join.vertex.locking { join.missing } }
    override func checkTarget(_ node: AnyNode?) {
        require(
            node == nil || node!.vertex === join.vertex,
            "to: an edge of \"\(name)\" is one of several that lead to one node, and cannot lead elsewhere; "
                + "combine the nodes anew, or link the other node to the combination"
        )
    }
    /// A join without one of its inputs is silent.
    override func linkingEnds() {
        if !slot.isEmpty {
            slot.isEmpty = true
            join.missing += 1
        }
        join.forget(self)
    }
    override func linkingHasEnded(_ linking: Linking) {
        let bits = join.vertex.lock()
        let old = slot.isEmpty ? slot.value.take() : nil
        join.vertex.unlock(bits)
        withExtendedLifetime(old) {}
    }
}

/// Who has joins on a list: a propagation, or a firing that waits for its turn.
@usableFromInline package class JoinHolder {
    /// Adds a join that was handed over, and is held by this one already.
    func add(_ join: Join) {}
}

/// A firing that waits for a turn of its vertex, with the joins that must not fire before it.
private final class WaitingFiring: JoinHolder {
    private(set) var joins: [Join] = []

    override func add(_ join: Join) { joins.append(join) }
}

extension Vertex {
    /// This vertex and all that is downstream of it. No vertex's lock is held; each is taken for a moment. What was visited is
    /// added to `held`, so that it is let go of when no lock is held.
    fileprivate final func reach(holding held: inout [Vertex]) -> Set<ObjectIdentifier> {
        var reached: Set<ObjectIdentifier> = []
        var waiting = [self]
        while let vertex = waiting.popLast() {
            held.append(vertex)
            guard reached.insert(ObjectIdentifier(vertex)).inserted else { continue }
            waiting += vertex.locking { vertex.targets }
        }
        return reached
    }
    private final var targets: [Vertex] {
        var targets: [Vertex] = []
        transforms.forEach { edge in
            if let target = edge.target.load(ordering: .acquiring) { targets.append(target.takeUnretainedValue()) }
        }
        return targets
    }
}
