import ReactCore

/// An edge whose values wait in a core.
protocol WaitingOwner: AnyEdge, TimerOwner {
    var core: WaitingCore { get }
    /// Sends values, or has them heard, and calls `hasLeft` of the core.
    func leave(_ departure: WaitingCore.Departure)
}
