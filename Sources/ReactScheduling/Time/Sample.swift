import ReactCore

/// The value of each interval that `sample` passes on.
public enum SampleChoice: Sendable {
    /// The first: values that come within the interval after it are dropped. For double taps.
    case first
    /// The newest: values that come within the interval are held back, and the last goes when the interval is over.
    case newest
}

extension Node {
    /// "Sample", elsewhere called throttle with `latest: true`: passes on at most one value an interval, the first at
    /// once, then the newest.
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
    /// When a value has been passed on, those that come within the interval are held back, each in place of the one before
    /// it, and the last goes when the interval is over. If none has come by then, the next goes at once.
    ///
    /// With `keeping: .first` they are dropped instead, and nothing goes when the interval is over:
    ///
    ///     let clock = VirtualScheduler(), screen = Lifetime(), taps = MutableNode<String>()
    ///     taps.sample(every: .milliseconds(300), on: clock, keeping: .first).listened(by: screen).with { print($0) }
    ///     taps.value = "tap"                          // tap
    ///     clock.advance(by: .milliseconds(200))
    ///     taps.value = "double tap"
    ///     clock.advance(by: .milliseconds(100))
    ///     taps.value = "another tap"                  // another tap
    ///
    /// **Threads.** A value that goes at once is delivered by the thread that sets it; one that was held back, by the
    /// scheduler. Where one place is wanted for all, `deliver(on:)` behind this operator brings them there.
    ///
    /// **Order.** Values are passed on one at a time, in the order in which they came, on a concurrent queue too.
    ///
    /// **Lifetime.** The pending value keeps neither this node nor the new one alive. It is dropped, and the timer
    /// cancelled, when the new node is released, when the transform is cut, and when either of its ends changes: then it
    /// starts over, and the next value goes at once. Once `from =`, `to =` or `cancel()` has returned, nothing of before
    /// arrives any more.
    ///
    /// **Emptiness.** Emptying this node is not passed on, and is no newer value: the pending one still arrives.
    ///
    /// **Context and sender list** are those of the value that is passed on.
    ///
    /// - Parameters:
    ///   - interval: The least time between two values, by the scheduler's clock.
    ///   - scheduler: Where what is downstream of a value that was held back runs. It is held as long as the new node lives.
    ///   - choice: The value of each interval to pass on: the newest, if you do not say.
    /// - Returns: The new node: immutable.
    /// - Precondition: `interval` is greater than zero.
    /// - Complexity: O(1) a value, and one timer an interval in which values come.
    public func sample(
        every interval: Duration, on scheduler: some Scheduler, keeping choice: SampleChoice = .newest
    ) -> Node<Value> {
        require(
            interval > .zero,
            "sample: the interval must be greater than zero, and \(interval) is not. Without one, every value is passed on."
        )
        let node = Node<Value>()
        let pace = Pace.atMostOne(every: interval, keeping: choice)
        node.link(to: self, transform: HoldingTransform(name: "Sample", pace, on: scheduler))
        return node
    }
}
