import ReactCore

/// The state that an operator keeps from one value to the next.
///
/// Invariants:
/// - The state belongs to the present connection. The state ends in the step that ends the connection. The next
///   connection begins with `initial`.
/// - A value reads and writes the state only while the edge is connected as it was when the value arrived. A value that
///   is still being processed while the edge is re-pointed therefore leaves nothing behind.
/// - A state that is replaced is released after the step that replaces it, because that may run user code.
///
/// Unchecked, because only the owner of the region uses the state.
@usableFromInline final class Memory<State: Sendable>: OperatorState, @unchecked Sendable {
    @usableFromInline let initial: State
    @usableFromInline let facts: OperatorFacts
    @usableFromInline let passing: (@Sendable () -> String)?
    @exclusivity(unchecked) @usableFromInline var state: State
    /// States of connections that have ended.
    private let ended = Lock<[State]>([])

    /// Makes a memory. If its operator passes pulses on, the operator's node has its value from before again when a
    /// pulse is over, but the memory keeps the pulse's changes. `passing` describes the only values that the operator
    /// passes on.
    @inlinable @inline(never) init(
        _ initial: State, _ facts: OperatorFacts = [], passing: (@Sendable () -> String)? = nil
    ) {
        self.initial = initial
        self.facts = facts
        self.passing = passing
        state = initial
    }
    @usableFromInline var wanted: String? { passing?() }

    /// Returns the state for the value of `delivery`. Returns `initial` if the edge has been cut or pointed elsewhere,
    /// because the value then leaves nothing behind.
    @inlinable @inline(never) func now<Input, Output>(for delivery: EdgeCall<Input, Output>) -> State {
        delivery.whileCurrent { state } ?? initial
    }
    /// Sends `value`, and remembers `new`, unless the edge has been cut or pointed elsewhere.
    @inlinable @inline(never) func send<Input, Output>(
        _ value: Output, remembering new: State, after delivery: EdgeCall<Input, Output>
    ) -> NextEdge {
        var other = new
        let sent = delivery.send(value) {
            swap(&state, &other)
            return true
        }
        withExtendedLifetime(other) {}
        return sent
    }
    /// Sends `value` if `change` returns true. `change` changes the state in place.
    @inlinable @inline(__always) func send<Input, Output>(
        _ value: Output, after delivery: EdgeCall<Input, Output>, if change: (inout State) -> Bool
    ) -> NextEdge {
        delivery.send(value) { change(&state) }
    }

    @usableFromInline func willDisconnect() {
        // Plain data needs no release.
        if _isPOD(State.self) { return state = initial }
        var old = initial
        swap(&state, &old)
        ended.withLock { $0.append(old) }
    }
    @usableFromInline func discard(_ connection: Connection) {
        var old: [State] = []
        ended.withLock { swap(&$0, &old) }
        withExtendedLifetime(old) {}
    }

    /// Lends the state, which is `nil` meanwhile, to one value at a time. Nobody copies it, so a collection in it is
    /// changed in place.
    @inlinable @inline(__always) func lend<Lent, Input, Output>(to delivery: EdgeCall<Input, Output>) -> Lent?
    where State == Lent? {
        delivery.whileCurrent { state.take() } ?? nil
    }
    /// Takes the state back, unless its connection has ended.
    @inlinable @inline(__always) func takeBack<Lent, Input, Output>(
        _ lent: consuming Lent, from delivery: EdgeCall<Input, Output>
    ) where State == Lent? {
        var given: Lent? = lent
        _ = delivery.whileCurrent { swap(&state, &given) }
        withExtendedLifetime(given) {}
    }
}

/// Describes a value, in quotation marks if it is text.
@usableFromInline func quoted(_ value: some Any) -> String {
    value is String || value is Substring || value is Character ? "\"\(value)\"" : "\(value)"
}
