import ReactCore

extension Node {
    /// "Pulses": passes each value on as a pulse, so that nothing derived from it keeps it. For events derived from state, such as an
    /// error to be shown once, or a screen to be opened.
    ///
    /// The result is empty while no value is under way, from the start too: a listener that comes late hears nothing. What `pulse`
    /// says of derived nodes holds here as well. O(1) for each value; runs on the thread that sets the value.
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
private final class PulseTransform<Value: Sendable>: Transform<Value, Value>, PulsePasser, @unchecked Sendable {
    override func next(_ value: Value, from senders: SenderList, context: NodeContext?) {
        sendPulse(value, from: senders, context: context)
    }
}
