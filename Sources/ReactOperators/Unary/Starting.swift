import ReactCore

extension Node {
    /// "Start": `value` at once, then this node's values.
    ///
    /// If this node holds a value, it follows `value` before `starting` returns. O(1) for each value; runs on the
    /// thread that sets the value.
    ///
    ///     let answer = MutableNode<String>()
    ///     let shown = answer.starting(with: "…")
    ///     print(shown.current)        // …
    ///     answer.value = "42"
    ///     print(shown.current)        // 42
    @inlinable @inline(never) public func starting(with value: Value) -> Node<Value> {
        let result = Node(value)
        let start = OperatorTransform<Value, Value>(name: "Start") {
            let delivery = EdgeCall<Value, Value>($0)
            return delivery.send(delivery.value)
        }
        result.follow(self, by: start)
        return result
    }
}
