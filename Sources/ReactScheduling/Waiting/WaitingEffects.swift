/// The effects of a policy's transition. The core does them in this order.
struct WaitingEffects: Equatable {
    enum Timer: Equatable {
        /// Starts the timer, or moves it, so that it fires this long from now: for a least time between values.
        case starts(Duration)
        /// Starts the timer so that it fires this long after its last deadline, so that a late timer delays no later
        /// one. It is scheduled after the values of this transition were sent.
        case repeats(Duration)
    }
    enum Work: Equatable { case soon, after(Duration) }
    /// True if the value that has come is not taken.
    var refuses = false
    /// The values below this ticket are dropped, because a newer one has taken their place.
    var dropsBelow: Ticket?
    /// The work that is scheduled for the value that has come.
    var work: Work?
    var timer: Timer?
    /// The values below this ticket leave.
    var sendsBelow: Ticket?
    /// True if the operator sends something of its own.
    var makes = false
}
