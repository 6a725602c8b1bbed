// A waiting operator takes values now and passes them on later:
//
//     a value ──▶ WaitingEdge ──▶ WaitingCore (lock, connection, values, timer, record)
//                                    │ events      ▲ effects
//                                    ▼             │
//                                 WaitingPolicy (a pure state machine)
//
// The policy decides, and the core acts. A policy knows no lock, thread, node, scheduler or value: tickets stand for
// values.

/// The rule of a waiting operator: when values leave, and which ones are dropped.
///
/// The core makes each transition under its lock. When the edge gets another connection, the core drops all values, and
/// starts over with the policy's first state.
protocol WaitingPolicy: Sendable {
    /// True if the policy starts a timer.
    static var hasTimer: Bool { get }
    /// True if no value ever leaves when it comes, in the set that brings it. Then the edge keeps the graphs of its two
    /// nodes apart.
    static var isBorder: Bool { get }
    /// Only a `TimerEdge` calls this: when it is connected, and when a value has passed.
    mutating func began() -> WaitingEffects
    /// A value has come at a `WaitingEdge`. If the policy refuses it, the value is dropped. The default is for the
    /// policy of a `TimerEdge`, which passes its values on by itself and never calls this.
    mutating func arrived(_ ticket: Ticket) -> WaitingEffects
    /// The timer that the policy has started has fired.
    mutating func timerFired() -> WaitingEffects
    /// The work that the policy has scheduled for one value runs.
    mutating func isDue(_ ticket: Ticket) -> WaitingEffects
}

extension WaitingPolicy {
    static var hasTimer: Bool { true }
    static var isBorder: Bool { false }
    mutating func began() -> WaitingEffects { WaitingEffects() }
    mutating func arrived(_ ticket: Ticket) -> WaitingEffects { WaitingEffects(refuses: true) }
    mutating func timerFired() -> WaitingEffects { WaitingEffects() }
    mutating func isDue(_ ticket: Ticket) -> WaitingEffects { WaitingEffects() }
}
