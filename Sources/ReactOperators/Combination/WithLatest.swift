import ReactCore

extension Node {
    /// "WithLatest": this node's value and the other's newest, whenever this one is set, once a set.
    ///
    /// It fires after everything else that the set reaches, effects and what they set included, and after any `combine` upstream of
    /// either node: the other's value is the one that it has when the set is done. What is downstream of the result fires after it,
    /// effects that read it too; an effect that does not runs before. A set of the other alone is not heard. While the other holds nothing, what
    /// comes is dropped; emptying it leaves its last value in place. Cutting one of the two transforms silences the result.
    /// Context and sender list are those of this node's value. O(1) for each value.
    ///
    ///     let tap = MutableNode<String>(), text = MutableNode("a"), lifetime = Lifetime()
    ///     tap.withLatest(from: text).listened(by: lifetime).with { print($0, $1) }
    ///     text.value = "b"
    ///     tap.value = "send"      // send b
    @inlinable public func withLatest<Other>(from other: Node<Other>) -> Node<(Value, Other)> {
        let slot = JoinSlot("WithLatest", from: self, to: Node<(Value, Other)>.self)
        let latest = Latest<Other>()
        let (result, join) = Node<(Value, Other)>.joining(inputs: 1, isLate: true) {
            guard let other = latest.value else { return $1.fireNothing($0) }
            return $1.fire($0, with: (slot.newest, other))
        }
        result.follow(other, "WithLatest", state: latest) {
            latest.keep(Delivery<Other, (Value, Other)>($0))
            return .nothing
        }
        result.join(join, slot, self)
        return result
    }
}

/// What the other node held last, and the linking that it came by.
@usableFromInline final class Latest<Value: Sendable>: OperatorState {
    private struct Held: Sendable {
        var value: Value?
        var linking = Linking.none
    }
    private let held = Lock(Held())

    @usableFromInline init() {}

    @usableFromInline var isWaitedFor: Bool { true }
    @usableFromInline var missesValue: Bool { held.withLock { $0.value == nil } }
    @usableFromInline var value: Value? { held.withLock { $0.value } }
    @usableFromInline func keep<Output>(_ delivery: Delivery<Value, Output>) {
        let new = Held(value: delivery.value, linking: delivery.linking)
        replace(by: new) { _ in delivery.isCurrent }
    }
    @usableFromInline func forget(_ linking: Linking) { replace(by: Held()) { $0.linking == linking } }

    /// What is replaced is let go of when the lock is: its end may be the user's code.
    private func replace(by new: Held, if condition: (Held) -> Bool) {
        let old = held.withLock { held -> Held? in
            guard condition(held) else { return nil }
            let old = held
            held = new
            return old
        }
        withExtendedLifetime(old) {}
    }
}
