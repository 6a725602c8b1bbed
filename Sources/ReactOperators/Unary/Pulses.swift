import ReactCore

extension Node {
    /// "Pulses": passes each value on as a pulse, so that no derived node keeps it.
    ///
    /// Use it for events that are derived from state, such as an error to be shown once, or a screen to be opened. The
    /// new node is empty while no value is on its way, also when it is made. A late listener therefore hears nothing.
    /// Nodes derived from it are as they were when the pulse is over: see `MutableNode.pulse(_:context:)`.
    ///
    /// - Returns: A new immutable node.
    /// - Complexity: O(1) for each value. The operator runs on the thread that sets the value.
    ///
    ///     let state = MutableNode(Result<Int, CancellationError>.success(1)), screen = Lifetime()
    ///     let errors = state.failures().pulses()
    ///     errors.listened(by: screen).with { _ in print("alert") }
    ///     state.value = .failure(CancellationError())             // alert
    ///     print(errors.isEmpty)                                   // true
    ///     errors.listened(by: screen).with { _ in print("a second alert") }
    public func pulses() -> Node<Value> {
        let node = Node<Value>()
        node.link(to: self, transform: PulseTransform(name: "Pulses"))
        return node
    }
}

/// Unchecked, as `AnyEdge` is: it adds nothing that is stored.
private final class PulseTransform<Value: Sendable>: Transform<Value, Value>, FactualEdge, @unchecked Sendable {
    var ownFacts: OperatorFacts { .passesPulses }
    override func next(_ value: Value, from senders: SenderList, context: NodeContext?) {
        send(from: senders, context: context, asPulse: true) { $0.send(value) }
    }
}
