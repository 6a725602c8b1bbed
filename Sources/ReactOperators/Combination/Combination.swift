import ReactCore

/// A combination that is being made.
@usableFromInline struct Combination<Output: Sendable> {
    /// Connects the inputs.
    @usableFromInline var connects: [(Node<Output>, Join) -> Void] = []

    @inlinable init() { connects.reserveCapacity(4) }

    /// Makes `source` the next input, and returns that.
    @inlinable @inline(never) mutating func add<Input>(_ source: Node<Input>) -> JoinInput<Input, Output> {
        let input = JoinInput("Combine", from: source, to: Node<Output>.self)
        connects.append { $0.join($1, input, source) }
        return input
    }
    /// Connects the inputs, and returns the node. `fire` stores the value that is made of their newest ones.
    @inlinable @inline(never) func begin(_ fire: @escaping Join.Fire) -> Node<Output> {
        let (node, join) = Node<Output>.joining(inputs: connects.count, fire)
        for connect in connects { connect(node, join) }
        return node
    }
}
