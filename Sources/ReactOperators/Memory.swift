import ReactCore
import Synchronization

/// What an operator remembers from one value to the next.
///
/// Invariants:
/// - The lock is held for a copy, never while user code runs; what is replaced is let go after it.
/// - What a value changes is written only while its edge is linked as it was when the value came. So a value that is
///   still being worked on while another thread points the edge at another node leaves nothing behind there.
@usableFromInline final class Memory<State: Sendable>: OperatorState {
    @usableFromInline let state: Lock<State>
    @usableFromInline let initial: State

    @inlinable init(_ initial: State) {
        self.initial = initial
        state = Lock(initial)
    }

    @inlinable var now: State { state.withLock { $0 } }

    /// Remembers `new`, unless the edge of `delivery` has been cut or pointed elsewhere; answers whether it did.
    @inlinable func remember<Input, Output>(_ new: State, after delivery: Delivery<Input, Output>) -> Bool {
        let old = state.withLock { state -> State? in
            guard delivery.isCurrent else { return nil }
            let old = state
            state = new
            return old
        }
        return old != nil
    }
    /// Starts over when the edge is given another target, or none.
    @usableFromInline func disconnected() { startOver() }
    /// Starts over, for another node's values.
    @usableFromInline func startOver() {
        _ = state.withLock { state in
            let old = state
            state = initial
            return old
        }
    }
}
