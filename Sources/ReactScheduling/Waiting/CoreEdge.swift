import ReactCore

/// An edge whose values wait in a core.
protocol CoreEdge: AnyEdge, TimerHolder {
    var core: WaitingCore { get }
    /// Sends values, or has them heard, and calls `hasLeft` of the core.
    func leave(_ departure: WaitingCore.Departure)
}

extension CoreEdge {
    func timerFired(_ number: UInt64) { core.timerFired(number, of: self) }
    func keep(_ timer: any Cancelable, _ number: UInt64) -> Bool { core.keep(timer, number) }
}
