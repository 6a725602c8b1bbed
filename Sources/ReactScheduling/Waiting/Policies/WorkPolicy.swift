/// `mapLatest`, `mapFirst` and `mapInOrder`: when the work for a value begins, and when its phases are passed on.
///
/// Phases concern one value after the other. Works are begun in the order of the values, and end in any order.
struct WorkPolicy: Equatable {
    /// The fate of a value that comes while as much work is under way as may be.
    enum Rule: Equatable {
        /// The work under way is cancelled.
        case cancels
        /// The value is dropped.
        case drops
        /// The value waits. So many pieces of work may be under way at a time.
        case waits(limit: Int)
    }
    /// A phase that is to be passed on: that the work for a value runs, or that it has ended.
    struct Step: Equatable {
        let ticket: Ticket
        let isEnd: Bool
    }
    let rule: Rule
    /// The first value whose end is not passed on, the first one whose work has not begun, and the next one to come.
    private(set) var front: Ticket = 0
    private(set) var firstWaiting: Ticket = 0
    private(set) var next: Ticket = 0
    private var underWay = 0
    /// The works that have suspended, and those that have ended, whose phase is not passed on.
    private var suspended: Set<Ticket> = []
    private var ended: Set<Ticket> = []

    init(_ rule: Rule) { self.rule = rule }

    /// A value has come. Returns its ticket, and the values that are dropped for it; `nil` if it is dropped itself.
    mutating func arrived() -> (ticket: Ticket, dropping: Range<Ticket>)? {
        if rule == .drops, underWay > 0 || firstWaiting < next { return nil }
        let dropped = rule == .cancels ? end() : front..<front
        next += 1
        return (next - 1, dropped)
    }
    private var limit: Int { if case .waits(let limit) = rule { limit } else { 1 } }
    /// True if the newest value has to wait for its work.
    var isFull: Bool { underWay >= limit || firstWaiting + 1 < next }
    /// Returns the value whose work is to begin now.
    mutating func begin() -> Ticket? {
        guard firstWaiting < next, underWay < limit else { return nil }
        underWay += 1
        firstWaiting += 1
        return firstWaiting - 1
    }
    /// Returns true if the work for a value is under way.
    func isUnderWay(_ ticket: Ticket) -> Bool { (front..<firstWaiting).contains(ticket) && !ended.contains(ticket) }
    /// The work has suspended. Returns false if it is not under way.
    mutating func hasSuspended(_ ticket: Ticket) -> Bool {
        guard isUnderWay(ticket) else { return false }
        suspended.insert(ticket)
        return true
    }
    /// The work has ended. Returns false if it was dropped before.
    mutating func hasEnded(_ ticket: Ticket) -> Bool {
        guard isUnderWay(ticket) else { return false }
        suspended.remove(ticket)
        ended.insert(ticket)
        underWay -= 1
        return true
    }
    /// The phase that is to be passed on now.
    var step: Step? {
        let isEnd = ended.contains(front)
        return isEnd || suspended.contains(front) ? Step(ticket: front, isEnd: isEnd) : nil
    }
    /// The phase is passed on.
    mutating func take(_ step: Step) {
        if !step.isEnd { return _ = suspended.remove(step.ticket) }
        ended.remove(step.ticket)
        front += 1
    }
    /// Returns true unless a newer value has superseded the one that a phase is about.
    func isCurrent(_ step: Step) -> Bool { rule != .cancels || step.ticket + 1 == next }
    /// Drops all values, and returns them.
    mutating func end() -> Range<Ticket> {
        defer { (front, firstWaiting, underWay, suspended, ended) = (next, next, 0, [], []) }
        return front..<next
    }
}
