/// `sample`: the first value leaves at once, and begins an interval. At most one value leaves at the end of each
/// interval.
struct SamplePolicy: WaitingPolicy {
    enum State: Equatable {
        case idle
        /// An interval is under way.
        case paces
        /// An interval is under way, and at its end this value leaves.
        case keeps(Ticket)
    }
    let interval: Duration
    let keepsFirst: Bool
    private(set) var state = State.idle

    mutating func arrived(_ ticket: Ticket) -> WaitingEffects {
        if state == .idle {
            state = .paces
            return WaitingEffects(timer: .starts(interval), sendsBelow: ticket + 1)
        }
        if keepsFirst { return WaitingEffects(refuses: true) }
        state = .keeps(ticket)
        return WaitingEffects(dropsBelow: ticket)
    }
    mutating func timerFired() -> WaitingEffects {
        guard case .keeps(let ticket) = state else {
            state = .idle
            return WaitingEffects()
        }
        state = .paces
        return WaitingEffects(timer: .starts(interval), sendsBelow: ticket + 1)
    }
}
