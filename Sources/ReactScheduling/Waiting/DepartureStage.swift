/// A stage of values that leave.
enum DepartureStage {
    /// They are stored in the target, or dropped there.
    case isStored
    /// They wait for the target's turn.
    case waits
    /// They are stored, or dropped, after they have waited for the target's turn.
    case isStoredLater
}
