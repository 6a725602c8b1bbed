import ReactCore
import Synchronization

extension Node {
    /// Makes an operator of your own: returns a new node fed by `forward`, which sends one value or none for each
    /// value.
    ///
    /// The operator is as fast as an operator of the library. `forward` is called on the thread that sets the value,
    /// one value at a time, with no lock held. Context and sender list travel by themselves. Mark your operator
    /// `@inlinable`, so that it is compiled for the types that it is used with.
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
    ///   - forward: Called with a value and a sender. Sending twice, or after the call, ends the process.
    /// - Returns: A new immutable node, downstream of this one by an edge of that name.
    /// - Complexity: O(1) for each value, besides `forward`.
    @inlinable @inline(__always) public func transformed<Output>(
        _ name: String, _ forward: @escaping @Sendable (Value, NodeSender<Output>) -> Void
    ) -> Node<Output> {
        following(
            by: OperatorTransform(name: name) {
                let delivery = EdgeCall<Value, Output>($0)
                return delivery.sending { forward(delivery.value, $0) }
            })
    }
    /// Makes an operator of your own with a state: returns a new node fed by `forward`, which also receives the state.
    ///
    /// The state starts over when the edge's `from` or `to` changes. One value at a time has the state. If the edge is
    /// cut or pointed elsewhere during a call, the call leaves nothing behind in the state and sends nothing.
    ///
    /// Use it to keep a large state. `forward` changes the state in place. An array, set or dictionary in it is not
    /// copied, unless `forward` itself sends or keeps it. In contrast, the result of a `scan` is copied for each value,
    /// because its node holds it too.
    ///
    ///     let word = MutableNode("b"), lifetime = Lifetime()
    ///     let new = word.transformed("New", state: Set<String>()) { known, word, send in
    ///         if known.insert(word).inserted { send(word) }
    ///     }
    ///     new.listened(by: lifetime).with { print($0) }       // b
    ///     word.value = "a"                                    // a
    ///     word.value = "b"
    ///
    /// An operator of your own can be a method:
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
    ///   - state: The initial state, made anew each time the edge is linked.
    ///   - forward: Called with the state, a value and a sender. Sending twice, or after the call, ends the process.
    /// - Returns: A new immutable node, downstream of this one by an edge of that name.
    @inlinable @inline(__always) public func transformed<State: Sendable, Output>(
        _ name: String, state: @escaping @autoclosure @Sendable () -> State,
        _ forward: @escaping @Sendable (inout State, Value, NodeSender<Output>) -> Void
    ) -> Node<Output> {
        transformed(name, state: state, [], forward)
    }
    /// `transformed`, for an operator that passes pulses on: see `Memory`.
    @inlinable @inline(__always) func transformed<State: Sendable, Output>(
        _ name: String, state: @escaping @Sendable () -> State, _ facts: OperatorFacts,
        passing: (@Sendable () -> String)? = nil,
        _ forward: @escaping @Sendable (inout State, Value, NodeSender<Output>) -> Void
    ) -> Node<Output> {
        let memory = Memory<State?>(nil, facts, passing: passing)
        return following(name, state: memory) {
            let delivery = EdgeCall<Value, Output>($0)
            var lent = memory.lend(to: delivery) ?? state()
            let sent = delivery.sending { forward(&lent, delivery.value, $0) }
            memory.takeBack(lent, from: delivery)
            return sent
        }
    }
}

/// Sends the values of an operator made by `transformed(_:_:)`, during the call that received it.
///
/// A value is left in `place`, and is sent when the call has returned. So the whole call is compiled into the edge, as
/// if the closure had returned the value. Each call has a number of its own. See `Engine.endSend` for when it ends.
public struct NodeSender<Output: Sendable> {
    @usableFromInline let engine: Unmanaged<Engine>
    @usableFromInline let place: UnsafeMutablePointer<Output?>
    @usableFromInline let number: UInt64

    @inlinable init(_ engine: Unmanaged<Engine>, _ place: UnsafeMutablePointer<Output?>, number: UInt64) {
        (self.engine, self.place, self.number) = (engine, place, number)
    }
    /// Sends `value` to the operator's node, which delivers it when the call has returned.
    ///
    /// - Precondition: this is the first call, and the operator's closure has not returned. The message names the
    ///   caller's `file` and `line`.
    @inlinable @inline(__always)
    public func callAsFunction(_ value: Output, file: StaticString = #fileID, line: UInt = #line) {
        if !engine._withUnsafeGuaranteedRef({ $0.endSend(number) }) { refuseSend(file, line) }
        place.pointee = value
    }
}
@usableFromInline func refuseSend(_ file: StaticString, _ line: UInt) -> Never {
    misuse(
        "a transformed(_:) called send twice for one value, or after its closure had returned: call it once at most, inside the closure",
        file: file, line: line)
}

extension EdgeCall {
    /// Calls `body` with a sender, and sends the value that it leaves there.
    @inlinable @inline(__always) func sending(_ body: (NodeSender<Output>) -> Void) -> NextEdge {
        var value: Output?
        let number = raw.engine._withUnsafeGuaranteedRef { $0.numberOfSend }
        withUnsafeMutablePointer(to: &value) { body(NodeSender(raw.engine, $0, number: number)) }
        guard let value else {
            _ = raw.engine._withUnsafeGuaranteedRef { $0.endSend(number) }
            return .nothing
        }
        return send(value)
    }
}
