import ReactCore

extension Transform {
    /// Sends a value outside of `next`, if its departure may leave, and tells the core of each of its stages. The
    /// core is not told if the connection ends while the value waits for the target's turn.
    func pass(
        _ value: Output, _ origin: Origin, _ departure: WaitingCore.Departure, of core: WaitingCore
    ) {
        func hasLeft(_ stage: DepartureStage) { if core.hasLeft(departure, stage) { bufferingHasChanged() } }
        var isUnderWay = false
        send(from: origin.senders, context: origin.context, by: origin.connection, asPulse: origin.isPulse) { call in
            var isBusy = false
            let sent = call.send(value, if: { core.mayLeave(departure) }, elseWaiting: { isBusy = true })
            if isBusy {
                isUnderWay = call.changeContended(
                    afterwards: { hasLeft(.isStoredLater) }, { core.mayLeave(departure) ? .some(.some(value)) : nil })
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
    /// Changes the target in its turn by the result of `make` (see `EdgeCall.change`). `hasLeft` is called as the core
    /// is told by `pass`.
    func change(
        by origin: Origin, _ make: @escaping () -> Output??, _ hasLeft: @escaping (DepartureStage) -> Void = { _ in }
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
