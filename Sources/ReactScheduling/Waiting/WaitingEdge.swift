import ReactCore

/// The edge of an operator that passes values on later. The policy of its core says when.
///
/// For every such operator, this class and its core compare the connection, report to recorders, keep pulses pulses,
/// carry redaction on, schedule weakly, send in order, and count the values that wait.
///
/// Unchecked, as its superclass is: its own properties are constant.
class WaitingEdge<Input: Sendable, Output: Sendable>: Transform<Input, Output>, CoreEdge, ConnectionKeeper,
    BufferingEdge, @unchecked Sendable
{
    let core: WaitingCore
    var ownFacts: OperatorFacts { .passesLater }

    init(name: String, _ policy: some WaitingPolicy, on scheduler: any Scheduler, together: Bool = false) {
        core = WaitingCore(policy, on: scheduler, together: together)
        // This is a closure, and not `next`: `next` would get a list of senders for each value, which costs 500
        // instructions.
        super.init(name: name) { raw in
            let call = EdgeCall<Input, Output>(raw)
            return raw.edge._withUnsafeGuaranteedRef {
                let edge = unsafeDowncast($0, to: WaitingEdge<Input, Output>.self)
                let passes = edge.core.arrive(by: call.connection, at: edge) {
                    Parcel(
                        call.value,
                        Origin(
                            senders: call.senders, context: call.context, connection: call.connection,
                            isPulse: call.passesPulseOn))
                }
                return passes ? edge.pass(call) : .nothing
            }
        }
        beginToBuffer(asBorder: core.isBorder)
    }
    /// Passes a value on at once.
    func pass(_ call: EdgeCall<Input, Output>) -> NextEdge { preconditionFailure("abstract") }
    final func discard(_ ended: Connection) { core.discard(ended, of: self) }
    final var valuesToSend: BufferedValues? { core.valuesToSend }
    final var hasBufferedValues: Bool { core.hasBufferedValues }

    func leave(_ departure: WaitingCore.Departure) { preconditionFailure("abstract") }
    /// Sends `output`, made of values that leave together, of which `last` is the newest.
    final func send(_ output: Output, _ departure: WaitingCore.Departure, _ last: any AnyParcel) {
        last.record.sending { pass(output, last.origin, departure, of: core) }
    }
}

/// The edge of an operator that passes several values on as one array. Unchecked, as its superclass is.
final class CollectingEdge<Value: Sendable>: WaitingEdge<Value, [Value]>, @unchecked Sendable {
    override var ownFacts: OperatorFacts { [.passesLater, .wraps] }
    override func pass(_ call: EdgeCall<Value, [Value]>) -> NextEdge { call.send([call.value]) }
    override func leave(_ departure: WaitingCore.Departure) {
        guard case .several(let parcels) = departure, let last = parcels.last else { return }
        for parcel in parcels.dropLast() { parcel.record.join(at: self) }
        let values = parcels.map { unsafeDowncast($0, to: Parcel<Value>.self).value }
        send(values, departure, last)
    }
}
