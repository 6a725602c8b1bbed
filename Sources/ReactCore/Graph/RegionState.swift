/// The state of a region, and its transitions.
///
///               take                      leave
///     free ───────────────▶ owned ─────────────────────▶ free             nobody has to be notified
///                            │  leave, under the lock     │
///                            └────────────────────────────┴─▶ `Region.settle` gives it to the first, or wakes that
///     free or owned ──another region takes it in──▶ merged
///
/// The transitions are pure. A region has its state in one atomic word (`word`), so a thread takes and leaves a region
/// by one exchange each. The bits of the line change under the region's lock alone.
enum RegionState: Equatable {
    case free(Line)
    case owned(by: UInt, Line)
    /// Another region has taken this one in.
    case merged

    /// The demand of the requests in line on those who take and leave the region.
    enum Line: UInt, CaseIterable {
        case isEmpty
        /// The first sleeps. Who leaves has to wake it. Others may overtake it until then.
        case sleeps
        /// The first is awake, and looks by itself. Others may overtake it.
        case isAwake
        /// Nobody may overtake the line: who leaves makes the first the owner.
        case isOrdered
    }

    /// Returns the state after `owner` has taken the region; `nil` if it may not.
    func taken(by owner: UInt) -> RegionState? {
        if case .free(let line) = self, line != .isOrdered { .owned(by: owner, line) } else { nil }
    }
    /// Returns the state after the owner has left the region; `nil` if that has to be done under the lock, because a
    /// request has to be woken or granted.
    func afterLeaving(by owner: UInt) -> RegionState? {
        switch self {
        case .owned(by: owner, .isEmpty): .free(.isEmpty)
        case .owned(by: owner, .isAwake): .free(.isAwake)
        case .owned, .free, .merged: nil
        }
    }

    // MARK: The word

    // The owner's address is a multiple of 8. The three lowest bits are the line, or say that the region was merged.
    private static let lineBits: UInt = 3, mergedBit: UInt = 4

    init(word: UInt) {
        let owner = word & ~7
        if word & RegionState.mergedBit != 0 {
            self = .merged
        } else {
            let line = Line(rawValue: word & RegionState.lineBits).unsafelyUnwrapped
            self = owner == 0 ? .free(line) : .owned(by: owner, line)
        }
    }
    var word: UInt {
        switch self {
        case .free(let line): line.rawValue
        case .owned(let owner, let line): owner | line.rawValue
        case .merged: RegionState.mergedBit
        }
    }
}
