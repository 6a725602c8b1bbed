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
    /// The first interval begins when the operator is made, or, if another thread keeps the graph busy then, when the
    /// operator is linked. A failure ends nothing: the next value is a success, and begins the interval anew. One
    /// silence is one failure, however long it is.
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
        interval.requirePositive("timeout", "Pass the longest time that may go by without a value", file, line)
        let edge = TimerEdge<Value, Result<Value, TimeoutError>>(
            name: "Timeout", TimeoutPolicy(interval: interval), on: scheduler,
            ownValue: "waited for another value, and none came in time",
            making: { _ in .failure(TimeoutError(interval: interval)) }, wrapping: { .success($0) })
        return edge.link(.init(), to: self)
    }
}
