import ReactCore

/// The value of each interval that `sample` passes on.
public enum SampleChoice: Sendable {
    /// The first value. Values that come within the interval after it are dropped, such as the second tap of a double
    /// tap.
    case first
    /// The newest value. Values that come within the interval are held back, and the last one is passed on when the
    /// interval is over.
    case newest
}

extension Node {
    /// "Sample": passes on at most one value an interval, the first at once, then the newest.
    ///
    ///     let scheduler = VirtualScheduler(), lifetime = Lifetime()
    ///     let position = MutableNode(0)
    ///     position.sample(every: .seconds(1), on: scheduler).listened(by: lifetime).with { print($0) }     // 0
    ///     position.value = 1
    ///     position.value = 2
    ///     scheduler.advance(by: .seconds(1))          // 2
    ///     scheduler.advance(by: .seconds(1))
    ///     position.value = 3                          // 3
    ///
    /// Other libraries call it `throttle` with `latest: true`. After a value has been passed on, values that come
    /// within the interval are held back, and each replaces the one before it. The last one is passed on when the
    /// interval is over. If none has come by then, the next value is passed on at once.
    ///
    /// With `keeping: .first`, values within the interval are dropped instead, and nothing is passed on when the
    /// interval is over:
    ///
    ///     let clock = VirtualScheduler(), screen = Lifetime(), taps = MutableNode<String>()
    ///     taps.sample(every: .milliseconds(300), on: clock, keeping: .first).listened(by: screen).with { print($0) }
    ///     taps.value = "tap"                          // tap
    ///     clock.advance(by: .milliseconds(200))
    ///     taps.value = "double tap"
    ///     clock.advance(by: .milliseconds(100))
    ///     taps.value = "another tap"                  // another tap
    ///
    /// **Threads.** A value that is passed on at once is delivered by the thread that sets it. A value that was held
    /// back is delivered by the scheduler. To have all values delivered in one place, put `deliver(on:)` behind this
    /// operator.
    ///
    /// **Order.** Values are passed on one at a time, in the order in which they came, on a concurrent queue too.
    ///
    /// **Lifetime.** The pending value keeps neither this node nor the new one alive. It is dropped, and the timer
    /// cancelled, when the new node is released, when the transform is cut, and when either of its ends changes. The
    /// operator then starts over, and the next value is passed on at once. After `from =`, `to =` or `cancel()`
    /// returns, no earlier value arrives.
    ///
    /// **Emptiness.** Emptying this node is not passed on, and is no newer value: the pending one still arrives.
    ///
    /// **Context and sender list** are those of the value that is passed on.
    ///
    /// - Parameters:
    ///   - interval: The least time between two values, by the scheduler's clock.
    ///   - scheduler: The scheduler on which everything downstream of a held-back value runs. It is held as long as the
    ///     new node lives.
    ///   - choice: The value of each interval to pass on. The default is the newest.
    ///   - file: The file of the call, which the message of a trap names.
    ///   - line: The line of the call.
    /// - Returns: A new immutable node.
    /// - Precondition: `interval` is greater than zero.
    /// - Complexity: O(1) for each value, and one timer for each interval in which values come.
    public func sample(
        every interval: Duration, on scheduler: some Scheduler, keeping choice: SampleChoice = .newest,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Node<Value> {
        interval.requirePositive(
            "sample", "Pass the least time between two values; deliver(on:) passes on every value", file, line)
        let policy = SamplePolicy(interval: interval, keepsFirst: choice == .first)
        return following(by: LaterEdge(name: "Sample", policy, on: scheduler))
    }
}
