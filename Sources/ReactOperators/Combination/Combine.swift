import ReactCore

/// "Combine": the newest value of each, once each has one; a new tuple whenever any changes, once per set (see `MutableNode`)
/// and once per `batch`.
///
/// It fires after everything else that the set reaches, and after any `combine` upstream of it, so no listener ever sees
/// the new value of one beside the old value of another. Context and sender list are those of the newest arrival.
/// Emptying one of the nodes leaves its last value in place. Cutting any one of its transforms silences the combination.
/// O(n) for each tuple.
///
///     let width = MutableNode(3), height = MutableNode(4)
///     let area = combine(width, height).mapEach { $0 * $1 }
///     batch { width.value = 5; height.value = 6 }
///     print(area.value!)      // 30
@inlinable public func combine<each T: Sendable>(_ node: repeat Node<each T>) -> Node<(repeat each T)> {
    let slots = (repeat JoinSlot<each T>())
    var count = 0
    repeat countOne(&count, each node)
    let (combined, join) = Node<(repeat each T)>.joining(inputs: count) { join, propagation in
        propagation.fire(join, with: (repeat (each slots).newest))
    }
    repeat combined.join(join, each slots, each node, name: "Combine")
    return combined
}
/// "Combine" of two: the same as for any number, which it is an overload of for speed.
///
///     let price = MutableNode(20), quantity = MutableNode(3)
///     let net = combine(price, quantity).mapEach { $0 * $1 }
///     print(net.value!)       // 60
// Swift 6.3 compiles what is called for each element of a pack unspecialised, at three times the cost; two is the case that
// matters most.
@inlinable public func combine<First, Second>(_ first: Node<First>, _ second: Node<Second>) -> Node<(First, Second)> {
    first.combine(second)
}
@inlinable func countOne<T>(_ count: inout Int, _ node: Node<T>) { count += 1 }

extension Node {
    /// "Combine": the newest values of all, in the order of `nodes`, once each has one.
    ///
    /// The same as the function `combine`, for any number of nodes of one type. O(n) for each array.
    /// Of no nodes at all, it stays empty.
    ///
    ///     let cells = [1, 2, 3].map { MutableNode($0) }
    ///     let sum = Node.combine(cells).map { $0.reduce(0, +) }
    ///     cells[0].value = 10
    ///     print(sum.value!)       // 15
    @inlinable public static func combine(_ nodes: [Node<Value>]) -> Node<[Value]> {
        let slots = nodes.map { _ in JoinSlot<Value>() }
        let (combined, join) = Node<[Value]>.joining(inputs: nodes.count) { join, propagation in
            propagation.fire(join, with: slots.map { $0.newest })
        }
        for (slot, node) in Swift.zip(slots, nodes) { combined.join(join, slot, node, name: "Combine") }
        return combined
    }
    /// "Combine" with one other node; for more, see the function `combine`.
    ///
    ///     let a = MutableNode(1), b = MutableNode(2)
    ///     let sum = a.combine(b).mapEach { $0 + $1 }
    ///     print(sum.value!)       // 3
    @inlinable public func combine<Other>(_ other: Node<Other>) -> Node<(Value, Other)> {
        let first = JoinSlot<Value>()
        let second = JoinSlot<Other>()
        let (combined, join) = Node<(Value, Other)>.joining(inputs: 2) { join, propagation in
            propagation.fire(join, with: (first.newest, second.newest))
        }
        combined.join(join, first, self, name: "Combine")
        combined.join(join, second, other, name: "Combine")
        return combined
    }
}
