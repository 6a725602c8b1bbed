import ReactCore

extension Node where Value == Bool {
    /// "After": false at first, and true when `interval` is over.
    ///
    /// Use it for values that change at a given time, and for "until".
    ///
    ///     let clock = VirtualScheduler()
    ///     let isOver = Node.after(.seconds(60), on: clock)
    ///     clock.advance(by: .seconds(59))
    ///     print(isOver.current)           // false
    ///     clock.advance(by: .seconds(1))
    ///     print(isOver.current)           // true
    ///
    /// An interval of zero or less is over at once, so the rest of a time that has gone by may be passed. If the time
    /// is a node itself, choose the node by `flattenMap`: `rest.flattenMap { .after($0, on: clock) }`.
    ///
    /// **Lifetime.** The timer keeps nothing alive. It is cancelled when the node goes or its upstream transform is
    /// cut.
    ///
    /// - Parameters:
    ///   - interval: The time until the node changes, by the scheduler's clock.
    ///   - scheduler: The scheduler on which everything downstream of the change runs. It is held as long as the node
    ///     lives.
    /// - Returns: A new immutable node.
    /// - Complexity: One timer.
    public static func after(_ interval: Duration, on scheduler: some Scheduler) -> Node<Bool> {
        guard interval > .zero else { return Node(true) }
        let edge = TimerEdge<Bool, Bool>(
            name: "After", TimeoutPolicy(interval: interval), on: scheduler,
            ownValue: "made a value, because its time had come", making: { _ in true }, wrapping: { $0 })
        // An edge without a source sends nothing, so the edge leads from a node that stays empty.
        return edge.link(Node(false), to: Node<Bool>().named("after"))
    }
}
