import ReactCore

/// An operator's state, which takes one version of its input after another, and changes its output only by the
/// differences.
@usableFromInline protocol Incremental: Sendable {
    associatedtype Input: Sendable
    associatedtype Output: Sendable

    var output: Output { get }
    /// Takes the next input. Returns true if that has changed `output`.
    mutating func update(to input: Input) -> Bool
}

extension Remembered where State: Incremental {
    /// Takes the value of `delivery`. Sends the output for the first input, and each output that has changed.
    @inlinable func update(
        with delivery: EdgeCall<State.Input, State.Output>, inputs: [Connection] = [], from initial: () -> State
    ) -> NextEdge {
        var lent = lend(to: delivery, inputs: inputs)
        let isFirst = lent == nil
        // Moved out, so that the state's collections have no second owner, and change in place.
        var state = lent.take() ?? initial()
        let hasChanged = state.update(to: delivery.value)
        let output = hasChanged || isFirst ? state.output : nil
        takeBack(consume state, from: delivery, inputs: inputs)
        return output.map { delivery.send($0) } ?? .nothing
    }
}

extension Node {
    /// Returns a new node that follows this one by an edge named `name`. Each connection of the edge begins with
    /// `initial`.
    ///
    /// The new node is set to the output of the first input, and to each output that differs from the one before.
    @inlinable func remembering<State: Incremental>(
        _ name: String, _ initial: @escaping @autoclosure @Sendable () -> State
    ) -> Node<State.Output> where State.Input == Value {
        let memory = Remembered<State>()
        return following(name, state: memory) { memory.update(with: EdgeCall($0), from: initial) }
    }
}
