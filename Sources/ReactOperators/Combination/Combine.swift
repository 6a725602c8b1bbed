import ReactCore

// Each number of nodes up to nine has an overload of its own. The compiler type-checks closures behind a parameter pack
// slowly. Swift 6.3 does not specialise the calls made for each element of a pack, which triples their cost. The
// overloads for three to nine nodes are in CombineOverloads.swift and CombineByFunction.swift.

/// "Combine": the newest values of two nodes as a tuple, once both have a value.
///
/// The result changes once per set (see `MutableNode`) and once per `batch`, whichever inputs change. It fires after
/// everything else that the set reaches, and after every `combine` upstream of it. Listeners therefore never see the
/// new value of one input beside the old value of another. The tuple carries the context of the newest arrival. Its
/// sender list names every node that one of the arrived values has passed, and the tuple returns to none of them. One
/// exception: if an input goes or is pointed elsewhere before the combination fires, the tuple may return to a node
/// that the values of other inputs have passed.
///
/// If both inputs have a value, the result has its first value when the call returns, made of the values that the
/// inputs hold then. The call waits while another thread works in the graph of an input, as a set does (see *Threads
/// and order*). If the wait ends first, the first value may show half of that thread's batch, and the combination fires
/// again when it is linked.
///
/// The combination fires again if a listener downstream of it, or `transform`, sets one of the inputs. After 100,000
/// such firings in one set or batch, the process ends with a message.
///
/// An `effect`, or a listener of a `settled` node, sets after everything else. If it keeps an input up to date, the
/// combination fires twice in a set, at first with that input's old value. To derive one input from another, use
/// `computed` or `combine` instead.
///
/// An input that is emptied counts as missing until it has a value again: meanwhile, the result stays as it is. A tuple
/// that is made of a pulse has the pulse's value. After that, the combination uses the value that the input has again,
/// and an input that is empty again counts as missing. If an input's edge is cut, the combination stops updating. O(n)
/// for each tuple of n values.
///
///     let width = MutableNode(3), height = MutableNode(4)
///     let area = combine(width, height).mapEach { $0 * $1 }
///     batch { width.value = 5; height.value = 6 }
///     print(area.current)      // 30
@inlinable @inline(never) public func combine<A, B>(_ a: Node<A>, _ b: Node<B>) -> Node<(A, B)> {
    combine(a, b) { ($0, $1) }
}
/// "Combine" by a function: the result of `transform` for the newest values of two nodes.
///
/// Makes one node less than `combine(a, b).mapEach { … }`. `transform` is called once a set, on the thread that sets
/// the value, one call at a time, with no lock held. See `combine` of two nodes for the rest. A closure for ten or more
/// nodes needs two statements, because Swift gives up type-checking one expression.
///
///     let price = MutableNode(20), quantity = MutableNode(3)
///     let net = combine(price, quantity) { $0 * $1 }
///     print(net.current)       // 60
@inlinable public func combine<A, B, Output>(
    _ a: Node<A>, _ b: Node<B>, transform: @escaping @Sendable (A, B) -> Output
) -> Node<Output> {
    var join = Combination<Output>()
    let a = join.add(a), b = join.add(b)
    return join.begin { $1.fire($0, making: transform(a.newest, b.newest)) }
}
/// "Combine" of any number of nodes of one type: their newest values, in the order of `nodes`, once each has one.
///
/// Fires as the combination of two nodes does. A combination of no nodes holds `[]` and never changes. The sequence is
/// iterated once, before the call returns. O(n) for each array.
///
///     let cells = [1, 2, 3].map { MutableNode($0) }
///     let sum = combine(cells).map { $0.reduce(0, +) }
///     cells[0].value = 10
///     print(sum.current)       // 15
@inlinable public func combine<Value>(_ nodes: some Sequence<Node<Value>>) -> Node<[Value]> {
    Node.combine(Array(nodes))
}
/// "Combine" of any number of mutable nodes of one type: their newest values, in the order of `nodes`, once each has
/// one.
@_disfavoredOverload
@inlinable public func combine<Value>(_ nodes: some Sequence<MutableNode<Value>>) -> Node<[Value]> {
    Node.combine(Array(nodes))
}

extension Node {
    /// "Combine" of an array of nodes: their newest values, in the order of `nodes`, once each has one.
    ///
    /// Works like the function `combine`, which takes any sequence of nodes. A combination of no nodes holds `[]`. O(n)
    /// for each array.
    ///
    ///     let cells = [1, 2, 3].map { MutableNode($0) }
    ///     let sum = Node.combine(cells).map { $0.reduce(0, +) }
    ///     cells[0].value = 10
    ///     print(sum.current)       // 15
    @inlinable public static func combine(_ nodes: [Node<Value>]) -> Node<[Value]> {
        if nodes.isEmpty { return Node<[Value]>([]) }
        var join = Combination<[Value]>()
        let inputs = nodes.map { join.add($0) }
        let spare = SpareArray<Value>(capacity: inputs.count)
        return join.begin { spare.fire($0, withAll: inputs, in: $1) }
    }
    /// "Combine" of this node and `other`: a tuple of their newest values, once both have one.
    ///
    /// For more nodes, use the function `combine`.
    ///
    ///     let a = MutableNode(1), b = MutableNode(2)
    ///     let sum = a.combine(b).mapEach { $0 + $1 }
    ///     print(sum.current)       // 3
    @inlinable public func combine<Other>(_ other: Node<Other>) -> Node<(Value, Other)> {
        ReactOperators.combine(self, other)
    }
}
