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
/// Unchecked, as its superclass is: its own properties are constant, or under a lock.
private final class TicksTransform: Transform<Int, Int>, ConnectionKeeper, BufferingEdge, @unchecked Sendable {
    private struct State {
        var isRunning = true
        /// The next tick.
        var count = 0
        /// The time at which the next tick is due, by the scheduler's clock. `nil` if it has no clock.
        var due: Duration?
        var timer: (any Cancelable)?
    }
    private let scheduler: any Scheduler
    private let interval: Duration
    private let state: Lock<State>

    init(_ interval: Duration, on scheduler: any Scheduler) {
        self.scheduler = scheduler
        self.interval = interval
        state = Lock(State(due: scheduler.clockReading))
        super.init(name: "Ticks")
    }
    deinit { stop() }

    func discard(_ ended: Connection) {
        if connection == .none { stop() }
    }

    /// Starts the timer for the next tick.
    func start() {
        let reading = scheduler.clockReading
        let next = state.withLock { state -> (tick: Int, pause: Duration)? in
            guard let reading, let last = state.due else { return (state.count, interval) }
            // The sum stops growing at the longest duration. Work that is due there would be due again and again.
            guard last.adding(interval) > last else { return nil }
            let due = max(last.adding(interval), reading)
            state.due = due
            return (state.count, due.subtracting(reading))
        }
        guard let (tick, pause) = next else { return }
        let timer = scheduler.schedule(after: pause) { [weak self] in self?.send(tick) }
        let isWanted = state.withLock { state in
            guard state.isRunning else { return false }
            // The timer may have fired by now, and another one may have been kept.
            if state.count == tick { state.timer = timer }
            return true
        }
        if !isWanted { timer.cancel() }
    }

    /// Sends a tick before it starts the timer for the next one, so ticks come in order, on a concurrent queue too.
    private func send(_ tick: Int) {
        let (isRunning, timer) = state.withLock { state in
            state.count = tick + 1
            return (state.isRunning, state.timer.take())
        }
        // The timer is released without the lock, because its release may run the scheduler's code.
        withExtendedLifetime(timer) {}
        guard isRunning else { return }
        send(tick, from: SenderList(), context: nil)
        start()
    }

    /// The next tick.
    var held: BufferedValues? {
        let (isRunning, tick, due) = state.withLock { ($0.isRunning, $0.count, $0.due) }
        guard isRunning else { return nil }
        return BufferedValues(first: "\(tick)", rest: scheduler.rest(until: due))
    }

    private func stop() {
        let timer = state.withLock { state in
            state.isRunning = false
            return state.timer.take()
        }
        timer?.cancel()
    }
}
