import ReactCore

/// The keeper of values that leave.
protocol DepartureKeeper: AnyObject, Sendable {
    /// Returns true if a departure may be stored. Called in the target's turn.
    func mayLeave(_ departure: WaitingCore.Departure) -> Bool
    /// Notes a step of a departure. Returns true if no values are buffered any more.
    func hasLeft(_ departure: WaitingCore.Departure, _ step: LeavingStep) -> Bool
}

extension Transform {
    /// Sends a value outside of `next`, if its departure may leave, and tells the keeper of each of its steps. The
    /// keeper is not told if the connection ends while the value waits for the target's turn.
    func pass(
        _ value: Output, _ origin: Origin, _ departure: WaitingCore.Departure, of keeper: any DepartureKeeper
    ) {
        func hasLeft(_ step: LeavingStep) { if keeper.hasLeft(departure, step) { bufferingHasChanged() } }
        var isUnderWay = false
        send(from: origin.senders, context: origin.context, by: origin.connection, asPulse: origin.isPulse) { call in
            var isBusy = false
            let sent = call.send(value, if: { keeper.mayLeave(departure) }, elseWaiting: { isBusy = true })
            if isBusy {
                isUnderWay = call.changeContended(
                    afterwards: { hasLeft(.isStoredLater) }, { keeper.mayLeave(departure) ? .some(.some(value)) : nil })
                if isUnderWay { hasLeft(.waits) }
            } else {
                isUnderWay = true
                hasLeft(.isStored)
            }
            return sent
        }
        // The connection has ended, or the value has passed the target.
        if !isUnderWay { hasLeft(.isStored) }
    }
    /// Changes the target in its turn by the result of `make` (see `EdgeCall.change`). `hasLeft` is called as a keeper
    /// is told by `pass`.
    func change(
        by origin: Origin, _ make: @escaping () -> Output??, _ hasLeft: @escaping (LeavingStep) -> Void = { _ in }
    ) {
        var isUnderWay = false
        send(from: origin.senders, context: origin.context, by: origin.connection) { call in
            switch call.takeTurnIfIdle() {
            case .mine:
                isUnderWay = true
                let sent = call.end(turnWith: make())
                hasLeft(.isStored)
                return sent
            case .someone:
                isUnderWay = call.changeContended(afterwards: { hasLeft(.isStoredLater) }, make)
                if isUnderWay { hasLeft(.waits) }
            case .refused: break
            }
            return .nothing
        }
        if !isUnderWay { hasLeft(.isStored) }
    }
}
