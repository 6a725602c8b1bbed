/// Who has a join on a list, as the join's state knows them: they are compared, and nothing else.
@usableFromInline package struct HolderID: Hashable {
    package let address: UnsafeRawPointer

    @inline(__always) package init(_ address: UnsafeRawPointer) { self.address = address }
    @usableFromInline @inline(__always) package static func == (one: HolderID, other: HolderID) -> Bool {
        one.address == other.address
    }
}

/// What a join knows of itself, and how that changes.
///
///                   arrive, request              fire: beginFiring
///     clean ───────────────────────▶ dirty ─────────────────────────▶ clean, and still held ──endFiring──▶ held by nobody
///       ▲                              ▲                                         │
///       │                              └──────────── arrive, giveUp ─────────────┘
///     incomplete (a value is missing): never fires
///
/// Dirty is `requested`, `arrived`, or, most often, `plain`: that needs nothing but its place on one thread's list.
///
/// Pure: a transition changes the state, and answers what is left to be done. Nothing here locks, lists, retains or calls anything; that
/// is up to `Join`, which makes each transition under the lock of its vertex.
///
/// Invariants (`violation` checks what can be seen in the state alone):
/// - `missing` counts the slots without a value, and one more until the maker gives the first value. A join that misses one does
///   not fire: who holds it lets go of it in turn, and of what arrived. So an open transaction of another thread that has come to an
///   input is a holder, also while the join is being made.
/// - A join that nobody holds is clean.
/// - Who holds the join has it on a list, or is firing it. It fires when the last holder has nothing else left, so that it never
///   shows one half of what some thread is about to set. The maker gives the first value without holding it.
/// - What it came through is told by `arrivals`, which belong to `holder`, while there is no other, and else by a sender list.
@usableFromInline package struct JoinState: Equatable {
    /// What has come since the join fired last. A clean one keeps nothing of what came before.
    package enum Phase: UInt8 {
        /// Nothing.
        case clean
        /// It is to fire, and nothing has arrived: it was requested, or has lost what had.
        case requested
        /// Something has arrived.
        case arrived
        /// Something has arrived, nothing is missing, one has it on a list, and nothing but the arrivals tells of it.
        case plain
    }
    package private(set) var holder: HolderID?
    package private(set) var moreHolders: [HolderID] = []
    /// A number of 32 bits, for size.
    @usableFromInline var missingCount: Int32
    /// The thread that makes the join, until it gives it the first value. What arrives by that thread is a part of the first value.
    package private(set) var maker: HolderID?
    /// How many inputs the maker has yet to link.
    package private(set) var unlinked: UInt32
    package private(set) var phase = Phase.clean
    /// Whether what it came through is told by a sender list.
    package private(set) var hasList = false
    /// Whether a context came with the newest arrival.
    package private(set) var hasContext = false
    /// How often the join was left to another holder since it last fired; no more than 255 times.
    package private(set) var timesLeft: UInt8 = 0
    /// Whether `holder` is firing it, and whether that one has put it on its list again meanwhile.
    package private(set) var isFiring = false
    package private(set) var isListedAgain = false
    /// Whether the join holds itself: so once an edge of its has gone while someone has it on a list.
    package private(set) var isKept = false

    package init(inputs: Int, maker: HolderID) {
        missingCount = inputs == 0 ? 0 : Int32(inputs) + 1
        unlinked = UInt32(inputs)
        self.maker = inputs == 0 ? nil : maker
    }

    // MARK: What it is

    @inlinable @inline(__always) package internal(set) var missing: Int {
        get { Int(missingCount) }
        set { missingCount = Int32(truncatingIfNeeded: newValue) }
    }
    @inline(__always) package var isDirty: Bool { phase != .clean }
    /// Whether it fires as soon as nothing else is to be waited for.
    @inline(__always) package var isToFire: Bool { phase != .clean && missing == 0 }
    @inline(__always) package var hasSeveralHolders: Bool { !moreHolders.isEmpty }
    @inline(__always) package func isHeld(by wanted: HolderID) -> Bool {
        holder == wanted || !moreHolders.isEmpty && moreHolders.contains(wanted)
    }
    /// Who else holds it, if anybody does.
    package func heir(of old: HolderID) -> HolderID? { holder != old ? holder : moreHolders.first }
    /// What is wrong with it.
    package var violation: String? {
        if missing < 0 { return "it misses fewer than none of its inputs" }
        if holder == nil, !moreHolders.isEmpty { return "it has a second holder, and no first" }
        if let holder, Set([holder] + moreHolders).count <= moreHolders.count { return "it is held twice by the same" }
        if isDirty, holder == nil { return "it is to fire, and nobody does it" }
        if missing > 0, phase == .plain { return "it misses a value, and is plainly held" }
        if !isDirty, hasList || hasContext { return "it is clean, and keeps something of what came before" }
        if phase == .plain, hasSeveralHolders || hasList || hasContext {
            return "it is plainly held, and there is more to tell"
        }
        if isDirty, hasSeveralHolders, !hasList { return "several hold it, and what came is on record with one" }
        if isKept, holder == nil { return "it holds itself, and nobody has it on a list" }
        return nil
    }

    // MARK: What comes

    /// A slot that was empty is no longer.
    @inlinable @inline(__always) package mutating func fillSlot() { missing -= 1 }
    /// An edge is linked no more. What has arrived may be of it, and is forgotten.
    package mutating func loseInput(emptyingSlot: Bool) {
        if emptyingSlot { missing += 1 }
        phase = min(phase, .requested)
    }

    package enum PlainArrival { case isNoted, isListed, isMore }
    /// Something arrives, with no context. Answers whether `id`, who has the join alone now, is to put it on a list, or has it on one,
    /// and what arrived is to be noted among the arrivals; or whether there is more to it: then nothing has changed.
    @inline(__always) package mutating func arrivePlainly(from id: HolderID) -> PlainArrival {
        if phase == .plain { return holder.unsafelyUnwrapped == id ? .isNoted : .isMore }
        guard phase == .clean, holder == nil, missing == 0 else { return .isMore }
        phase = .plain
        holder = id
        return .isListed
    }
    package struct Arrival: Equatable {
        package enum Place: Equatable {
            /// Nowhere: the maker's first value is made of it.
            case none
            /// Among the arrivals, and there alone.
            case arrivals
            /// Among the arrivals, and its context, or that it has none, in the place of what was there.
            case arrivalsAndContext
            /// On the sender list, as all of it or meeting what is there; its context too. The arrivals are forgotten.
            case list(isFirst: Bool)
        }
        package let isListed: Bool
        package let place: Place
    }
    /// Something arrives. Answers whether `id` is to put the join on a list, and where the arrival is to be noted.
    package mutating func arrive(from id: HolderID, withContext: Bool) -> Arrival {
        let isFirst = phase <= .requested
        if maker == id { return Arrival(isListed: false, place: .none) }
        let isListed = hold(id) || listAgain(id)
        if !hasSeveralHolders, !hasList, !hasContext, !withContext {
            phase = missing == 0 ? .plain : .arrived
            return Arrival(isListed: isListed, place: .arrivals)
        }
        phase = .arrived
        hasContext = withContext
        if !hasSeveralHolders, !hasList { return Arrival(isListed: isListed, place: .arrivalsAndContext) }
        hasList = true
        return Arrival(isListed: isListed, place: .list(isFirst: isFirst))
    }
    /// `id` wants it to fire, though nothing has arrived; where it is new, it is to put the join on a list. The list that is needed is
    /// empty.
    package mutating func request(by id: HolderID) -> Replacement {
        phase = phase == .clean ? .requested : min(phase, .arrived)
        let isNew = hold(id)
        return Replacement(isNew: isNew, needsList: hasSeveralHolders && moveToList())
    }
    package struct GivenUp: Equatable {
        /// Whether what the firing was of is to be kept for the next one: not where something has arrived meanwhile.
        package let isKept: Bool
        /// Whether that, and what else is on record, is to go to a list.
        package let needsList: Bool
    }
    /// The firing under way came to nothing, and is to be made again.
    package mutating func giveUp(withContext: Bool) -> GivenUp {
        guard !isDirty else { return GivenUp(isKept: false, needsList: false) }
        phase = .requested
        hasContext = withContext
        return GivenUp(isKept: true, needsList: hasSeveralHolders && moveToList())
    }
    /// What is on record is to be told by a list from now on. Answers whether one has to be made of it.
    package mutating func moveToList() -> Bool {
        phase = min(phase, .arrived)
        guard !hasList else { return false }
        hasList = true
        return true
    }
    /// Answers whether `id` is new.
    @inline(__always) private mutating func hold(_ id: HolderID) -> Bool {
        if holder == nil {
            holder = id
        } else if isHeld(by: id) {
            return false
        } else {
            moreHolders.append(id)
        }
        return true
    }

    /// What arrives while `id` fires the join has its place on the list from now on. Answers whether it has none yet.
    private mutating func listAgain(_ id: HolderID) -> Bool {
        guard isFiring, !isListedAgain, holder == id else { return false }
        isListedAgain = true
        return true
    }

    // MARK: Firing

    package enum Firing: Equatable {
        /// It is left to another holder, or to a turn of its vertex.
        case isLeft
        /// There is nothing to fire.
        case isNothing
        /// It fires, and takes all that has come: arrivals, or a list or a context too.
        case fires(takingMore: Bool)
    }
    /// One of its holders has nothing else left.
    @inline(__always) package mutating func beginFiring(isBusy: Bool) -> Firing {
        // Then one has it alone, nothing is missing, and there are only arrivals.
        if phase == .plain, !isBusy {
            phase = .clean
            timesLeft = 0
            isFiring = true
            return .fires(takingMore: false)
        }
        guard !isBusy, moreHolders.isEmpty else { return .isLeft }
        guard isToFire else { return .isNothing }
        let takesMore = hasList || hasContext
        phase = .clean
        timesLeft = 0
        isFiring = true
        hasList = false
        hasContext = false
        return .fires(takingMore: takesMore)
    }
    package enum End: Equatable {
        /// It is to fire again: who fired it puts it on a list anew.
        case again
        /// It is to fire again, and has been put on the list of who fired it meanwhile.
        case listed
        /// Nobody holds it any more. Where it has held itself, that is over too.
        case over(wasKept: Bool)
        /// The same where it has lost an input before it could fire: a list and a context are to be forgotten, if there are any.
        case forgotten(wasKept: Bool)
        /// Others hold it; where that is so, what is on record goes to a list.
        case left(needsList: Bool)
    }
    /// Who was to fire it, and has done so, or found nothing to fire, lets go of it.
    @inline(__always) package mutating func endFiring(by id: HolderID) -> End {
        isFiring = false
        if isDirty { return endDirty(by: id) }
        guard moreHolders.isEmpty else { return .left(needsList: replace(id, by: nil).needsList) }
        return .over(wasKept: letGo())
    }
    @inline(never) private mutating func endDirty(by id: HolderID) -> End {
        if isListedAgain {
            isListedAgain = false
            return .listed
        }
        if missing == 0 { return .again }
        guard moreHolders.isEmpty else { return .left(needsList: replace(id, by: nil).needsList) }
        phase = .clean
        (hasList, hasContext) = (false, false)
        return .forgotten(wasKept: letGo())
    }
    /// Nobody holds it any more. Answers whether it has held itself.
    @inline(__always) private mutating func letGo() -> Bool {
        holder = nil
        let wasKept = isKept
        isKept = false
        return wasKept
    }
    /// An edge of the join's goes, which may be the last that holds it. Answers whether it has to hold itself from now on, until it is
    /// on nobody's list.
    package mutating func keep() -> Bool {
        guard holder != nil, !isKept else { return false }
        isKept = true
        return true
    }

    // MARK: Hand-overs

    package struct Replacement: Equatable {
        /// Whether the new holder was none yet.
        package let isNew: Bool
        /// Whether what is on record is to go to a list: once the newest arrival has been fired, it may be another's, who fired it.
        package let needsList: Bool
    }
    /// Puts `new` in the place of `old` among the holders.
    package mutating func replace(_ old: HolderID, by new: HolderID?) -> Replacement {
        let needsList = isDirty && moveToList()
        let isNew = new.map { !isHeld(by: $0) } ?? false
        if isNew, let new { moreHolders.append(new) }
        if holder == old {
            holder = moreHolders.isEmpty ? nil : moreHolders.removeFirst()
        } else {
            moreHolders.removeAll { $0 == old }
        }
        return Replacement(isNew: isNew, needsList: needsList)
    }
    /// `other` is to hold it, too.
    package mutating func wait(for other: HolderID) -> Replacement {
        guard !isHeld(by: other) else { return Replacement(isNew: false, needsList: false) }
        moreHolders.append(other)
        return Replacement(isNew: true, needsList: isDirty && moveToList())
    }
    /// It was left to another holder. Answers whether that happens again and again.
    package mutating func noteLeft() -> Bool {
        if timesLeft < .max { timesLeft += 1 }
        return timesLeft > 32
    }

    // MARK: The first value

    /// One input more is linked. Answers whether it was the last.
    package mutating func link() -> Bool {
        unlinked -= 1
        return unlinked == 0
    }
    /// Ends the making. Answers whether the maker is to give the first value now: so unless an input has none. The first value has all
    /// that other threads have brought so far, so these fire the join for nothing but what they bring from now on.
    package mutating func endMaking() -> Bool {
        maker = nil
        missing -= 1
        guard missing == 0 else { return false }
        phase = .clean
        (hasList, hasContext) = (false, false)
        return true
    }
}

extension JoinState.Phase: Comparable {
    @inline(__always) package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
