import ReactCore
import Synchronization

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
        let state = UntilState()
        let result: Node<Value> = following("TakeUntil", state: state) {
            let delivery = EdgeCall<Value, Value>($0)
            let generation = delivery.connection.generation
            return delivery.send(delivery.value) { state.reached.load(ordering: .relaxed) != generation }
        }
        let signal = SignalTransform<Other, Value>(name: "TakeUntil") { [weak edge = result.upstreamTransforms.first] in
            let delivery = EdgeCall<Other, Value>($0)
            if delivery.isStillConnected, !delivery.isInInitialDelivery { state.reach(by: edge) }
            return .nothing
        }
        result.follow(other, by: signal)
        return result
    }
}

@usableFromInline final class UntilState: OperatorState {
    /// The generation of the connection of the passing edge during which the other node was set last.
    @usableFromInline let reached = Atomic<UInt64>(0)

    @usableFromInline init() {}
    @usableFromInline var facts: OperatorFacts { .passesPulses }
    @usableFromInline var wanted: String? { "nothing after its end" }
    @usableFromInline func reach(by edge: AnyEdge?) {
        reached.store((edge?.connection ?? .none).generation, ordering: .relaxed)
    }
}
