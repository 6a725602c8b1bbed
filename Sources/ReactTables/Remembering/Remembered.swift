import ReactCore

/// The state of an operator from one value to the next. One value at a time borrows it.
///
/// Invariants:
/// - The state belongs to the connections by which its values came. A value that comes by another connection finds no
///   state.
/// - The value that borrows the state has it alone, so collections in it change in place.
/// - A value whose connection ends while it is being worked on leaves nothing behind.
/// - No user code runs under the lock. A state that is replaced is released after it.
///
/// Unchecked, because its fields are read and written under the lock of the node that the operator's edge leads to. A
/// connection ends under that lock as well.
@usableFromInline final class Remembered<State: Sendable>: OperatorState, @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var state: State?
    /// If the operator has two inputs, the connections of their edges by which the state's values came.
    @exclusivity(unchecked) @usableFromInline var inputs: [Connection] = []
    /// The states of connections that have ended.
    private let ended = Lock<[State]>([])

    @inlinable init() {}

    /// Lends the state. Returns `nil` for the first value of a connection.
    @inlinable func lend<Input, Output>(to delivery: EdgeCall<Input, Output>, inputs: [Connection] = []) -> State? {
        delivery.whileCurrent { self.inputs == inputs ? state.take() : nil } ?? nil
    }
    /// Takes the state back, unless its connection has ended. Returns false if it has.
    @inlinable @discardableResult func takeBack<Input, Output>(
        _ lent: consuming State, from delivery: EdgeCall<Input, Output>, inputs: [Connection] = []
    ) -> Bool {
        var other: State? = lent
        var otherInputs = inputs
        let isCurrent: Void? = delivery.whileCurrent {
            swap(&state, &other)
            swap(&self.inputs, &otherInputs)
        }
        withExtendedLifetime((other, otherInputs)) {}
        return isCurrent != nil
    }
    @usableFromInline func willDisconnect() {
        guard let old = state.take() else { return }
        ended.withLock { $0.append(old) }
    }
    @usableFromInline func discard(_ connection: Connection) {
        let old = ended.withLock { ended in
            defer { ended = [] }
            return ended
        }
        withExtendedLifetime(old) {}
    }
}
