import ReactCore

// Each number of nodes up to nine has an overload of its own, as in Combine.swift. Those of three to nine are in
// ZipOverloads.swift.

/// "Zip": the first values of two nodes as a tuple, then their second values, and so on.
///
/// A value without a partner waits. Values wait without limit, because every value has to find its partner. If one node
/// is much faster than the other, put `debounce` or `filter` before it, or use `combine`. Each complete row is passed
/// on at once, with the context and sender list of the value that completed it. Rows go downstream in order.
///
/// Cutting one of the transforms silences the zip and drops the values that waited there. Values of the other nodes go
/// on waiting until that transform is linked again. If the transform is cut while its node delivers, the other side's
/// first value may be dropped as well. O(n) for each row of n values, O(1) amortised for a value that
/// waits.
///
///     let question = MutableNode("1 + 1?"), answer = MutableNode<Int>()
///     let pair = zip(question, answer)
///     question.value = "2 + 2?"
///     answer.value = 2
///     print(pair.current)      // ("1 + 1?", 2)
///     answer.value = 4
///     print(pair.current)      // ("2 + 2?", 4)
@inlinable @inline(never) public func zip<A, B>(_ a: Node<A>, _ b: Node<B>) -> Node<(A, B)> {
    var zip = Zip<(A, B)>()
    let a = zip.add(a), b = zip.add(b)
    return zip.begin { (a.take(), b.take()) }
}
/// "Zip" of any number of nodes of one type: an array of their first values, in the order of `nodes`, then of their
/// second values, and so on.
///
/// Values wait for their partners as in a zip of two nodes. A zip of no nodes stays empty. The sequence is iterated
/// once, before the call returns. O(n) for each row.
///
///     let players = ["a", "b"].map { MutableNode($0) }
///     print(zip(players).current)     // ["a", "b"]
@inlinable public func zip<Value>(_ nodes: some Sequence<Node<Value>>) -> Node<[Value]> { Node.zip(Array(nodes)) }
/// "Zip" of any number of mutable nodes of one type: an array of their first values, then of their second values, and
/// so on.
@_disfavoredOverload
@inlinable public func zip<Value>(_ nodes: some Sequence<MutableNode<Value>>) -> Node<[Value]> {
    Node.zip(Array(nodes))
}

extension Node {
    /// "Zip" of an array of nodes: their first values, in the order of `nodes`, then their second values, and so on.
    ///
    /// Works like the function `zip`, which takes any sequence of nodes. A zip of no nodes stays empty.
    ///
    ///     let players = ["a", "b"].map { MutableNode($0) }
    ///     print(Node.zip(players).current)     // ["a", "b"]
    @inlinable @inline(never) public static func zip(_ nodes: [Node<Value>]) -> Node<[Value]> {
        var zip = Zip<[Value]>()
        let inputs = nodes.map { zip.add($0) }
        return zip.begin {
            var values: [Value] = []
            values.reserveCapacity(inputs.count)
            for place in inputs.indices {
                values.append(Unmanaged.passUnretained(inputs[place])._withUnsafeGuaranteedRef { $0.take() })
            }
            return values
        }
    }
    /// "Zip" of this node and `other`: a tuple of their first values, then of their second values, and so on.
    ///
    /// For more nodes, use the function `zip`.
    ///
    ///     let question = MutableNode("1 + 1?"), answer = MutableNode(2)
    ///     print(question.zip(answer).current)      // ("1 + 1?", 2)
    @inlinable public func zip<Other>(_ other: Node<Other>) -> Node<(Value, Other)> {
        ReactOperators.zip(self, other)
    }
}
