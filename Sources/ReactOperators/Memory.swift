import ReactCore
import Synchronization

/// What an operator remembers from one value to the next.
///
/// Invariants:
/// - The lock is held for a copy, never while user code runs; what is replaced is let go after it.
/// - What is remembered belongs to the linking that it came by; for any other, `initial` is remembered.
/// - What a value changes is written only while its edge is linked as it was when the value came. So a value that is
///   still being worked on while another thread points the edge at another node leaves nothing behind there.
@usableFromInline final class Memory<State: Sendable>: OperatorState {
    @usableFromInline struct Held: Sendable {
        @usableFromInline var state: State
        @usableFromInline var linking: Linking

        @usableFromInline init(_ state: State, by linking: Linking) {
            self.state = state
            self.linking = linking
        }
    }
    @usableFromInline let held: Lock<Held>
    @usableFromInline let initial: State

    @inlinable init(_ initial: State) {
        self.initial = initial
        held = Lock(Held(initial, by: .none))
    }

    /// What is remembered for the value of `delivery`.
    @inlinable @inline(__always) func now<Input, Output>(for delivery: Delivery<Input, Output>) -> State {
        let linking = delivery.linking
        return held.withLock { $0.linking == linking ? $0.state : initial }
    }

    /// Remembers `new`, unless the edge of `delivery` has been cut or pointed elsewhere; answers whether it did.
    @inlinable @inline(__always)
    func remember<Input, Output>(_ new: State, after delivery: Delivery<Input, Output>) -> Bool {
        let linking = delivery.linking
        let old = held.withLock { held -> State? in
            guard delivery.isCurrent else { return nil }
            let old = held.state
            held.state = new
            held.linking = linking
            return old
        }
        return old != nil
    }
    @usableFromInline func forget(_ linking: Linking) {
        _ = held.withLock { held -> State? in
            guard held.linking == linking else { return nil }
            let old = held.state
            held = Held(initial, by: .none)
            return old
        }
    }
}
