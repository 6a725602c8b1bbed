import ReactCore

/// The edge of an operator that passes each value on as it is. Unchecked, as its superclass is.
final class LaterEdge<Value: Sendable>: WaitingEdge<Value, Value>, @unchecked Sendable {
    override var ownFacts: OperatorFacts { [.passesLater, .passesPulses] }
    override func pass(_ call: EdgeCall<Value, Value>) -> NextEdge { call.send(call.value) }
    override func leave(_ departure: WaitingCore.Departure) {
        guard case .one(let parcel) = departure else { return }
        send(unsafeDowncast(parcel, to: Parcel<Value>.self).value, departure, parcel)
    }
}
