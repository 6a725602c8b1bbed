// A waiting operator takes values now and passes them on later:
//
//     a value ──▶ WaitingEdge ──▶ WaitingCore (lock, connection, values, timer, record)
//                                    │ events      ▲ effects
//                                    ▼             │
//                                 WaitingPolicy (a pure state machine)
//
// The policy decides, and the core acts. A policy knows no lock, thread, node, scheduler or value: tickets stand for
// values.

extension WaitingPolicy {
    mutating func began() -> WaitingEffects { WaitingEffects() }
    mutating func arrived(_ ticket: Ticket) -> WaitingEffects { WaitingEffects(refuses: true) }
    mutating func timerFired() -> WaitingEffects { WaitingEffects() }
    mutating func isDue(_ ticket: Ticket) -> WaitingEffects { WaitingEffects() }
}
