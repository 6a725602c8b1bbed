import ReactCore

extension Node where Value == Int {
    /// "Ticks": 0, 1, 2, … as long as the node exists, the first when one interval is over.
    ///
    ///     let scheduler = VirtualScheduler(), lifetime = Lifetime()
    ///     let seconds = Node.ticks(every: .seconds(1), on: scheduler)
    ///     seconds.listened(by: lifetime).with { print($0) }
    ///     scheduler.advance(by: .seconds(2))          // 0
    ///                                                 // 1
    ///
    /// **Time.** If the scheduler has a clock to read, a late tick does not delay later ticks. If a tick is late by
    /// more than an interval, the next one comes at once, and the ticking goes on from there. No tick is left out, and
    /// lost time is not made up for.
    ///
    /// **Lifetime.** The ticking keeps nothing alive. It ends, and its timer is cancelled, when the node goes or its
    /// upstream transform is cut.
    ///
    /// `VirtualScheduler.run()` ends the process if a node ticks on it: use `advance(by:)`.
    ///
    /// - Parameters:
    ///   - interval: The time from tick to tick, by the scheduler's clock.
    ///   - scheduler: The scheduler on which everything downstream runs. It is held as long as the node lives.
    ///   - file: The file of the call, which the message of a trap names.
    ///   - line: The line of the call.
    /// - Returns: A new immutable node, empty until the first tick.
    /// - Precondition: `interval` is greater than zero.
    /// - Complexity: One timer for each tick, and O(1) besides.
    public static func ticks(
        every interval: Duration, on scheduler: some Scheduler, file: StaticString = #fileID, line: UInt = #line
    ) -> Node<Int> {
        interval.requirePositive("ticks", "Pass the time from one number to the next", file, line)
        let edge = TimerEdge<Int, Int>(
            name: "Ticks", TicksPolicy(interval: interval), on: scheduler, tellsNext: true,
            ownValue: "made a value, because its time had come", making: { $0 }, wrapping: { $0 })
        // An edge without a source sends nothing, so the edge leads from a node that stays empty.
        return edge.link(Node(), to: Node<Int>().named("ticks"))
    }
}
