import ReactCore

extension Node {
    /// "Collect": an array of the values of each interval, and nothing for an interval without a value.
    ///
    ///     let clock = VirtualScheduler(), screen = Lifetime()
    ///     let lines = MutableNode<String>()
    ///     lines.collect(every: .seconds(1), on: clock).listened(by: screen).with { print($0) }
    ///     lines.value = "a"
    ///     lines.value = "b"
    ///     clock.advance(by: .seconds(1))          // ["a", "b"]
    ///     clock.advance(by: .seconds(10))
    ///     lines.value = "c"
    ///     clock.advance(by: .seconds(1))          // ["c"]
    ///
    /// An interval begins with a value, or at the end of an interval that had values. No value therefore waits longer
    /// than an interval, and no timer runs while no value comes. No value is lost, and none comes twice.
    ///
    /// **Threads and order.** The arrays are delivered by the scheduler, one at a time, in order, on a concurrent queue
    /// too. If the scheduler has a clock to read, the next interval begins at the end of the last one. Otherwise it
    /// begins when the array has been passed on.
    ///
    /// **Lifetime.** Values that wait keep neither this node nor the new one alive. They are dropped, and the timer
    /// cancelled, when the new node is released, when the transform is cut, and when either of its ends changes.
    ///
    /// **Emptiness.** Emptying this node is not passed on, and drops nothing.
    ///
    /// **Context and sender list** are those of an array's last value.
    ///
    /// - Parameters:
    ///   - interval: The length of an interval, by the scheduler's clock.
    ///   - scheduler: The scheduler on which everything downstream runs. It is held as long as the new node lives.
    ///   - file: The file of the call, which the message of a trap names.
    ///   - line: The line of the call.
    /// - Returns: A new immutable node, empty until the first interval is over.
    /// - Precondition: `interval` is greater than zero.
    /// - Complexity: O(1) amortised for each value, and one timer for each interval in which values come.
    public func collect(
        every interval: Duration, on scheduler: some Scheduler, file: StaticString = #fileID, line: UInt = #line
    ) -> Node<[Value]> {
        interval.requirePositive("collect", "Pass the time whose values make one array", file, line)
        return following(
            by: CollectingEdge(name: "Collect", CollectPolicy(interval: interval), on: scheduler, together: true))
    }
}
