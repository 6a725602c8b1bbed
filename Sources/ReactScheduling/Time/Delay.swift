import ReactCore

extension Node {
    /// "Delay": passes every value on after `interval`, in order.
    ///
    ///     let scheduler = VirtualScheduler()
    ///     let source = MutableNode(1)
    ///     let later = source.delay(.seconds(2), on: scheduler)
    ///     scheduler.advance(by: .seconds(1))
    ///     source.value = 2
    ///     scheduler.advance(by: .seconds(1))
    ///     print(later.value ?? 0)                     // 1
    ///     scheduler.advance(by: .seconds(1))
    ///     print(later.value ?? 0)                     // 2
    ///
    /// **Order.** Values arrive in the order in which this node delivered them, one at a time, on a concurrent queue
    /// too.
    ///
    /// **Sets.** Each value that is passed on is a set of its own. So a combination of two delayed nodes shows one new
    /// and one old value in between, even if a batch has set both. Put this operator behind the combination instead.
    ///
    /// **Lifetime.** Values under way keep neither this node nor the new one alive. They are dropped, and their timers
    /// cancelled, when the new node is released, when the transform is cut, and when its `from` changes. If its `to`
    /// changes, they are dropped as well, and the present value waits for its time. After `from =`, `to =` or
    /// `cancel()` returns, no earlier value arrives.
    ///
    /// **Emptiness.** Emptying this node is not passed on, and drops nothing: values under way still arrive.
    ///
    /// **Context and sender list** travel along, so a ring with a `delay` in it ends.
    ///
    /// - Parameters:
    ///   - interval: The time for which each value waits, by the scheduler's clock.
    ///   - scheduler: The scheduler on which everything downstream runs. It is held as long as the new node lives.
    ///   - file: The file of the call, which the message of a trap names.
    ///   - line: The line of the call.
    /// - Returns: A new immutable node, empty until the first value has arrived.
    /// - Precondition: `interval` is greater than zero.
    /// - Complexity: One timer for each value, and O(1) besides.
    public func delay(
        _ interval: Duration, on scheduler: some Scheduler, file: StaticString = #fileID, line: UInt = #line
    ) -> Node<Value> {
        interval.requirePositive("delay", "deliver(on:) passes values on at once", file, line)
        return following(by: LaterEdge(name: "Delay", EachPolicy(work: .after(interval)), on: scheduler))
    }

    /// "Delay" on the main queue: `delay(_:on:)` with the scheduler `.main`.
    ///
    /// Needs a running main queue. An app has one; a plain command-line tool calls `dispatchMain()` or runs
    /// `RunLoop.main`. Until then, values wait.
    public func delayOnMainQueue(
        _ interval: Duration, file: StaticString = #fileID, line: UInt = #line
    ) -> Node<Value> {
        delay(interval, on: .main, file: file, line: line)
    }
}
