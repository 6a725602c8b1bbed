/// The effects of a policy's transition. The core does them in this order.
struct WaitingEffects: Equatable {
    enum Timer: Equatable {
        /// Starts the timer, or moves it, so that it fires this long from now. So two values are at least as far apart.
        case starts(Duration)
        /// Starts the timer so that it fires this long after its last deadline. So a timer that fires late does not
        /// delay the next one. The core schedules the timer after it has sent the values of this transition.
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
