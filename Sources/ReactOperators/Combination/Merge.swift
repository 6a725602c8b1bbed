import ReactCore

/// "Link" from each of `nodes`: passes on every value of every node.
///
/// Starts with the value of the last node that has one. Each value passes by itself, so a set that reaches two of the
/// nodes is heard twice. If you cut one transform, the others stay. A merge of no nodes stays empty. O(1) for each
/// value; runs on the thread that sets the value.
///
///     let left = MutableNode("l"), right = MutableNode("r")
///     let key = merge(left, right)
///     print(key.current)       // r
///     left.value = "L"
///     print(key.current)       // L
@inlinable @inline(never) public func merge<Value>(_ nodes: Node<Value>...) -> Node<Value> { Node.merge(nodes) }
/// "Link" from each of two nodes: passes on every value of both. See `merge` of any number of nodes.
///
///     let left = MutableNode("l"), right = MutableNode("r")
///     print(merge(left, right).current)       // r
@inlinable @inline(never) public func merge<Value>(_ a: Node<Value>, _ b: Node<Value>) -> Node<Value> { a.merge(b) }
/// "Link" from each of any number of nodes: passes on every value of every node.
///
/// Starts with the value of the last node that has one. A merge of no nodes stays empty. The sequence is iterated once,
/// before the call returns. O(1) for each value; runs on the thread that sets the value.
///
///     let keys = ["a", "b"].map { MutableNode($0) }
///     print(merge(keys).current)      // b
@inlinable public func merge<Value>(_ nodes: some Sequence<Node<Value>>) -> Node<Value> { Node.merge(Array(nodes)) }
/// "Link" from each of any number of mutable nodes: passes on every value of every node.
@_disfavoredOverload
@inlinable public func merge<Value>(_ nodes: some Sequence<MutableNode<Value>>) -> Node<Value> {
    Node.merge(Array(nodes))
}

extension Node {
    /// "Link" from each of `nodes`: works like the function `merge`, which takes any sequence of nodes.
    ///
    ///     let keys = ["a", "b"].map { MutableNode($0) }
    ///     print(Node.merge(keys).current)      // b
    @inlinable @inline(never) public static func merge(_ nodes: [Node<Value>]) -> Node<Value> {
        let merged = Node<Value>()
        for node in nodes { merged.follow(node, by: LinkTransform()) }
        return merged
    }
    /// "Link" from this node and from each of `others`: passes on every value of every one of them.
    ///
    ///     let left = MutableNode("l"), right = MutableNode("r")
    ///     print(left.merge(right).current)     // r
    @inlinable @inline(never) public func merge(_ others: Node<Value>...) -> Node<Value> {
        Node.merge([self] + others)
    }
    /// "Link" from this node and from another: passes on every value of both.
    ///
    /// Most merges have two nodes. With an array of the others, each call takes a client twice as long to compile.
    ///
    ///     let left = MutableNode("l"), right = MutableNode("r")
    ///     print(left.merge(right).current)     // r
    @inlinable @inline(never) public func merge(_ other: Node<Value>) -> Node<Value> {
        let merged = Node<Value>()
        merged.follow(self, by: LinkTransform())
        merged.follow(other, by: LinkTransform())
        return merged
    }
}
