import Synchronization

/// A node that is made from several: what `combine` is built on.
///
/// Its edges store their values in slots, and the join fires when nothing else is left to deliver: lowest height first, so
/// after every join upstream of it, and once for all that arrived.
///
/// Invariants (all mutable fields, and the slots, are guarded by the lock of the vertex):
/// - `missing` counts the slots without a value, and one more until its maker has linked all of them. A join that misses one
///   does not fire, and nobody holds it.
/// - `isDirty` says that something arrived since it last fired.
/// - `holder` and `moreHolders` have the join on their list: propagations, and firings that wait for their turn. It fires
///   when the last of them has nothing else left, so that it never shows one half of what some thread is about to set.
/// - What its value has come through is in `arrivals`, which belong to `holder`, while there is no other, and else in `senderList`.
///
/// Unchecked, because of the lock.
@usableFromInline package final class Join: AnyJoin, @unchecked Sendable {
    /// Fires: stores the newest values in the vertex as one. Called with the vertex entered and locked; unlocks it.
    @usableFromInline typealias Fire = @Sendable (Join, Propagation) -> Sent

    let inputs: Int
    @exclusivity(unchecked) @usableFromInline var missing: Int
    @exclusivity(unchecked) var isDirty = false
    /// Whether something has arrived at the join, which misses no value, and nothing but `arrivals` tells of that.
    @exclusivity(unchecked) private var isPlain = false
    /// Whether something has arrived since it last fired, or lost an input.
    @exclusivity(unchecked) var hasArrivals = false
    @exclusivity(unchecked) var holder: Unmanaged<JoinHolder>?
    @exclusivity(unchecked) var moreHolders: [Unmanaged<JoinHolder>] = []
    /// What the maker knows of its inputs, until all are linked.
    @exclusivity(unchecked) var making: Making
    /// Whether the join holds itself: so once an edge of its has gone while someone has it on a list.
    @exclusivity(unchecked) private var isKept = false
    /// How often the join was left to another holder since it last fired.
    @exclusivity(unchecked) var timesLeft = 0
    /// What the value came through that it has made last, or is making.
    @exclusivity(unchecked) private var senders = Senders.none
    @exclusivity(unchecked) var senderList: SenderList?
    /// What came with the newest arrival. Held.
    @exclusivity(unchecked) private var context: Unmanaged<ContextBox>?
    private let make: Fire

    @usableFromInline init(at vertex: Vertex, inputs: Int, isLast: Bool = false, fire: @escaping Fire) {
        self.inputs = inputs
        missing = inputs == 0 ? 0 : inputs + 1
        making = Making(unlinked: UInt32(inputs))
        make = fire
        super.init(at: vertex, isLast: isLast, inputs: inputs)
        vertex.becomeJoin()
    }
    deinit { context?.release() }

    /// Notes the arrival of what the called edge of `propagation` carries. The lock is held, and not when it returns.
    @usableFromInline func arrived(in propagation: Propagation, _ bits: UInt32) {
        // Most often nothing travels beside the value, and it has not come through the join.
        guard bits & Vertex.busy == 0, propagation.bringsNothingElse,
            !propagation.hasSenders || propagation.isPastVisit(of: vertex), isPlainlyHeld(by: propagation)
        else { return arrivedClosely(in: propagation, bits) }
        noteArrival(in: propagation)
        vertex.unlock(bits)
    }
    /// Whether the join has this propagation alone, as it most often has, with nothing to tell but `arrivals`. One that nobody had is
    /// put on its list. The lock is held.
    @inline(__always) private func isPlainlyHeld(by propagation: Propagation) -> Bool {
        if isPlain { return holder?.toOpaque() == Unmanaged.passUnretained(propagation).toOpaque() }
        // What has fired, and was reached by nobody since, keeps nothing of before.
        guard !isDirty, holder == nil, missing == 0 else { return false }
        isDirty = true
        isPlain = true
        hasArrivals = true
        holder = .passUnretained(propagation)
        propagation.joins.insert(self)
        return true
    }
    @inline(never) private func arrivedClosely(in propagation: Propagation, _ bits: UInt32) {
        // A value that came through the join is kept for the next firing, and sets off none.
        if propagation.cameThrough(vertex, bits) { return vertex.unlock(bits) }
        isDirty = true
        guard missing == 0 else {
            making.arrivals &+= 1
            return vertex.unlock(bits)
        }
        let isFirst = !hasArrivals
        hasArrivals = true
        hold(propagation)
        guard moreHolders.isEmpty, senderList == nil, context == nil, !propagation.hasContext else {
            return noteCompany(in: propagation, isFirst: isFirst, bits)
        }
        noteArrival(in: propagation)
        isPlain = true
        vertex.unlock(bits)
    }
    /// Notes what travels beside the arrival, where that, or what is in its place, is more than a record. Unlocks.
    @inline(never) private func noteCompany(in propagation: Propagation, isFirst: Bool, _ bits: UInt32) {
        let oldContext = context
        let oldList = senderList
        context = propagation.context.map { .passRetained($0) }
        isPlain = false
        if moreHolders.isEmpty, senderList == nil {
            noteArrival(in: propagation)
        } else {
            arrivals.removeAll()
            let newest = propagation.senderList
            senderList = isFirst ? newest : newest.meeting(oldList ?? SenderList())
        }
        vertex.unlock(bits)
        oldContext?.release()
        withExtendedLifetime(oldList) {}
    }
    /// Notes what the called edge of `propagation` carries among the arrivals. The lock is held.
    @inline(__always) private func noteArrival(in propagation: Propagation) {
        makeRoom(with: &propagation.visits)
        propagation.noteArrival(in: &arrivals)
    }
    /// Lists the join where nothing has arrived. The lock is held.
    func request(in propagation: Propagation) {
        isPlain = false
        if !isDirty {
            isDirty = true
            arrivals.removeAll()
            hasArrivals = false
        }
        hold(propagation)
        // What is on record may be on another's.
        if !moreHolders.isEmpty, senderList == nil { senderList = SenderList() }
    }
    /// Notes that the firing under way came to nothing, and is to be made again. The lock is held.
    func giveUp(in propagation: Propagation) {
        guard !isDirty else { return }
        isDirty = true
        isPlain = false
        keep(senders)
        context = propagation.context.map { .passRetained($0) }
        if !moreHolders.isEmpty { keepSenders(of: propagation) }
    }
    /// Keeps what arrived where any holder finds it. The lock is held.
    func keepSenders(of propagation: Propagation) {
        isPlain = false
        guard senderList == nil else { return }
        senderList = propagation.senderList(takeArrivals(for: &propagation.visits))
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
    @inline(__always) func isHeld(by wanted: JoinHolder) -> Bool {
        let wanted = Unmanaged.passUnretained(wanted).toOpaque()
        return holder?.toOpaque() == wanted
            || !moreHolders.isEmpty && moreHolders.contains { $0.toOpaque() == wanted }
    }
    /// Fires, when `propagation` has nothing else left, unless another holder has yet to.
    /// Where it has risen above the height that the join was listed with, it has more to wait for.
    ///
    /// It stays held while it fires: who asks may hand over what must not overtake it. Its first value it has at once, whoever
    /// else holds it, unless it was made to wait for that.
    override func fire(in propagation: Propagation, listedAt height: UInt32) {
        fire(in: propagation, listedAt: height, nil)
    }
    /// The same, on record.
    @inline(never)
    override func fire(in propagation: Propagation, listedAt height: UInt32, recordingOn tape: Tape?) {
        fire(in: propagation, listedAt: height, tape)
    }
    @inline(__always) private func fire(in propagation: Propagation, listedAt height: UInt32, _ tape: Tape?) {
        if !propagation.joinsLeft.isEmpty, !vertex.locking({ hasFirstAtOnce }),
            follow(propagation.joinsLeft, propagation)
        {
            return
        }
        let bits = vertex.lock()
        checkInvariants(firedBy: propagation)
        guard vertex.height <= height else {
            propagation.joins.insert(self)
            return vertex.unlock(bits)
        }
        guard moreHolders.isEmpty || hasFirstAtOnce, bits & Vertex.busy == 0 else {
            vertex.unlock(bits)
            return leave(propagation)
        }
        fire(in: propagation, tape, bits)
    }
    /// Fires what nobody else has a say in. The lock is held, and not when it returns.
    @inline(__always) func fire(in propagation: Propagation, _ tape: Tape?, _ lockedBits: UInt32) {
        var bits = lockedBits
        if isDirty, missing == 0 {
            vertex.relock(Vertex.busy)
            beginRun(in: propagation)
            let run = propagation.runCount
            if let tape {
                tape.noteTimeIfShared()
                tape.stage(Record(.fired, target: vertex.address), holdingValueOf: vertex)
                let sent = tape.calling(vertex.address) { make(self, propagation) }
                if propagation.isLastRunEmpty { tape.cancelStaged() }
                propagation.driveRecorded(run, sent)
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
            checkInvariants()
            vertex.unlock(bits)
            if wasKept { Unmanaged.passUnretained(self).release() }
            return
        } else {
            replace(propagation, by: nil, in: propagation)
        }
        checkInvariants()
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
    /// Begins the run of a firing. The lock is held.
    @inline(__always) private func beginRun(in propagation: Propagation) {
        isDirty = false
        isPlain = false
        hasArrivals = false
        timesLeft = 0
        if let list = senderList {
            senderList = nil
            arrivals.removeAll()
            senders = propagation.record(list)
        } else {
            senders = takeArrivals(for: &propagation.visits)
        }
        let held = context
        context = nil
        propagation.beginRun(holding: held, senders: senders)
    }
    /// Whether it is to fire though others hold it. The lock is held.
    var hasFirstAtOnce: Bool { vertex.holdsNothing && !making.isLeft }
    /// Forgets what may go now that an edge from `source` is linked no more. The lock is held.
    func inputHasGone(from source: UnsafeRawPointer?) {
        isPlain = false
        hasArrivals = false
        forget(from: source)
    }
}
