import ReactCore

extension Node {
    /// "TakeUntil": passes values on until `other` is set.
    ///
    /// What `other` holds already ends nothing. After the end the result stays as it is; nothing completes, and both edges stay in
    /// place. Starts over when the `from` of the transform from this node changes. Event by event: where one set reaches both
    /// nodes, what comes first counts. O(1) for each value; runs on the thread that sets the value.
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
            let delivery = Delivery<Value, Value>($0)
            return end.isReached(by: delivery.linking) ? .nothing : delivery.send(delivery.value)
        }
        result.follow(other, "TakeUntil") {
            let delivery = Delivery<Other, Value>($0)
            if delivery.isCurrent, !delivery.isTakingOver { end.reach() }
            return .nothing
        }
        return result
    }
}

/// Whether the other node was set, for the linking by which values come.
@usableFromInline final class End: OperatorState {
    private struct State: Sendable {
        var isReached = false
        /// That of the last value.
        var linking = Linking.none
    }
    private let state = Lock(State())

    @usableFromInline init() {}

    @usableFromInline func reach() { state.withLock { $0.isReached = true } }
    @usableFromInline func isReached(by linking: Linking) -> Bool {
        state.withLock { state in
            if state.linking != .none, state.linking != linking { state.isReached = false }
            state.linking = linking
            return state.isReached
        }
    }
    @usableFromInline func forget(_ linking: Linking) {
        state.withLock { state in
            guard state.linking == .none || state.linking == linking else { return }
            state.isReached = false
            state.linking = .none
        }
    }
}
