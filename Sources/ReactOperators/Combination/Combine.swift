import ReactCore

// Each number of nodes up to nine has an overload of its own: closures behind a pack take the compiler long to type-check,
// and Swift 6.3 compiles what is called for each element of a pack unspecialised, at three times the cost. Those of three
// to nine are in CombineOverloads.swift.

/// "Combine": the newest value of each, once each has one; a new tuple whenever any changes, once per set (see `MutableNode`)
/// and once per `batch`.
///
/// It fires after everything else that the set reaches, and after any `combine` upstream of it, so no listener ever sees
/// the new value of one beside the old value of another. The context is that of the newest arrival; the sender list names what
/// all that arrived has come through, and to none of that does the tuple return.
///
/// It has its first value when the call returns, if every input has one. That is made of the values that the inputs hold then. If
/// another thread is in the middle of a set or batch that has changed one of the inputs, the call waits for its end, for 10 ms at
/// most, so that the first value shows no half of it. In a listener or a batch of one's own nothing is waited for. Whatever a set or
/// batch has yet to bring makes the combination fire again at its end.
///
/// If what it leads to, or `transform`, sets one of the inputs, it fires again: 100,000 times in one set or batch at most, after which
/// the process ends.
/// An `effect`, or a listener of a `settled` node, sets after everything else: an input that it keeps up to date has the combination
/// fire twice a set, at first with the old value. Use `computed` or `combine` instead to derive one input from another.
/// Emptying one of the nodes leaves its last value in place. Cutting any one of its transforms silences the combination.
/// O(n) for each tuple.
///
///     let width = MutableNode(3), height = MutableNode(4)
///     let area = combine(width, height).mapEach { $0 * $1 }
///     batch { width.value = 5; height.value = 6 }
///     print(area.current)      // 30
@inlinable public func combine<A, B>(_ a: Node<A>, _ b: Node<B>) -> Node<(A, B)> {
    let type = Node<(A, B)>.self
    let slots = (slot(for: a, in: type), slot(for: b, in: type))
    let (combined, join) = type.joining(inputs: 2) {
        $1.fire($0, with: (slots.0.newest, slots.1.newest))
    }
    combined.join(join, slots.0, a)
    combined.join(join, slots.1, b)
    return combined
}
/// "Combine" by a function: one node less than `combine(a, b).mapEach { … }`, and otherwise the same.
///
/// `transform` is called with the newest value of each, once a set, on the thread that sets the value, one call at a time,
/// with no lock held.
///
///     let price = MutableNode(20), quantity = MutableNode(3)
///     let net = combine(price, quantity) { $0 * $1 }
///     print(net.current)       // 60
@inlinable public func combine<A, B, Output>(
    _ a: Node<A>, _ b: Node<B>,
    transform: @escaping @Sendable (A, B) -> Output
) -> Node<Output> {
    let type = Node<Output>.self
    let slots = (slot(for: a, in: type), slot(for: b, in: type))
    let (combined, join) = type.joining(inputs: 2) {
        $1.fire($0, with: (slots.0.newest, slots.1.newest)) {
            transform($0.0, $0.1)
        }
    }
    combined.join(join, slots.0, a)
    combined.join(join, slots.1, b)
    return combined
}
/// "Combine" of any number of nodes of one type: their newest values, in the order of `nodes`, once each has one.
///
/// Fires as the combination of two does. A combination of no nodes holds `[]`, and never changes. The sequence is gone through
/// once, before the call returns. O(n) for each array.
///
///     let cells = [1, 2, 3].map { MutableNode($0) }
///     let sum = combine(cells).map { $0.reduce(0, +) }
///     cells[0].value = 10
///     print(sum.current)       // 15
@inlinable public func combine<Value>(_ nodes: some Sequence<Node<Value>>) -> Node<[Value]> {
    Node.combine(Array(nodes))
}
/// "Combine" of any number of mutable nodes of one type.
@_disfavoredOverload
@inlinable public func combine<Value>(_ nodes: some Sequence<MutableNode<Value>>) -> Node<[Value]> {
    Node.combine(Array(nodes))
}

extension Node {
    /// "Combine": the newest values of all, in the order of `nodes`, once each has one.
    ///
    /// The function `combine` takes any sequence of nodes, and does what this does. A combination of no nodes holds `[]`.
    /// O(n) for each array.
    ///
    ///     let cells = [1, 2, 3].map { MutableNode($0) }
    ///     let sum = Node.combine(cells).map { $0.reduce(0, +) }
    ///     cells[0].value = 10
    ///     print(sum.current)       // 15
    @inlinable public static func combine(_ nodes: [Node<Value>]) -> Node<[Value]> {
        if nodes.isEmpty { return Node<[Value]>([]) }
        let slots = nodes.map { slot(for: $0, in: Node<[Value]>.self) }
        let spare = SpareArray<Value>(capacity: slots.count)
        let (combined, join) = Node<[Value]>.joining(inputs: nodes.count) { join, propagation in
            propagation.fire(join, withAll: slots, in: spare)
        }
        for (slot, node) in Swift.zip(slots, nodes) { combined.join(join, slot, node) }
        return combined
    }
    /// "Combine" with one other node; for more, see the function `combine`.
    ///
    ///     let a = MutableNode(1), b = MutableNode(2)
    ///     let sum = a.combine(b).mapEach { $0 + $1 }
    ///     print(sum.current)       // 3
    @inlinable public func combine<Other>(_ other: Node<Other>) -> Node<(Value, Other)> {
        ReactOperators.combine(self, other)
    }
}

/// The slot for one of the inputs of a combination that is to be made.
@inlinable @inline(__always) func slot<Value, Output>(
    for input: Node<Value>, in type: Node<Output>.Type
) -> JoinSlot<Value, Output> {
    JoinSlot("Combine", from: input, to: type)
}
