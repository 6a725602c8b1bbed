/// `debounce` and `throttle`: the newest value leaves when no newer one has come for an interval.
struct DebouncePolicy: WaitingPolicy {
    let interval: Duration
    private(set) var newest: Ticket?

    static var isBorder: Bool { true }

    mutating func arrived(_ ticket: Ticket) -> WaitingEffects {
        newest = ticket
        return WaitingEffects(dropsBelow: ticket, timer: .starts(interval))
    }
    mutating func timerFired() -> WaitingEffects { WaitingEffects(sendsBelow: newest.take().map { $0 + 1 }) }
}
