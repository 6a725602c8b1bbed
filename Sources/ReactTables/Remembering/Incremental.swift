import ReactCore

/// An operator's state, which takes in one version of its input after another, and changes its output by as much as
/// differs.
@usableFromInline protocol Incremental: Sendable {
    associatedtype Input: Sendable
    associatedtype Output: Sendable

    var output: Output { get }
    /// Takes the next input in. Returns whether that has changed `output`.
    mutating func update(to input: Input) -> Bool
}

extension Remembered where State: Incremental {
    /// Takes the value of `delivery` in, and sends the output: of the first input, and where it has changed.
    @inlinable func update(
        with delivery: Delivery<State.Input, State.Output>, inputs: [Linking] = [], from initial: () -> State
    ) -> Sent {
        let known = lend(to: delivery, inputs: inputs)
        var state = known ?? initial()
        let hasChanged = state.update(to: delivery.value)
        let output = hasChanged || known == nil ? state.output : nil
        takeBack(state, from: delivery, inputs: inputs)
        return output.map { delivery.send($0) } ?? .nothing
    }
}

extension Node {
    /// Returns a new node that follows this one by an edge named `name`. Each connection of the edge begins with
    /// `initial`.
    ///
    /// The new node is set to the output of the first input, and to each output that differs from the one before.
    @inlinable func remembering<State: Incremental>(
        _ name: StaticString, _ initial: @escaping @autoclosure @Sendable () -> State
    ) -> Node<State.Output> where State.Input == Value {
        let memory = Remembered<State>()
        return following(name, state: memory) { memory.update(with: Delivery($0), from: initial) }
    }
}
