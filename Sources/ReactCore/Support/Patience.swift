/// Whether who finds a node another thread's is to look again for a moment, by how that went before.
struct Patience: Equatable {
    /// Nanoseconds until it looks again, each time; some three microseconds in all.
    static let pauses: [UInt64] = [200, 400, 800, 1_600]
    static let mostPassedOver = 64

    /// How many sets are queued at once after the next one that has looked in vain.
    private(set) var penalty = 1
    /// How many are queued at once from now on.
    private(set) var passingOver = 0

    /// Whether the next set looks again.
    mutating func begin() -> Bool {
        guard passingOver > 0 else { return true }
        passingOver -= 1
        return false
    }
    mutating func end(hasHadTurn: Bool) {
        passingOver = hasHadTurn ? 0 : penalty
        penalty = hasHadTurn ? 1 : min(penalty * 2, Patience.mostPassedOver)
    }
}
