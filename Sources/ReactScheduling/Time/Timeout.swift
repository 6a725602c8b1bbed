import ReactCore

/// The failure of `timeout`: no value came for an interval.
public struct TimeoutError: Error, Equatable, CustomStringConvertible {
    /// The time in which no value came.
    public let interval: Duration

    /// Makes an error about `interval`.
    public init(interval: Duration) { self.interval = interval }

    /// A text such as `no value came for 2.0 seconds`.
    public var description: String { "no value came for \(interval)" }
}

extension Node {
    /// "Timeout": passes each value on as a success, and a failure when no value has come for `interval`.
    ///
    ///     let clock = VirtualScheduler(), screen = Lifetime()
    ///     let heartbeat = MutableNode<Int>()
    ///     heartbeat.timeout(.seconds(2), on: clock).listened(by: screen).with { result in
    ///         switch result {
    ///         case .success(let beat): print("beat", beat)
    ///         case .failure(let error): print(error)
    ///         }
    ///     }
    ///     clock.advance(by: .seconds(2))          // no value came for 2.0 seconds
    ///     heartbeat.value = 1                     // beat 1
    ///     clock.advance(by: .seconds(1))
    ///     heartbeat.value = 2                     // beat 2
    ///     clock.advance(by: .seconds(3))          // no value came for 2.0 seconds
    ///
    /// The first interval begins when the operator is made. A failure ends nothing: the next value is a success, and
    /// begins the interval anew. One silence is one failure, however long it is.
    ///
    /// **Threads.** A value is delivered by the thread that sets it. A failure is delivered by the scheduler.
    ///
    /// **Order.** A failure never comes after a value that has ended its silence.
    ///
    /// **Lifetime.** The timer keeps neither this node nor the new one alive. It is cancelled when the new node is
    /// released and when the transform is cut. When either end of the transform changes, the interval begins anew.
    ///
    /// **Emptiness.** Emptying this node is not passed on, and is no value.
    ///
    /// **Context and sender list** are those of the value. A failure has neither.
    ///
    /// - Parameters:
    ///   - interval: The longest time without a value, by the scheduler's clock.
    ///   - scheduler: The scheduler on which everything downstream of a failure runs. It is held as long as the new
    ///     node lives.
    ///   - file: The file of the call, which the message of a trap names.
    ///   - line: The line of the call.
    /// - Returns: A new immutable node.
    /// - Precondition: `interval` is greater than zero.
    /// - Complexity: O(1) for each value. If the scheduler has a clock to read, one timer for each interval, and
    ///   otherwise one for each value.
    public func timeout(
        _ interval: Duration, on scheduler: some Scheduler, file: StaticString = #fileID, line: UInt = #line
    ) -> Node<Result<Value, TimeoutError>> {
        require(
            interval > .zero,
            "timeout: the interval must be greater than zero, and \(interval) is not. Every value would come too late.",
            file: file, line: line
        )
        let transform = TimeoutTransform<Value>(interval, on: scheduler)
        let node = Node<Result<Value, TimeoutError>>()
        node.link(to: self, transform: transform)
        transform.start()
        return node
    }
}

/// Sends values, and a failure at the end of a silence. Scheduled work refers to the transform weakly, and it goes with
/// the node downstream.
///
/// - All state belongs to one connection of the edge, and is initial for any other. While the edge is connected and the
///   failure of this silence is not sent, a timer runs, or a thread is about to start it.
/// - `silence` grows with each value. A failure belongs to one silence. It is sent, in its turn, only while that
///   silence lasts.
///
/// Unchecked, as its superclass is: its own properties are constant, or under a lock.
private final class TimeoutTransform<Value: Sendable>: Transform<Value, Result<Value, TimeoutError>>, ConnectionKeeper,
    WrappingEdge, TimerOwner, @unchecked Sendable
{
    private struct State {
        var connection = Connection.none
        var silence = 0
        var timer = WaitingTimer()
    }
    private let scheduler: any Scheduler
    private let interval: Duration
    private let state = Lock(State())

    init(_ interval: Duration, on scheduler: any Scheduler) {
        (self.interval, self.scheduler) = (interval, scheduler)
        super.init(name: "Timeout")
    }
    deinit { state.withLock { $0.timer.stop() }?.cancel() }

    /// Begins the first silence, if no value has done so.
    func start() {
        if state.withLock({ $0.connection == .none }) { begin(connection) }
    }
    override func next(_ value: Value, from senders: SenderList, context: NodeContext?) {
        begin(connectionOfCall)
        send(.success(value), from: senders, context: context)
    }
    /// Called when the transform is pointed at another source, before that node's value comes.
    override func reset() { begin(connection) }

    func discard(_ ended: Connection) { begin(connection) }

    /// Begins a silence of the connection `connection`.
    private func begin(_ connection: Connection) {
        let now = scheduler.clockReading
        let (start, old) = state.withLock { state -> (WaitingTimer.Start?, (any Cancelable)?) in
            // Compared under the lock, because the thread that ends the connection comes here again after that.
            guard connection == self.connection else { return (nil, nil) }
            state.silence += 1
            var old = state.connection == connection ? nil : state.timer.stop()
            state.connection = connection
            guard connection != .none else { return (nil, old) }
            return (state.timer.start(after: interval, at: now, replacing: &old), old)
        }
        old?.cancel()
        if let start { schedule(start, on: scheduler) }
    }
    func keep(_ timer: any Cancelable, _ number: UInt64) -> Bool { state.withLock { $0.timer.keep(timer, number) } }
    func timerFired(_ number: UInt64) {
        let now = scheduler.clockReading
        let (firing, silence, connection, old) = state.withLock { state in
            var old: (any Cancelable)?
            return (state.timer.fired(number, at: now, releasing: &old), state.silence, state.connection, old)
        }
        old?.cancel()
        switch firing {
        case .isOver: break
        case .goesOn(let start): schedule(start, on: scheduler)
        case .fires:
            change(from: SenderList(), context: nil, by: connection) { [self] in
                state.withLock { $0.silence == silence } ? .failure(TimeoutError(interval: interval)) : nil
            }
        }
    }
}
