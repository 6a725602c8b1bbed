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
        require(
            interval > .zero,
            "collect: the interval must be greater than zero, and \(interval) is not. Each array would have one value.",
            file: file, line: line
        )
        let node = Node<[Value]>()
        node.link(to: self, transform: CollectTransform<Value>(interval, on: scheduler))
        return node
    }
}

/// Collects values until the interval is over. Scheduled work refers to it weakly, and it goes with the node
/// downstream.
///
/// - All state belongs to one connection of the edge, and is initial for any other.
/// - An array is sent before the next timer starts, so arrays come in order, on a concurrent queue too.
///
/// Unchecked, as its superclass is: its own properties are constant, or under a lock.
private final class CollectTransform<Value: Sendable>: Transform<Value, [Value]>, ConnectionKeeper, BufferingEdge,
    WrappingEdge,
    @unchecked Sendable
{
    private struct State {
        var connection = Connection.none
        var values: [Value] = []
        /// The senders and context of the last value.
        var senders = SenderList()
        var context: NodeContext?
        var holds: [BufferedValueRecord] = []
        /// The number of the interval that is under way; `nil` for none.
        var interval: Int?
        var count = 0
        /// The end of the interval, by the scheduler's clock; `nil` if it has none.
        var due: Duration?
        var timer: (any Cancelable)?

        mutating func beginInterval() -> Int {
            count += 1
            interval = count
            return count
        }
        /// Resets the state. Returns the old state, to be released without the lock.
        mutating func end() -> State {
            var over = State()
            over.count = count
            swap(&self, &over)
            return over
        }
    }
    private let scheduler: any Scheduler
    private let length: Duration
    private let state = Lock(State())

    init(_ length: Duration, on scheduler: any Scheduler) {
        (self.length, self.scheduler) = (length, scheduler)
        super.init(name: "Collect")
    }
    deinit { state.withLock { $0.timer }?.cancel() }

    override func next(_ value: Value, from senders: SenderList, context: NodeContext?) {
        let connection = connectionOfCall, hold = BufferedValueRecord(), reading = scheduler.clockReading
        let (isTaken, number, over) = state.withLock { state -> (Bool, Int?, State?) in
            // Compared under the lock, because the thread that ends the connection drops the values only after that.
            guard connection == self.connection else { return (false, nil, nil) }
            let over = state.connection == connection ? nil : state.end()
            state.connection = connection
            state.values.append(value)
            state.holds.append(hold)
            // The old ones may hold the last references to user objects, so they are released without the lock.
            let old = State(senders: state.senders, context: state.context)
            (state.senders, state.context) = (senders, context)
            guard state.interval == nil else { return (true, nil, over ?? old) }
            state.due = reading
            return (true, state.beginInterval(), over ?? old)
        }
        if let over { drop(over) }
        if isTaken { hold.begin(at: self, for: length) }
        if let number { startTimer(number) }
    }
    func discard(_ ended: Connection) {
        let over = state.withLock { $0.connection == ended ? $0.end() : nil }
        if let over { drop(over) }
    }
    private func drop(_ over: State) {
        over.timer?.cancel()
        for hold in over.holds { hold.drop(at: self, .wasCut) }
    }

    private func startTimer(_ number: Int) {
        let reading = scheduler.clockReading
        let pause = state.withLock { state -> Duration in
            guard let reading, let last = state.due else { return length }
            state.due = max(last.adding(length), reading)
            return state.due?.subtracting(reading) ?? length
        }
        let timer = scheduler.schedule(after: pause) { [weak self] in self?.intervalEnds(number) }
        let isCurrent = state.withLock { state in
            guard state.interval == number else { return false }
            state.timer = timer
            return true
        }
        if !isCurrent { timer.cancel() }
    }
    private func intervalEnds(_ number: Int) {
        let over = state.withLock { state -> State? in
            guard state.interval == number else { return nil }
            var over = State()
            swap(&over.values, &state.values)
            swap(&over.holds, &state.holds)
            swap(&over.context, &state.context)
            swap(&over.senders, &state.senders)
            over.timer = state.timer.take()
            over.connection = state.connection
            // If values were taken, this thread sends them, and then starts the timer of the next interval.
            state.interval = over.values.isEmpty ? nil : state.beginInterval()
            over.interval = state.interval
            return over
        }
        guard let over, let next = over.interval else { return }
        let send = {
            self.send(from: over.senders, context: over.context, by: over.connection) { $0.send(over.values) }
        }
        over.holds.last?.sending(send) ?? send()
        startTimer(next)
    }
    var held: BufferedValues? {
        let (first, count, due) = state.withLock { ($0.values.first, $0.values.count, $0.due) }
        guard let first else { return nil }
        return BufferedValues(first: String(describing: first), count: count, rest: scheduler.rest(until: due))
    }
}
