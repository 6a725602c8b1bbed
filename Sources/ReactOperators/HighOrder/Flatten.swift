import ReactCore

extension Node {
    /// "Flatten": the values of the node that this node holds.
    ///
    /// The result is empty while that inner node is empty, and when this node is emptied. When this node is set, the
    /// result leaves the old inner node and takes the new one's present value. That value arrives with the context and
    /// sender list of the set. Later values of the inner node arrive with their own. Setting the same inner node again
    /// passes its value on again. But if that value is on its way from the inner node, or has come from there in the
    /// same set, it arrives once, from there.
    ///
    /// A set may reach the old inner node before it leads to a new one. Then the old one's value arrives first, and the
    /// new one's value arrives if it differs by `==`. If `Inner` is not `Equatable`, both arrive, unless the two nodes
    /// have their values from one node by `fork`, `case` or `link`.
    ///
    /// The result holds the inner node. O(1) for each value; runs on the thread that sets the value.
    ///
    ///     let a = MutableNode(1), b = MutableNode(2)
    ///     let followed = MutableNode<Node<Int>>(a)
    ///     let flat = followed.flatten()
    ///     followed.value = b
    ///     a.value = 10
    ///     print(flat.current)      // 2
    ///     b.value = 20
    ///     print(flat.current)      // 20
    @inlinable @inline(never) public func flatten<Inner>() -> Node<Inner> where Value: Node<Inner> {
        followed("Flatten") { $0 }
    }
    /// Returns a node that follows the node that `choose` returns for the newest value.
    @inlinable @inline(__always) func followed<Inner>(
        _ name: String, _ choose: @escaping @Sendable (Value) -> Node<Inner>
    ) -> Node<Inner> {
        let result = Node<Inner>()
        let following = Following<Inner>(passingEmptiness: true)
        following.begin(name, from: self, to: result) {
            let delivery = EdgeCall<Value, Inner>($0)
            return following.follow(choose(delivery.value), delivery)
        }
        return result
    }
}
