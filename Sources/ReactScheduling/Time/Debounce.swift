import ReactCore

extension Node {
    /// "Debounce": passes a value on when no newer one has come for `interval`.
    ///
    ///     let scheduler = VirtualScheduler()
    ///     let search = MutableNode("")
    ///     let query = search.debounce(.milliseconds(300), on: scheduler)
    ///     search.value = "gra"
    ///     scheduler.advance(by: .milliseconds(200))
    ///     search.value = "graph"
    ///     scheduler.advance(by: .milliseconds(299))
    ///     print(query.value ?? "-")                   // -
    ///     scheduler.advance(by: .milliseconds(1))
    ///     print(query.value ?? "-")                   // graph
    ///
    /// A value may come at the very moment at which the one before it would be passed on. It then replaces that value
    /// or comes too late to do so, depending on which the scheduler runs first.
    ///
    /// **Order.** Values are passed on one at a time, in the order in which they came, on a concurrent queue too.
    ///
    /// **Sets.** Each value that is passed on is a set of its own. So a combination of two debounced nodes shows one
    /// new and one old value in between, even if a batch has set both. Put this operator behind the combination
    /// instead.
    ///
    /// **Re-entrancy.** No lock is held while a value is passed on: a listener may set this node.
    ///
    /// **Lifetime.** The pending value keeps neither this node nor the new one alive. It is dropped, and its timer
    /// cancelled, when the new node is released, when the transform is cut, and when its `from` changes. If its `to`
    /// changes, the pending value is dropped as well, and the present one waits for its time. After `from =`, `to =` or
    /// `cancel()` returns, no earlier value arrives.
    ///
    /// **Emptiness.** Emptying this node is not passed on, and is no newer value: the pending one still arrives.
    ///
    /// **Context and sender list** are those of the value that is passed on.
    ///
    /// - Parameters:
    ///   - interval: The time without a newer value after which a value is passed on, by the scheduler's clock.
    ///   - scheduler: The scheduler on which everything downstream runs. It is held as long as the new node lives.
    ///   - file: The file of the call, which the message of a trap names.
    ///   - line: The line of the call.
    /// - Returns: A new immutable node, empty until the first value has been passed on.
    /// - Precondition: `interval` is greater than zero.
    /// - Complexity: O(1) for each value. If the scheduler releases cancelled work, at most one timer is pending,
    ///   however many values come. If it also has a clock to read (`clockReading`), values that come while the timer
    ///   runs make no timer of their own.
    public func debounce(
        _ interval: Duration, on scheduler: some Scheduler, file: StaticString = #fileID, line: UInt = #line
    ) -> Node<Value> {
        debounced(by: interval, on: scheduler, operation: "debounce", file, line)
    }

    /// "Throttle": others call this `debounce`, and their `throttle` is `sample(every:on:)` here.
    ///
    /// Passes a value on when no newer one has come for `interval`, as `debounce` does here, too. The name is that of
    /// EasyReact for Objective-C. The `throttle` of others passes on at most one value an interval.
    ///
    /// - Parameters:
    ///   - interval: The time without a newer value after which a value is passed on, by the scheduler's clock.
    ///   - scheduler: The scheduler on which everything downstream runs. It is held as long as the new node lives.
    ///   - file: The file of the call, which the message of a trap names.
    ///   - line: The line of the call.
    /// - Returns: A new immutable node, empty until the first value has been passed on.
    /// - Precondition: `interval` is greater than zero.
    public func throttle(
        _ interval: Duration, on scheduler: some Scheduler, file: StaticString = #fileID, line: UInt = #line
    ) -> Node<Value> {
        debounced(by: interval, on: scheduler, operation: "throttle", file, line)
    }

    /// "Throttle" on the main queue, which others call `debounce`: `throttle(_:on:)` with the scheduler `.main`.
    ///
    /// Needs a running main queue. An app has one; a plain command-line tool calls `dispatchMain()` or runs
    /// `RunLoop.main`. Until then, the value waits.
    public func throttleOnMainQueue(
        _ interval: Duration, file: StaticString = #fileID, line: UInt = #line
    ) -> Node<Value> {
        throttle(interval, on: .main, file: file, line: line)
    }

    private func debounced(
        by interval: Duration, on scheduler: some Scheduler, operation: String, _ file: StaticString, _ line: UInt
    ) -> Node<Value> {
        interval.requirePositive(
            operation, "Pass the time for which no newer value may come; deliver(on:) passes on every value", file, line
        )
        let name = operation.prefix(1).uppercased() + operation.dropFirst()
        return following(by: LaterEdge(name: name, DebouncePolicy(interval: interval), on: scheduler))
    }
}
