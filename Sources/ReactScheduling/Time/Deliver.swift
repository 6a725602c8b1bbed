import ReactCore

extension Node {
    /// "Deliver": passes values on by `scheduler`, in order.
    ///
    ///     let scheduler = VirtualScheduler()
    ///     let delivered = MutableNode(1).deliver(on: scheduler)
    ///     print(delivered.value ?? 0)                 // 0
    ///     scheduler.advance()
    ///     print(delivered.value ?? 0)                 // 1
    ///
    /// Everything downstream runs on the scheduler too, up to the next `deliver`: in `source.deliver(on:
    /// queue).map(decode)`, `decode` runs on `queue`. Each value is a piece of work of its own, in its place among the
    /// other work of the scheduler. The new node is empty until the first piece has run.
    ///
    /// **Order.** Values arrive in the order in which this node delivered them, one at a time, on a concurrent queue
    /// too. If the new node's graph stays busy for longer than a set waits, they wait, and the scheduler is asked again
    /// when the graph has been free.
    ///
    /// **Sets.** Each value that is passed on is a set of its own. So a combination of two delivered nodes shows one
    /// new and one old value in between, even if a batch has set both. Put this operator behind the combination
    /// instead.
    ///
    /// **Lifetime.** Values under way keep neither this node nor the new one alive. They are dropped when the new node
    /// is released, when the transform is cut, and when its `from` changes. If its `to` changes, they are dropped as
    /// well, and the present value goes to the new node. After `from =`, `to =` or `cancel()` returns, no earlier value
    /// arrives.
    ///
    /// **Emptiness.** Emptying this node is not passed on, and drops nothing: values under way still arrive.
    ///
    /// **Context and sender list** travel along, so a ring with a `deliver` in it ends.
    ///
    /// - Parameter scheduler: The scheduler on which everything downstream runs. It is held as long as the new node
    ///   lives.
    /// - Returns: A new immutable node, empty until the first value has arrived.
    /// - Complexity: One piece of scheduled work for each value, and O(1) besides.
    public func deliver(on scheduler: some Scheduler) -> Node<Value> {
        following(by: LaterEdge(name: "Deliver", EachPolicy(work: .soon), on: scheduler))
    }

    /// "Deliver" on the main queue: `deliver(on:)` with the scheduler `.main`.
    ///
    /// Needs a running main queue. An app has one; a plain command-line tool calls `dispatchMain()` or runs
    /// `RunLoop.main`. Until then, values wait.
    public func deliverOnMainQueue() -> Node<Value> { deliver(on: .main) }
}
