import ReactCore

extension Node {
    /// Calls `body` with this node and returns this node: for branching in the middle of a chain.
    ///
    /// Adds nothing to the graph. `body` is called once, at once.
    ///
    ///     let price = MutableNode(10), lifetime = Lifetime()
    ///     let total = price
    ///         .then { $0.filter { $0 < 0 }.listened(by: lifetime).with { print("refused: \($0)") } }
    ///         .map { $0 * 119 / 100 }
    ///     price.value = -1        // refused: -1
    @discardableResult public func then(_ body: (Node<Value>) -> Void) -> Node<Value> {
        body(self)
        return self
    }
}
