import ReactCore

/// What an operator remembers from one value to the next.
///
/// Invariants:
/// - What is remembered belongs to the linking that there is; it ends with that, in the same step, and the next one begins with
///   `initial`.
/// - It is read and written under the lock of what the edge leads to, while the edge is linked as it was when the value came; and a
///   linking ends under that lock as well. So a value that is still being worked on while another thread points the edge at
///   another node leaves nothing behind there.
/// - User code does not run under it, so what is replaced is let go of after it.
///
/// Unchecked, because of that lock.
@usableFromInline final class Memory<State: Sendable>: OperatorState, @unchecked Sendable {
    @usableFromInline let initial: State
    @exclusivity(unchecked) @usableFromInline var state: State
    /// What is of linkings that have ended.
    private let ended = Lock<[State]>([])

    @inlinable init(_ initial: State) {
        self.initial = initial
        state = initial
    }

    /// What is remembered for the value of `delivery`; `initial` where the edge has been cut or pointed elsewhere, as the value then
    /// leaves nothing behind.
    @inlinable @inline(__always) func now<Input, Output>(for delivery: Delivery<Input, Output>) -> State {
        delivery.whileCurrent { state } ?? initial
    }
    /// Sends `value`, and remembers `new`, unless the edge has been cut or pointed elsewhere.
    @inlinable @inline(__always) func send<Input, Output>(
        _ value: Output, remembering new: State, after delivery: Delivery<Input, Output>
    ) -> Sent {
        var other = new
        let sent = delivery.send(value) {
            swap(&state, &other)
            return true
        }
        withExtendedLifetime(other) {}
        return sent
    }
    /// Sends `value` if `change` answers so, which changes what is remembered: called under the lock, for plain data.
    @inlinable @inline(__always) func send<Input, Output>(
        _ value: Output, after delivery: Delivery<Input, Output>, if change: (inout State) -> Bool
    ) -> Sent {
        delivery.send(value) { change(&state) }
    }

    @usableFromInline func linkingEnds() {
        // What is plain data need not be let go of.
        if _isPOD(State.self) { return state = initial }
        var old = initial
        swap(&state, &old)
        ended.withLock { $0.append(old) }
    }
    @usableFromInline func forget(_ linking: Linking) {
        let old = ended.withLock { ended in
            defer { ended = [] }
            return ended
        }
        withExtendedLifetime(old) {}
    }
}

/// A state that is lent to one value at a time, and `nil` meanwhile: nobody copies it, so that a collection in it is changed in place.
extension Memory {
    @inlinable @inline(__always) func lend<Lent, Input, Output>(to delivery: Delivery<Input, Output>) -> Lent?
    where State == Lent? {
        delivery.whileCurrent { state.take() } ?? nil
    }
    /// Takes the state back, unless its linking has ended.
    @inlinable @inline(__always) func takeBack<Lent, Input, Output>(
        _ lent: consuming Lent, from delivery: Delivery<Input, Output>
    ) where State == Lent? {
        var given: Lent? = lent
        _ = delivery.whileCurrent { swap(&state, &given) }
        withExtendedLifetime(given) {}
    }
    /// The same, and sends `value` into `branch`.
    @inlinable @inline(__always) func send<Lent, Input, Output>(
        _ value: Output.Carried, into branch: consuming Output, takingBack lent: consuming Lent,
        from delivery: Delivery<Input, Output>
    ) -> Sent where Output: NodeBranch, State == Lent? {
        var given: Lent? = lent
        let sent = delivery.send(value, into: branch) { swap(&state, &given) }
        withExtendedLifetime(given) {}
        return sent
    }
}
