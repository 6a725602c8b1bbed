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
        let type = Node<(Value, Other)>.self
        let own = JoinInput("WithLatest", from: self, to: type), latest = JoinInput("WithLatest", from: other, to: type)
        let (result, join) = type.joining(inputs: 1, rank: .afterEffects, passesPulses: true, keepsEmptied: true) {
            latest.hasValue(in: $1) ? $1.fire($0, with: (own.newest, latest.newest)) : $1.fireNothing($0)
        }
        result.join(join, latest, other, isHeard: false)
        result.join(join, own, self)
        return result
    }
}
