import ReactCore

extension Node {
    /// "WithLatest": this node's value and `other`'s newest value, each time this node is set.
    ///
    /// Fires once a set, after everything else that the set reaches: after effects and the sets that they make, and
    /// after every `combine` upstream of either node. The second value is therefore the one that `other` holds when the
    /// set is done. If a pulse of `other` belongs to the set, it is the pulse's value. Combinations and effects
    /// downstream of the result wait until it has fired; other effects run before it. A set that does not reach this
    /// node makes nothing wait.
    ///
    /// A set of `other` alone is not heard. While `other` is empty, this node's values are dropped. If `other` is
    /// emptied, its last value stays in use. If one of the two edges is cut, the result stops updating. The result
    /// carries the context and sender list of this node's value. O(1) for each value; runs on the thread that sets the
    /// value.
    ///
    ///     let tap = MutableNode<String>(), text = MutableNode("a"), lifetime = Lifetime()
    ///     tap.withLatest(from: text).listened(by: lifetime).with { print($0, $1) }
    ///     text.value = "b"
    ///     tap.value = "send"      // send b
    @inlinable public func withLatest<Other>(from other: Node<Other>) -> Node<(Value, Other)> {
        let slot = JoinInput("WithLatest", from: self, to: Node<(Value, Other)>.self)
        let latest = Latest<Other>()
        let (result, join) = Node<(Value, Other)>.joining(
            inputs: 1, rank: .late, passesPulses: true, keepsEmptied: true
        ) {
            guard let other = latest.value else { return $1.fireNothing($0) }
            return $1.fire($0, with: (slot.newest, other))
        }
        result.follow(other, "WithLatest", state: latest) {
            latest.keep(EdgeCall<Other, (Value, Other)>($0))
            return .nothing
        }
        result.join(join, slot, self)
        return result
    }
}

/// The other node's newest value, and the connection that delivered it.
@usableFromInline final class Latest<Value: Sendable>: OperatorState {
    private struct Held: Sendable {
        var value: Value?
        var connection = Connection.none
        /// Set if a pulse has brought the value: the value that the node has again, and the set of the pulse, after
        /// which that counts.
        var after: (value: Value, set: Transaction)?
        var now: Value? { after.flatMap { $0.set.isOver ? $0.value : nil } ?? value }
    }
    private let held = Lock(Held())

    @usableFromInline init() {}

    @usableFromInline var facts: OperatorFacts { .isWaitedFor }
    @usableFromInline var missesValue: Bool { held.withLock { $0.value == nil } }
    @usableFromInline var value: Value? { held.withLock { $0.now } }
    @usableFromInline func keep<Output>(_ delivery: EdgeCall<Value, Output>) {
        var new = Held(value: delivery.value, connection: delivery.connection)
        if let value = delivery.valueAfterPulse { new.after = (value, delivery.set) }
        replace(by: new) { _ in delivery.isStillConnected }
    }
    @usableFromInline func discard(_ connection: Connection) { replace(by: Held()) { $0.connection == connection } }

    /// Replaces the held value. The old value is released after the lock, because its `deinit` may be user code.
    private func replace(by new: Held, if condition: (Held) -> Bool) {
        var other = new
        held.withLock { if condition($0) { swap(&$0, &other) } }
        withExtendedLifetime(other) {}
    }
}
