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
    /// `VirtualScheduler.run()` does not return while a node ticks on it: use `advance(by:)`.
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
        require(
            interval > .zero,
            "ticks: the interval must be greater than zero, and \(interval) is not. A node that is always set is never read.",
            file: file, line: line
        )
        let transform = TicksTransform(interval, on: scheduler)
        let node = Node<Int>()
        // An edge without a source sends nothing, so the edge leads from a node that stays empty.
        node.link(to: Node<Int>().named("ticks"), transform: transform)
        transform.start()
        return node
    }
}

/// Sends the ticks. Scheduled work refers to it weakly, and it goes with the node downstream.
///
/// A tick is sent before the timer for the next one starts, so ticks come in order, on a concurrent queue too.
///
/// Unchecked, as its superclass is: its own properties are constant, or under a lock.
private final class TicksTransform: Transform<Int, Int>, ConnectionKeeper, BufferingEdge, TimerOwner,
    @unchecked Sendable
{
    private struct State {
        var isRunning = true
        /// The next tick.
        var count = 0
        var timer: WaitingTimer
    }
    private let scheduler: any Scheduler
    private let interval: Duration
    private let state: Lock<State>

    init(_ interval: Duration, on scheduler: any Scheduler) {
        (self.scheduler, self.interval) = (scheduler, interval)
        state = Lock(State(timer: WaitingTimer(lastAt: scheduler.clockReading)))
        super.init(name: "Ticks")
    }
    deinit { stop() }

    func discard(_ ended: Connection) {
        if connection == .none { stop() }
    }
    /// Starts the timer for the next tick.
    func start() {
        let now = scheduler.clockReading
        let (start, old) = state.withLock { state -> (WaitingTimer.Start?, (any Cancelable)?) in
            var old: (any Cancelable)?
            guard state.isRunning else { return (nil, nil) }
            return (state.timer.startNext(after: interval, at: now, replacing: &old), old)
        }
        old?.cancel()
        if let start { schedule(start, on: scheduler) }
    }
    func keep(_ timer: any Cancelable, _ number: UInt64) -> Bool { state.withLock { $0.timer.keep(timer, number) } }
    func timerFired(_ number: UInt64) {
        let now = scheduler.clockReading
        let (tick, old) = state.withLock { state -> (Int?, (any Cancelable)?) in
            var old: (any Cancelable)?
            guard case .fires = state.timer.fired(number, at: now, releasing: &old) else { return (nil, old) }
            defer { state.count += 1 }
            return (state.count, old)
        }
        old?.cancel()
        guard let tick else { return }
        send(tick, from: SenderList(), context: nil)
        start()
    }
    /// The next tick.
    var held: BufferedValues? {
        let (isRunning, tick, due) = state.withLock { ($0.isRunning, $0.count, $0.timer.deadline) }
        guard isRunning else { return nil }
        return BufferedValues(first: "\(tick)", rest: scheduler.rest(until: due))
    }
    private func stop() {
        let timer = state.withLock { state in
            state.isRunning = false
            return state.timer.stop()
        }
        timer?.cancel()
    }
}
