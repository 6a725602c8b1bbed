import ReactCore
import Synchronization

extension Node {
    /// A new node, fed by `forward`, which is called with each value and sends what it likes, once or not at all, now: the way
    /// to write an operator of one's own.
    ///
    /// As fast as the library's own. `forward` is called on the thread that sets the value, one value at a time, with no lock
    /// held; context and sender list travel by themselves. Mark the operator `@inlinable`, and it is compiled for the types that
    /// it is used with.
    ///
    ///     extension Node where Value == Int {
    ///         func halves() -> Node<Int> {
    ///             transformed("Halves") { value, send in if value.isMultiple(of: 2) { send(value / 2) } }
    ///         }
    ///     }
    ///
    ///     let number = MutableNode(84)
    ///     let half = number.halves()
    ///     number.value = 3
    ///     print(half.current)      // 42
    ///
    /// - Parameters:
    ///   - name: The transform's name, for debugging and graphs.
    ///   - forward: Called with a value, and what sends. To send twice, or after the call, ends the process.
    /// - Returns: A new immutable node, downstream of this one by an edge of that name.
    /// - Complexity: O(1) for each value, besides `forward`.
    @inlinable @inline(__always) public func transformed<Output>(
        _ name: String, _ forward: @escaping @Sendable (Value, NodeSender<Output>) -> Void
    ) -> Node<Output> {
        following(name) {
            let delivery = Delivery<Value, Output>($0)
            return delivery.sending { forward(delivery.value, NodeSender($0)) }
        }
    }
    /// The same with a state, which starts over when the edge's `from` or `to` changes.
    ///
    /// One value at a time has the state. A value that is still being worked on while the edge is cut or pointed elsewhere
    /// leaves nothing behind in it, and is not sent.
    ///
    ///     extension Node where Value == Int {
    ///         func rising() -> Node<Int> {
    ///             transformed("Rising", state: Int.min) { highest, value, send in
    ///                 guard value > highest else { return }
    ///                 highest = value
    ///                 send(value)
    ///             }
    ///         }
    ///     }
    ///
    ///     let height = MutableNode(8_848)
    ///     let record = height.rising()
    ///     height.value = 4_810
    ///     print(record.current)    // 8848
    ///
    /// - Parameters:
    ///   - name: The transform's name, for debugging and graphs.
    ///   - state: What each linking of the edge begins with; made anew for each.
    ///   - forward: Called with the state, a value, and what sends. To send twice, or after the call, ends the process.
    /// - Returns: A new immutable node, downstream of this one by an edge of that name.
    @inlinable @inline(__always) public func transformed<State: Sendable, Output>(
        _ name: String, state: @escaping @autoclosure @Sendable () -> State,
        _ forward: @escaping @Sendable (inout State, Value, NodeSender<Output>) -> Void
    ) -> Node<Output> {
        let memory = LentState<State>()
        return following(name, state: memory) {
            let delivery = Delivery<Value, Output>($0)
            let linking = delivery.linking
            var lent = memory.take(for: linking) ?? state()
            let sent = delivery.sending { forward(&lent, delivery.value, NodeSender($0)) }
            memory.giveBack(lent, by: linking, after: delivery)
            return sent
        }
    }
}

/// What an operator made by `transformed(_:_:)` sends by, during the call that it was given to.
public struct NodeSender<Output: Sendable> {
    @usableFromInline let send: OneSend<Output>

    @inlinable init(_ send: OneSend<Output>) { self.send = send }

    /// Sends `value` to the operator's node, which delivers it when the call has returned.
    @inlinable @inline(__always) public func callAsFunction(_ value: Output) { send(value) }
}

/// A state that is lent to one value at a time: nobody copies it, so that a collection in it is changed in place.
///
/// Invariants:
/// - The lock is held for a move, never while user code runs.
/// - A state belongs to one linking of the edge, and is of no use to any other. It is given back only while that stands.
@usableFromInline final class LentState<State: Sendable>: OperatorState {
    @usableFromInline struct Owned: Sendable {
        /// The linking that the state is of.
        @usableFromInline var linking = Linking.none
        /// `nil` while it is lent.
        @usableFromInline var state: State?

        @inlinable init() {}
    }
    @usableFromInline let owned = Lock(Owned())

    @inlinable init() {}

    @inlinable @inline(__always) func take(for linking: Linking) -> State? {
        owned.withLock { $0.linking == linking ? $0.state.take() : nil }
    }
    /// Takes the state back, unless its linking has ended; answers whether it did.
    @discardableResult @inlinable @inline(__always) func giveBack<Input, Output>(
        _ state: consuming State, by linking: Linking, after delivery: Delivery<Input, Output>
    ) -> Bool {
        var given: State? = state
        let isCurrent = owned.withLock { owned in
            guard delivery.isCurrent else { return false }
            swap(&owned.state, &given)
            owned.linking = linking
            return true
        }
        // What another linking has left is let go of when the lock is.
        withExtendedLifetime(given) {}
        return isCurrent
    }
    @usableFromInline func forget(_ linking: Linking) {
        _ = owned.withLock { $0.linking == linking ? $0.state.take() : nil }
    }
}
