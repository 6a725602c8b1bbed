/// The state of a join, and its transitions.
///
///              arrive, requireFiring       beginFiring             endFiring
///     clean ─────────────────────▶ dirty ──────────────▶ firing ───────────────▶ clean
///                                    ▲                      │
///                                    └── arrive, restart ───┘
///
/// A dirty join that misses a value does not fire. If another value has reached it, it waits beside the queue while
/// others are left to fire, is listed once more when none is (`listedLast`), and then drops what has arrived.
///
/// The transitions are pure: each changes the state, and returns the work that is to be done. Nothing here lists,
/// retains or calls anything. `Join` does that.
///
/// Invariants (`violation` checks those that can be seen in the state alone):
/// - `missing` is the number of inputs without a value. Until the maker gives the first value, it is one greater. While
///   it is not 0, the join does not fire: the engine drops it, and its arrivals.
/// - A join that is nowhere is clean.
/// - A join that misses a value, and that a value has reached, waits while there are other joins to fire, because one
///   of these may bring the missing value.
struct JoinState: Equatable {
    /// Tells whether something has come since the join last fired. A clean join keeps nothing of earlier arrivals.
    enum Phase: UInt8 {
        /// Nothing has come.
        case clean
        /// Nothing has arrived, but the join is to fire: a firing was required, or its arrivals were forgotten.
        case required
        case arrived
    }
    /// Tells where the engine of the region's owner has the join.
    enum Place: UInt8 {
        case nowhere
        /// In the queue.
        case listed
        /// Beside the queue, until a value that it misses has come, or nothing else is left to fire.
        case waits
        /// In the queue for the last time, although it misses a value.
        case listedLast
        /// The join is being fired.
        case firing
        /// The join is being fired, and a value that has come meanwhile has put it into the queue again.
        case firingAndListed
    }
    /// See the invariants. In 32 bits for size.
    private(set) var missing: Int32
    /// False until the maker gives the first value, of which everything that arrives before is a part.
    private(set) var isMade: Bool
    private(set) var phase = Phase.clean
    private(set) var place = Place.nowhere
    /// True if the join retains itself, because one of its edges has gone while the engine has it.
    private(set) var retainsItself = false

    init(inputs: Int) {
        missing = inputs == 0 ? 0 : Int32(inputs) + 1
        isMade = inputs == 0
    }

    // MARK: Properties

    @inline(__always) var isDirty: Bool { phase != .clean }
    /// See `Join.summary`.
    @inline(__always) var summary: Int32 { missing &<< 1 | (isDirty ? 1 : 0) }
    /// True if it is being fired.
    var isFiring: Bool { place == .firing || place == .firingAndListed }
    /// The invariant that is violated, in words; `nil` if there is none.
    var violation: String? {
        if missing < 0 { return "it misses fewer than none of its inputs" }
        if isDirty, place == .nowhere { return "it is to fire, and nobody does it" }
        if retainsItself, place == .nowhere { return "it holds itself, and nobody has it on a list" }
        return nil
    }

    // MARK: Arrivals

    /// Notes that an input that was empty has a value.
    @inline(__always) mutating func fillInput() { missing -= 1 }
    /// Notes that an input is empty again.
    mutating func emptyInput() { missing += 1 }
    /// Notes that an edge is no longer connected. The arrivals may be of that edge, so they are forgotten.
    mutating func loseInput(emptying isFull: Bool) {
        if isFull { emptyInput() }
        if phase == .arrived { phase = .required }
    }
    enum Arrival: Equatable {
        /// The value is a part of the first one.
        case isOfFirst
        case isNoted
        /// The engine has to list the join.
        case isListed
    }
    @inline(__always) mutating func arrive() -> Arrival {
        guard isMade else { return .isOfFirst }
        phase = .arrived
        switch place {
        case .nowhere: place = .listed
        case .firing: place = .firingAndListed
        case .waits where missing == 0: place = .listed
        case .listed, .waits, .listedLast, .firingAndListed: return .isNoted
        }
        return .isListed
    }
    /// Notes that the join is to fire, though nothing has arrived. Returns whether the engine has to list it.
    mutating func requireFiring() -> Bool {
        if phase == .clean { phase = .required }
        guard place == .nowhere else { return false }
        place = .listed
        return true
    }
    /// Notes that the firing under way has come to nothing, and has to be repeated. Returns whether its arrivals are
    /// kept for the next one. They are not if something has arrived meanwhile.
    mutating func restart() -> Bool {
        if isDirty { return false }
        phase = .arrived
        return true
    }
    /// Notes that nothing else is left to fire. Returns whether the engine has to list the join, for the last time.
    mutating func endWaiting() -> Bool {
        guard place == .waits else { return false }
        place = .listedLast
        return true
    }

    // MARK: Firing

    /// Takes the join out of the queue. Returns whether it fires, and takes all that has come.
    @inline(__always) mutating func beginFiring() -> Bool {
        guard isDirty, missing == 0 else { return false }
        phase = .clean
        place = .firing
        return true
    }
    enum Outcome: Equatable {
        /// The join has to fire again. The engine lists it anew.
        case again
        /// The join has to fire again. It was listed meanwhile.
        case listed
        /// The join misses a value, and waits.
        case waits
        /// The engine is done with it. If the join has retained itself, it has to release itself.
        case over(hadRetainedItself: Bool)
        /// The engine is done with it, although something has come. That has to be forgotten. If the join has retained
        /// itself, it has to release itself.
        case forgotten(hadRetainedItself: Bool)
    }
    /// Notes that the join was fired, or that it was found with nothing to fire.
    ///
    /// `mayWait`: True if other joins are left to fire, so that a value which the join misses may come.
    @inline(__always) mutating func endFiring(mayWait: @autoclosure () -> Bool) -> Outcome {
        isDirty ? endDirty(mayWait: mayWait()) : .over(hadRetainedItself: letGo())
    }
    @inline(never) private mutating func endDirty(mayWait: Bool) -> Outcome {
        if place == .firingAndListed {
            place = .listed
            return .listed
        }
        if missing == 0 {
            place = .listed
            return .again
        }
        if mayWait, place != .listedLast, phase == .arrived {
            place = .waits
            return .waits
        }
        phase = .clean
        return .forgotten(hadRetainedItself: letGo())
    }
    /// Notes that the engine is done with the join. Returns whether it has retained itself.
    @inline(__always) private mutating func letGo() -> Bool {
        place = .nowhere
        defer { retainsItself = false }
        return retainsItself
    }
    /// Notes that an edge of the join is no longer connected, which may hold the last reference. Returns whether the
    /// join has to retain itself from now on, until the engine is done with it.
    mutating func retainItself() -> Bool {
        guard place != .nowhere, !retainsItself else { return false }
        retainsItself = true
        return true
    }

    // MARK: The first value

    /// Ends the making. Returns whether the maker gives the first value now: it does unless an input is empty.
    mutating func endMaking() -> Bool {
        isMade = true
        missing -= 1
        return missing == 0
    }
}
