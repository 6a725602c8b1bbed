import ReactCore

extension Node {
    /// "TakeUntil": passes values on until `other` is set.
    ///
    /// A value that `other` already holds ends nothing. After the end, the result keeps its value, and both edges stay
    /// in place. Starts over when the `from` of the transform from this node changes. Events count one by one: if one
    /// set reaches both nodes, the first arrival counts. O(1) for each value; runs on the thread that sets the value.
    ///
    ///     let number = MutableNode(1), stop = MutableNode<Bool>()
    ///     let until = number.take(until: stop)
    ///     number.value = 2
    ///     stop.value = true
    ///     number.value = 3
    ///     print(until.current)        // 2
    @inlinable public func take<Other>(until other: Node<Other>) -> Node<Value> {
        let end = End()
        let result: Node<Value> = following("TakeUntil", state: end) {
            let delivery = EdgeCall<Value, Value>($0)
            let connection = delivery.connection
            return delivery.sendInTurn(delivery.value) { !end.isReached(in: connection) }
        }
        end.edge = result.upstreamTransforms.first
        let signal = SignalTransform<Other, Value>(name: "TakeUntil") {
            let delivery = EdgeCall<Other, Value>($0)
            if delivery.isStillConnected, !delivery.isInInitialDelivery { end.reach() }
            return .nothing
        }
        result.follow(other, by: signal)
        return result
    }
}

/// The connection of the passing edge during which the other node was set last.
@usableFromInline final class End: OperatorState {
    private struct State: Sendable {
        weak var edge: AnyEdge?
        var reached = Connection.none
    }
    private let state = Lock(State())

    @usableFromInline init() {}

    @usableFromInline var passesPulses: Bool { true }
    @usableFromInline var wanted: String? { "nothing after its end" }
    @usableFromInline var edge: AnyEdge? {
        get { state.withLock { $0.edge } }
        set { state.withLock { $0.edge = newValue } }
    }
    @usableFromInline func reach() {
        // Read with no lock held, because this may release the edge.
        let connection = edge?.connection
        state.withLock { $0.reached = connection ?? .none }
    }
    @usableFromInline func isReached(in connection: Connection) -> Bool { state.withLock { $0.reached == connection } }
}

extension EdgeCall {
    /// Sends the value if `isWanted` returns true. `isWanted` runs in the target's turn, even if the value has to wait
    /// for it.
    @inlinable func sendInTurn(_ value: Output, where isWanted: @escaping () -> Bool) -> NextEdge {
        switch takeTurnIfIdle() {
        case .mine: return end(turnWith: .some(.some(value)), where: isWanted)
        case .refused: break
        case .someone: _ = changeContended { isWanted() ? .some(value) : nil }
        }
        return .nothing
    }
}
