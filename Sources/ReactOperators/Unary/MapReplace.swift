import ReactCore

extension Node {
    /// "MapReplace": `replacement` for every value.
    ///
    /// O(1) for each value. Runs on the thread that sets the value.
    ///
    ///     let tap = MutableNode<Int>()
    ///     let text = tap.mapReplace("tapped")
    ///     tap.value = 1
    ///     print(text.current)      // tapped
    @inlinable @inline(never) public func mapReplace<Output>(_ replacement: Output) -> Node<Output> {
        following("MapReplace") { EdgeCall<Value, Output>($0).send(replacement) }
    }
}
