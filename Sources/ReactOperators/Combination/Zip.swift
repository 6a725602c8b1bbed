import ReactCore

/// "Zip": the first values of each together, then the second values, and so on. What has no partner yet waits.
///
/// What waits, waits without limit, and is held meanwhile: by design, for nothing else would pair every value. Where one
/// node is much faster than another, put `throttle` or `filter` before it, or use `combine`. Event by event: each complete
/// row is passed on at once, with the context and sender list of the value that completed it; rows go downstream in
/// order, whichever threads complete them.
///
/// Cutting any one of its transforms silences it, and what that one had waiting is gone; the others' values still wait,
/// for what comes when it is linked again. O(n) for each row, O(1) amortised for a value that waits.
///
///     let question = MutableNode("1 + 1?"), answer = MutableNode<Int>()
///     let pair = zip(question, answer)
///     question.value = "2 + 2?"
///     answer.value = 2
///     print(pair.value!)      // ("1 + 1?", 2)
///     answer.value = 4
///     print(pair.value!)      // ("2 + 2?", 4)
@inlinable public func zip<each T: Sendable>(_ node: repeat Node<each T>) -> Node<(repeat each T)> {
    var count = 0
    repeat countOne(&count, each node)
    let (zipped, row) = Node<(repeat each T)>.gathering(slots: count)
    let slots = (repeat RowSlot<each T>(row))
    let takeRow: @Sendable () -> (repeat each T) = { (repeat (each slots).take()) }
    repeat zipped.gather(each node, each slots, name: "Zip", takeRow)
    return zipped
}

/// "Zip" of two: the same as for any number, which it is an overload of for speed.
///
///     let left = MutableNode(1), right = MutableNode("one")
///     print(zip(left, right).value!)      // (1, "one")
// Three times as fast, for Swift 6.3 does not compile a pack for its types.
@inlinable @inline(__always) public func zip<First, Second>(
    _ first: Node<First>, _ second: Node<Second>
) -> Node<(First, Second)> {
    first.zip(second)
}

extension Node {
    /// "Zip": the first values of all, in the order of `nodes`, then the second values, and so on.
    ///
    /// The same as the function `zip`, for any number of nodes of one type. Of no nodes at all, it stays empty.
    ///
    ///     let players = ["a", "b"].map { MutableNode($0) }
    ///     print(Node.zip(players).value!)     // ["a", "b"]
    @inlinable @inline(__always) public static func zip(_ nodes: [Node<Value>]) -> Node<[Value]> {
        let (zipped, row) = Node<[Value]>.gathering(slots: nodes.count)
        let slots = nodes.map { _ in RowSlot<Value>(row) }
        for (node, slot) in Swift.zip(nodes, slots) {
            zipped.gather(node, slot, name: "Zip") { slots.map { $0.take() } }
        }
        return zipped
    }
    /// "Zip" with one other node; for more, see the function `zip`.
    ///
    ///     let question = MutableNode("1 + 1?"), answer = MutableNode(2)
    ///     print(question.zip(answer).value!)      // ("1 + 1?", 2)
    @inlinable @inline(__always) public func zip<Other>(_ other: Node<Other>) -> Node<(Value, Other)> {
        let (zipped, row) = Node<(Value, Other)>.gathering(slots: 2)
        let first = RowSlot<Value>(row)
        let second = RowSlot<Other>(row)
        zipped.gather(self, first, name: "Zip") { (first.take(), second.take()) }
        zipped.gather(other, second, name: "Zip") { (first.take(), second.take()) }
        return zipped
    }
}
