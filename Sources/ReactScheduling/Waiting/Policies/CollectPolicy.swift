/// `collect(every:)`: the values of an interval leave together, at its end. An interval begins with a value, or at the
/// end of an interval that had values.
struct CollectPolicy: WaitingPolicy {
    enum State: Equatable {
        case idle
        /// An interval without a value so far.
        case waits
        /// An interval whose newest value has this ticket.
        case collects(Ticket)
    }
    let interval: Duration
    private(set) var state = State.idle

    static var isBorder: Bool { true }

    mutating func arrived(_ ticket: Ticket) -> WaitingEffects {
        defer { state = .collects(ticket) }
        return WaitingEffects(timer: state == .idle ? .starts(interval) : nil)
    }
    mutating func timerFired() -> WaitingEffects {
        guard case .collects(let newest) = state else {
            state = .idle
            return WaitingEffects()
        }
        state = .waits
        return WaitingEffects(timer: .repeats(interval), sendsBelow: newest + 1)
    }
}
