import ReactCore

extension Node {
    /// "Fork": a node with the same values.
    ///
    /// The result cannot be set: `isMutable` is false. By its type each node is a `MutableNode`, so that `mutablify()`
    /// can return the same object. So ask `isMutable`, and not `is` or `as?`.
    ///
    /// O(1) for each value. Runs on the thread that sets the value.
    ///
    ///     let a = MutableNode(1)
    ///     let b = a.fork()
    ///     a.value = 2
    ///     print(b.current)     // 2
    ///     print(b.isMutable)   // false
    @inlinable @inline(never) public func fork() -> Node<Value> { following(by: ForkTransform()) }
}
