import ReactCore

extension Transform {
    /// Sends a value outside of `next`, if its departure may leave, and tells the core of each of its stages. The
    /// core is not told if the connection ends while the value waits for the target's turn.
    func pass(
        _ value: Output, _ origin: Origin, _ departure: WaitingCore.Departure, of core: WaitingCore
    ) {
        func hasLeft(_ stage: DepartureStage) { if core.hasLeft(departure, stage) { bufferingHasChanged() } }
        func make() -> Output?? { core.mayLeave(departure) ? .some(.some(value)) : nil }
        var isConnected = false
        send(from: origin.senders, context: origin.context, by: origin.connection, asPulse: origin.isPulse) { call in
            isConnected = true
            var isBusy = false
            let sent = call.send(value, if: { core.mayLeave(departure) }, elseWaiting: { isBusy = true })
            let waits = isBusy && call.changeContended(afterwards: { hasLeft(.isStoredLater) }, make)
            hasLeft(waits ? .waits : .isStored)
            return sent
        }
        // The connection has ended.
        if !isConnected { hasLeft(.isStored) }
    }
    /// Changes the target in its turn by the result of `make` (see `EdgeCall.change`). `hasLeft` is called as the core
    /// is told by `pass`.
    func change(
        by origin: Origin, _ make: @escaping () -> Output??, _ hasLeft: @escaping (DepartureStage) -> Void = { _ in }
    ) {
        var isConnected = false
        send(from: origin.senders, context: origin.context, by: origin.connection) { call in
            isConnected = true
            let turn = call.takeTurnIfIdle()
            let sent = turn == .mine ? call.end(turnWith: make()) : .nothing
            let waits = turn == .someone && call.changeContended(afterwards: { hasLeft(.isStoredLater) }, make)
            hasLeft(waits ? .waits : .isStored)
            return sent
        }
        if !isConnected { hasLeft(.isStored) }
    }
}
