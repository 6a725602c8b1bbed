import ReactCore

extension Node {
    /// Returns a new node with the phases of the work that `transform` does for each value.
    func working<Output>(
        _ name: String, _ rule: WorkPolicy.Rule, _ priority: TaskPriority?, _ executor: (any TaskExecutor)?,
        _ transform: @escaping @Sendable (Value) async throws -> Output
    ) -> Node<TaskPhase<Output>> {
        let node = Node<TaskPhase<Output>>()
        node.link(to: self, transform: WorkEdge(name, rule, priority, executor.forOperators, transform))
        return node
    }
}
