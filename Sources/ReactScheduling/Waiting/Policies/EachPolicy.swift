/// `deliver`, `delay` and listening on a scheduler: each value leaves when its own scheduled work runs.
///
/// Works overtake one another on a concurrent queue. A work that runs lets all values up to its own leave, so they
/// leave in order.
struct EachPolicy: WaitingPolicy {
    let work: WaitingEffects.Work

    static var hasTimer: Bool { false }
    static var isBorder: Bool { true }
    func arrived(_ ticket: Ticket) -> WaitingEffects { WaitingEffects(work: work) }
    func isDue(_ ticket: Ticket) -> WaitingEffects { WaitingEffects(sendsBelow: ticket + 1) }
}
