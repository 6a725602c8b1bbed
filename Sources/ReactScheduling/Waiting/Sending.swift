import ReactCore

extension Transform {
    /// Sends a value outside of `next`, if `isWanted` returns true in the target's turn. Calls `hasLeft` with each of the
    /// value's steps, unless the connection ends while the value waits for that turn.
    func pass(
        _ value: Output, from senders: SenderList, context: NodeContext?, by connection: Connection,
        asPulse: Bool = false, if isWanted: @escaping () -> Bool = { true },
        _ hasLeft: @escaping (LeavingStep) -> Void
    ) {
        var isUnderWay = false
        send(from: senders, context: context, by: connection, asPulse: asPulse) { call in
            var isBusy = false
            let sent = call.send(value, if: isWanted, elseWaiting: { isBusy = true })
            if isBusy {
                isUnderWay = call.changeContended(
                    afterwards: { hasLeft(.isStoredLater) }, { isWanted() ? .some(.some(value)) : nil })
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
    /// Changes the target in its turn by the result of `make` (see `EdgeCall.change`). See `pass` for `hasLeft`.
    func change(
        from senders: SenderList, context: NodeContext?, by connection: Connection, _ make: @escaping () -> Output??,
        _ hasLeft: @escaping (LeavingStep) -> Void = { _ in }
    ) {
        var isUnderWay = false
        send(from: senders, context: context, by: connection) { call in
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
