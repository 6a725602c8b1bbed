/// The state of a join, and its transitions.
///
///                   arrive, request              fire: beginFiring
///     clean ───────────────────────▶ dirty ─────────────────────────▶ clean, but held ──endFiring──▶ without a holder
///       ▲                              ▲                                         │
///       │                              └──────────── arrive, restart ─────────────┘
///     incomplete (a value is missing): never fires
///
/// The join is dirty if its phase is `requested`, `arrived`, or, most often, `plain`. A plain join has one holder, and
/// needs no sender list.
///
/// The transitions are pure: each changes the state, and returns the work that is left. Nothing here locks, lists,
/// retains or calls anything. `Join` does that; it makes each transition under the lock of its vertex.
///
/// Invariants (`violation` checks those that can be seen in the state alone):
/// - `missing` is the number of slots without a value. Until the maker gives the first value, it is one greater. While
///   it is not 0, the join does not fire: each holder lets go of the join, and the last one drops the arrivals. An open
///   transaction of another thread that has reached an input is a holder all the same.
/// - A join without a holder is clean, and does not wait.
/// - A join that misses a value, and that a value has reached, waits (`wait`) while its holder has other joins to fire,
///   because one of these may bring the missing value.
/// - Each holder has the join on a list, keeps it waiting, or is firing it. The join fires when the last holder has
///   nothing else left, so that it never shows half of a transaction. The maker gives the first value without being a
///   holder.
/// - If `hasList` is false, the join's `arrivals` have the trail, and only the thread of `holder` reads them. If
///   `hasList` is true, a sender list has it.
@usableFromInline package struct JoinState: Equatable {
    /// Tells whether something has come since the join last fired. A clean join keeps nothing of earlier arrivals.
    package enum Phase: UInt8 {
        /// Nothing has come.
        case clean
        /// Nothing has arrived, but the join is to fire: it was requested, or its arrivals were forgotten.
        case requested
        /// A value has arrived.
        case arrived
        /// A value has arrived and none is missing. There is one holder, which has the join on a list, and neither a
        /// sender list nor a context.
        case plain
    }
    /// Tells whether a join that misses a value waits for it.
    package enum Wait: UInt8 {
        case none
        /// The only holder keeps the join, and lists it when the value has come, or when nothing else is left to fire.
        case waits
        /// The join is listed for the last time.
        case ends
    }
    package private(set) var holder: TransactionID?
    package private(set) var moreHolders: [TransactionID] = []
    /// The count behind `missing`, in 32 bits for size.
    @usableFromInline var missingCount: Int32
    /// The number of inputs that the maker has yet to connect.
    package private(set) var unlinked: UInt32
    /// The thread that makes the join, until it gives the first value. A value that this thread brings is a part of the
    /// first value.
    package private(set) var maker: TransactionID?
    /// The holder whose arrivals the sender list lacks, because only its own thread can read them. That thread puts
    /// them into the list when it comes again, leaves, or fires.
    package private(set) var unlisted: TransactionID?
    package private(set) var phase = Phase.clean
    package private(set) var wait = Wait.none
    /// True if a slot holds a pulse's value, so that later arrivals have to be looked at.
    package var hasPulse = false
    /// True if a sender list has the trail of the arrivals.
    package private(set) var hasList = false
    /// True if the newest arrival came with a context.
    package private(set) var hasContext = false
    /// The number of times that the join was left to another holder since it last fired; at most 255.
    package private(set) var timesLeft: UInt8 = 0
    /// True while `holder` fires the join; and if it has put the join on its list again meanwhile.
    package private(set) var isFiring = false
    package private(set) var isListedAgain = false
    /// True if the join retains itself, because one of its edges has gone while a holder has it on a list.
    package private(set) var isKept = false

    package init(inputs: Int, maker: TransactionID) {
        missingCount = inputs == 0 ? 0 : Int32(inputs) + 1
        unlinked = UInt32(inputs)
        self.maker = inputs == 0 ? nil : maker
    }

    // MARK: Properties

    @inlinable @inline(__always) package internal(set) var missing: Int {
        get { Int(missingCount) }
        set { missingCount = Int32(truncatingIfNeeded: newValue) }
    }
    @inline(__always) package var isDirty: Bool { phase != .clean }
    /// True if it fires as soon as there is nothing to wait for.
    @inline(__always) package var isToFire: Bool { phase != .clean && missing == 0 }
    @inline(__always) package var hasSeveralHolders: Bool { !moreHolders.isEmpty }
    @inline(__always) package func isHeld(by wanted: TransactionID) -> Bool {
        holder == wanted || !moreHolders.isEmpty && moreHolders.contains(wanted)
    }
    /// True if `wanted` is the only holder, and is not firing the join.
    package func isHeldOnly(by wanted: TransactionID) -> Bool { holder == wanted && moreHolders.isEmpty && !isFiring }
    /// Returns a holder other than `old`, if there is one.
    package func holder(otherThan old: TransactionID) -> TransactionID? { holder != old ? holder : moreHolders.first }
    /// The invariant that is violated, in words; `nil` if there is none.
    package var violation: String? {
        if missing < 0 { return "it misses fewer than none of its inputs" }
        if wait != .none, holder == nil { return "it waits, and nobody keeps it" }
        if holder == nil, !moreHolders.isEmpty { return "it has a second holder, and no first" }
        if let holder, Set([holder] + moreHolders).count <= moreHolders.count { return "it is held twice by the same" }
        if isDirty, holder == nil { return "it is to fire, and nobody does it" }
        if missing > 0, phase == .plain { return "it misses a value, and is plainly held" }
        if !isDirty, hasList || hasContext { return "it is not to fire, and keeps a list or a context" }
        if phase == .plain, hasSeveralHolders || hasList || hasContext {
            return "it is plainly held, and there is more to tell"
        }
        if let unlisted, !hasList || !isHeld(by: unlisted) {
            return "it has arrivals on no list, and their transaction does not hold it"
        }
        if isDirty, hasSeveralHolders, !hasList {
            return "several transactions hold it, and it has no list of their arrivals"
        }
        if isKept, holder == nil { return "it holds itself, and nobody has it on a list" }
        return nil
    }

    // MARK: Arrivals

    /// Notes that an empty slot has got a value.
    @inlinable @inline(__always) package mutating func fillSlot() { missing -= 1 }
    /// Notes that an edge is no longer connected. The arrivals may be of that edge, so they are forgotten.
    package mutating func loseInput(emptyingSlot: Bool) {
        if emptyingSlot { missing += 1 }
        unlisted = nil
        phase = min(phase, .requested)
    }

    package enum FastArrival { case isNoted, isListed, isMore }
    /// Notes an arrival without a context, if `id` is the only holder afterwards and nothing else has to be done. Then
    /// `id` adds the arrival to `arrivals`, and lists the join if the answer is `isListed`. `isMore` means that the
    /// state is unchanged: call `arrive`. By `arrive` alone, the benchmark's `combine` takes 12 % more instructions,
    /// and its diamond 17 %.
    @inline(__always) package mutating func arriveFast(from id: TransactionID) -> FastArrival {
        if phase == .plain { return holder.unsafelyUnwrapped == id ? .isNoted : .isMore }
        guard phase == .clean, holder == nil, missing == 0 else { return .isMore }
        phase = .plain
        holder = id
        return .isListed
    }
    package struct Arrival: Equatable {
        package enum Place: Equatable {
            /// Nowhere: it is a part of the maker's first value.
            case none
            /// In the arrivals alone.
            case arrivals
            /// In the arrivals. Its context replaces the present one, even if it has none.
            case arrivalsAndContext
            /// In the sender list. If `isFirst`, the list has only this arrival. Otherwise it joins this one with the
            /// earlier ones. Its context is kept, too.
            case list(isFirst: Bool, Arrivals)
        }
        /// The treatment of the arrivals when a later one goes to the sender list.
        package enum Arrivals: Equatable {
            /// They are forgotten, because the list has them, or because they count no more.
            case go
            /// They stay, because another thread has to read them: `unlisted`.
            case stay
            /// They go to the list, because their own thread has come.
            case join
        }
        package let isListed: Bool
        package let place: Place
    }
    /// Notes an arrival. Returns whether `id` has to list the join, and where the arrival is noted.
    package mutating func arrive(from id: TransactionID, withContext: Bool) -> Arrival {
        let isFirst = phase <= .requested
        if maker == id { return Arrival(isListed: false, place: .none) }
        let isListed = hold(id) || listAgain(id) || endWait(id)
        if !hasSeveralHolders, !hasList, !hasContext, !withContext, !hasPulse {
            phase = missing == 0 ? .plain : .arrived
            return Arrival(isListed: isListed, place: .arrivals)
        }
        phase = .arrived
        hasContext = withContext
        if !hasSeveralHolders, !hasList { return Arrival(isListed: isListed, place: .arrivalsAndContext) }
        if !hasList, !isFirst, holder != id { unlisted = holder }
        hasList = true
        guard let other = unlisted else { return Arrival(isListed: isListed, place: .list(isFirst: isFirst, .go)) }
        if other == id { unlisted = nil }
        return Arrival(isListed: isListed, place: .list(isFirst: isFirst, other == id ? .join : .stay))
    }
    /// Notes that `id` wants the join to fire, though nothing has arrived. If `id` is a new holder, it has to list the
    /// join. If a sender list is needed, it begins empty.
    package mutating func request(by id: TransactionID) -> Replacement {
        let hasArrivals = phase >= .arrived
        phase = phase == .clean ? .requested : min(phase, .arrived)
        let isNew = hold(id)
        let needsList = hasSeveralHolders && moveToList()
        if needsList, hasArrivals, holder != id { unlisted = holder }
        return Replacement(isNew: isNew, needsList: needsList)
    }
    package struct Restart: Equatable {
        /// True if the arrivals of this firing are kept for the next one. False if something has arrived meanwhile.
        package let isKept: Bool
        /// True if a list has to be made of these arrivals and all others.
        package let needsList: Bool
    }
    /// Notes that the firing under way has come to nothing, and has to be repeated.
    package mutating func restart(withContext: Bool) -> Restart {
        guard !isDirty else { return Restart(isKept: false, needsList: false) }
        phase = .arrived
        hasContext = withContext
        return Restart(isKept: true, needsList: hasSeveralHolders && moveToList())
    }
    /// Notes that a sender list has the trail from now on. Returns whether the caller has to copy arrivals into the
    /// list. If there was a list before, these are the arrivals of `id`.
    package mutating func moveToList(of id: TransactionID? = nil) -> Bool {
        phase = min(phase, .arrived)
        if let id, unlisted == id {
            unlisted = nil
            return true
        }
        guard !hasList else { return false }
        hasList = true
        return true
    }
    /// Adds a holder. Returns whether `id` is new.
    @inline(__always) private mutating func hold(_ id: TransactionID) -> Bool {
        if holder == nil {
            holder = id
        } else if isHeld(by: id) {
            return false
        } else {
            moreHolders.append(id)
        }
        return true
    }

    /// Gives a value that arrives while `id` fires the join a place on the list. Returns whether the join has to be
    /// listed.
    private mutating func listAgain(_ id: TransactionID) -> Bool {
        guard isFiring, !isListedAgain, holder == id else { return false }
        isListedAgain = true
        return true
    }

    /// Ends the wait of a join whose last missing value `id` has brought. Returns whether the join has to be listed.
    private mutating func endWait(_ id: TransactionID) -> Bool {
        guard wait == .waits, missing == 0, holder == id else { return false }
        wait = .none
        return true
    }
    /// Notes that `id` has nothing else left to fire. Returns whether it has to list the join, for the last time.
    package mutating func endWaiting(by id: TransactionID) -> Bool {
        guard wait == .waits, holder == id else { return false }
        wait = .ends
        return true
    }

    // MARK: Firing

    package enum Firing: Equatable {
        /// The firing is left to another holder, or to a turn of the vertex.
        case isLeft
        /// There is nothing to fire.
        case isNothing
        /// The join fires, and takes all that has come: the arrivals and, if `takingMore`, a list or a context.
        case fires(takingMore: Bool)
    }
    /// Decides whether the join fires, because one of its holders has nothing else left.
    @inline(__always) package mutating func beginFiring(isBusy: Bool) -> Firing {
        guard !isBusy, moreHolders.isEmpty else { return .isLeft }
        guard isToFire else { return .isNothing }
        let takesMore = hasList || hasContext
        phase = .clean
        wait = .none
        timesLeft = 0
        isFiring = true
        unlisted = nil
        hasList = false
        hasContext = false
        return .fires(takingMore: takesMore)
    }
    package enum End: Equatable {
        /// The join has to fire again. The holder that fired it lists it anew.
        case again
        /// The join has to fire again. The holder that fired it has listed it meanwhile.
        case listed
        /// The join misses a value. The holder keeps it until the value has come, or nothing else is left to fire.
        case waits
        /// No holder is left. If the join has retained itself, it has to release itself.
        case over(wasKept: Bool)
        /// No holder is left, and an input went before the join could fire. Its list and context have to be forgotten.
        /// If the join has retained itself, it has to release itself.
        case forgotten(wasKept: Bool)
        /// Other holders are left. If `needsList`, the arrivals go to a list.
        case left(needsList: Bool)
    }
    /// Notes that `id` has fired the join, or found nothing to fire, and lets go of it, unless the join misses a value
    /// that may come: if `mayWait`, `id` has other joins to fire.
    @inline(__always)
    package mutating func endFiring(by id: TransactionID, mayWait: @autoclosure () -> Bool) -> End {
        isFiring = false
        if isDirty { return endDirty(by: id, mayWait: mayWait()) }
        guard moreHolders.isEmpty else { return .left(needsList: replace(id, by: nil).needsList) }
        return .over(wasKept: letGo())
    }
    @inline(never) private mutating func endDirty(by id: TransactionID, mayWait: Bool) -> End {
        if isListedAgain {
            isListedAgain = false
            return .listed
        }
        if missing == 0 { return .again }
        guard moreHolders.isEmpty else { return .left(needsList: replace(id, by: nil).needsList) }
        if mayWait, wait == .none, phase == .arrived {
            wait = .waits
            return .waits
        }
        phase = .clean
        (hasList, hasContext, unlisted) = (false, false, nil)
        return .forgotten(wasKept: letGo())
    }
    /// Removes the last holder. Returns whether the join has retained itself.
    @inline(__always) private mutating func letGo() -> Bool {
        holder = nil
        wait = .none
        let wasKept = isKept
        isKept = false
        return wasKept
    }
    /// Notes that an edge of the join goes, which may hold the last reference. Returns whether the join has to retain
    /// itself from now on, until it is on no list.
    package mutating func keep() -> Bool {
        guard holder != nil, !isKept else { return false }
        isKept = true
        return true
    }

    // MARK: Hand-overs

    package struct Replacement: Equatable {
        /// True if the new holder was none before.
        package let isNew: Bool
        /// True if the arrivals have to go to a list, because the new holder cannot read the old one's.
        package let needsList: Bool
    }
    /// Replaces the holder `old` by `new`.
    package mutating func replace(_ old: TransactionID, by new: TransactionID?) -> Replacement {
        let needsList = isDirty && moveToList(of: old)
        let isNew = new.map { !isHeld(by: $0) } ?? false
        if isNew, let new { moreHolders.append(new) }
        if holder == old {
            holder = moreHolders.isEmpty ? nil : moreHolders.removeFirst()
        } else {
            moreHolders.removeAll { $0 == old }
        }
        return Replacement(isNew: isNew, needsList: needsList)
    }
    /// Adds the holder `other`.
    package mutating func wait(for other: TransactionID) -> Replacement {
        guard !isHeld(by: other) else { return Replacement(isNew: false, needsList: false) }
        moreHolders.append(other)
        return Replacement(isNew: true, needsList: isDirty && moveToList())
    }
    /// Notes that the join was left to another holder. Returns whether that has happened more than 32 times since it
    /// last fired.
    package mutating func noteLeft() -> Bool {
        if timesLeft < .max { timesLeft += 1 }
        return timesLeft > 32
    }

    // MARK: The first value

    /// Notes that one more input is connected. Returns whether it was the last one.
    package mutating func link() -> Bool {
        unlinked -= 1
        return unlinked == 0
    }
    /// Begins the making of a join that has no slots. Until `fillSlot`, only the maker fires it.
    package mutating func beginMaking() { missing += 1 }
    /// Forgets the arrivals, because the maker is about to compute the first value from it. Other threads fire the
    /// join only for later arrivals.
    package mutating func forgetArrivals() {
        phase = .clean
        (hasList, hasContext, unlisted) = (false, false, nil)
    }
    /// Ends the making. Returns whether the maker gives the first value now: it does unless an input is empty. The
    /// first value contains all that other threads have brought so far, so these fire the join only for later arrivals.
    package mutating func endMaking() -> Bool {
        maker = nil
        missing -= 1
        guard missing == 0 else { return false }
        forgetArrivals()
        return true
    }
}

extension JoinState.Phase: Comparable {
    @inline(__always) package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
