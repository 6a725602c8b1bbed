// A waiting operator takes values now and passes them on later:
//
//     a value ──▶ WaitingEdge ──▶ WaitingCore (lock, connection, values, timer, record)
//                                    │ events      ▲ effects
//                                    ▼             │
//                                 WaitingPolicy (a pure state machine)
//
// The policy decides, and the core acts. A policy knows no lock, thread, node, scheduler or value: tickets stand for
// values.

/// The number of a value at its operator. Values have consecutive tickets, in the order in which they came.
typealias Ticket = UInt64

/// The rule of a waiting operator: when values leave, and which ones are dropped.
///
/// The core makes each transition under its lock. When the edge gets another connection, the core drops all values, and
/// starts over with the policy's first state.
protocol WaitingPolicy: Sendable {
    /// The edge has been connected, or a value has passed at once (see `TimerEdge`).
    mutating func began() -> WaitingEffects
    /// A value has come.
    mutating func arrived(_ ticket: Ticket) -> WaitingEffects
    /// The timer that the policy has started has fired.
    mutating func timerFired() -> WaitingEffects
    /// The work that the policy has scheduled for one value runs.
    mutating func isDue(_ ticket: Ticket) -> WaitingEffects
}
extension WaitingPolicy {
    mutating func began() -> WaitingEffects { WaitingEffects() }
    mutating func arrived(_ ticket: Ticket) -> WaitingEffects { WaitingEffects(refuses: true) }
    mutating func timerFired() -> WaitingEffects { WaitingEffects() }
    mutating func isDue(_ ticket: Ticket) -> WaitingEffects { WaitingEffects() }
}

/// The effects of a policy's transition. The core has them in this order.
struct WaitingEffects: Equatable {
    enum Timer: Equatable {
        /// Starts the timer, or moves it, so that it fires after the interval.
        case starts(Duration)
        /// Starts the timer for the interval that follows the last one, when the values that leave are passed on.
        case repeats(Duration)
    }
    /// True if the value that has come is not taken.
    var refuses = false
    /// The values below this ticket are dropped, because a newer one has taken their place.
    var dropsBelow: Ticket?
    /// True if work is scheduled for the value that has come.
    var schedules = false
    var timer: Timer?
    /// The values below this ticket leave.
    var sendsBelow: Ticket?
    /// True if the operator sends something of its own.
    var makes = false
}
