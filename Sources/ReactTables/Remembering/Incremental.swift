import ReactCore

/// An operator's state, which takes one version of its input after another, and changes its output only by the
/// differences.
@usableFromInline protocol Incremental: Sendable {
    associatedtype Input: Sendable
    associatedtype Output: Sendable

    /// The only outputs that are passed on, as the end of a sentence.
    static var wanted: StaticString { get }
    /// True if the operator has closures, whose calls it counts.
    static var hasClosures: Bool { get }
    var output: Output { get }
    /// Takes the next input. Returns true if that has changed `output`. Adds the calls of closures to `calls`.
    mutating func update(to input: Input, _ calls: inout Int) -> Bool
}
extension Incremental {
    @inlinable static var wanted: StaticString { "a table only if one of its rows has changed" }
    @inlinable static var hasClosures: Bool { true }
}

extension Remembered {
    /// Lends the state to a delivery, or a new one to the first of a connection.
    @inlinable @inline(__always) func lend<State>(
        to delivery: ErasedEdgeCall, orNew initial: () -> State
    ) -> (box: StateBox<State>, isFirst: Bool) {
        guard let lent = lend(to: delivery) else { return (StateBox(initial()), true) }
        // Checked in debug builds. The operator has no other states than these.
        return (unsafeDowncast(lent, to: StateBox<State>.self), false)
    }
    /// Takes the value of `delivery`. Sends the output for the first input, and each output that has changed.
    @inlinable @inline(__always) func update<State: Incremental>(
        with delivery: EdgeCall<State.Input, State.Output>, from initial: () -> State
    ) -> NextEdge {
        let (box, isFirst) = lend(to: delivery.raw, orNew: initial)
        let hasChanged = box.state.update(to: delivery.value, &box.calls)
        let output = hasChanged || isFirst ? box.state.output : nil
        takeBack(box, from: delivery.raw)
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
        let memory = Remembered(State.wanted, hasClosures: State.hasClosures)
        return following(name.description, state: memory) { memory.update(with: EdgeCall($0), from: initial) }
    }
}
