import Dispatch
import ReactCore

extension DispatchQueue: Scheduler {
    /// Runs `work` on this queue, asynchronously.
    public func schedule(_ work: @escaping @Sendable () -> Void) { async(execute: work) }

    /// Runs `work` on this queue when `interval` has passed. The time that the machine sleeps does not count.
    ///
    /// Cancelling releases `work` and the timer at once, rather than when the timer would have fired. If `interval` is
    /// more than a hundred years, `work` never runs.
    @discardableResult
    public func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
        let timer = QueueTimer(work)
        if interval <= .zero {
            // A timer would run after later work that is scheduled at once.
            async { timer.fire() }
        } else {
            timer.start(on: self, deadline: .now(plus: interval))
        }
        return timer
    }

    /// The time for which the machine has been running and awake: the clock of `DispatchTime`.
    public var clockReading: Duration? { .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds)) }
}

extension Scheduler where Self == DispatchQueue {
    /// The main queue: `node.deliver(on: .main)`.
    ///
    /// Runs in an app's main run loop. A plain command-line tool has none until it calls `dispatchMain()`, or runs
    /// `RunLoop.main`. While the main thread is blocked, as by a semaphore, nothing that the queue was given runs, and
    /// nothing says so: pass `.global()` there.
    public static var main: DispatchQueue { DispatchQueue.main }

    /// The concurrent queue of the system for `qos`: `node.deliver(on: .global())`.
    public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { DispatchQueue.global(qos: qos) }
}

/// One timer on a queue, for one piece of work.
///
/// The timer is a dispatch source rather than an `asyncAfter`. A cancelled work item would stay in the queue's heap,
/// with everything that it holds, until it would have been due.
///
/// The source's handler holds this object, and this object holds the source, so both live until the timer fires or is
/// cancelled. Firing and cancelling take source and work out of `state`. This breaks the cycle, and lets only one of
/// the two have the work.
private final class QueueTimer: Cancelable {
    private struct State {
        var source: (any DispatchSourceTimer)?
        var work: (@Sendable () -> Void)?
    }
    private let state: Lock<State>

    init(_ work: @escaping @Sendable () -> Void) { state = Lock(State(work: work)) }

    func start(on queue: DispatchQueue, deadline: DispatchTime) {
        state.withLock { state in
            let source = DispatchSource.makeTimerSource(queue: queue)
            source.setEventHandler { self.fire() }
            source.schedule(deadline: deadline)
            state.source = source
            source.activate()
        }
    }

    func fire() { stop()?() }
    func cancel() { _ = stop() }

    /// Ends the timer. Returns its work the first time, and `nil` afterwards.
    private func stop() -> (@Sendable () -> Void)? {
        state.withLock { state in
            state.source.take()?.cancel()
            return state.work.take()
        }
    }
}

extension DispatchTime {
    /// Returns the time `interval` from now, rounded up to nanoseconds. Returns `.distantFuture` beyond a hundred
    /// years.
    fileprivate static func now(plus interval: Duration) -> DispatchTime {
        if interval > .seconds(100 * 366 * 86_400) { return .distantFuture }
        let (seconds, attoseconds) = interval.components
        let nanoseconds = seconds * 1_000_000_000 + (attoseconds + 999_999_999) / 1_000_000_000
        return DispatchTime(uptimeNanoseconds: DispatchTime.now().uptimeNanoseconds + UInt64(nanoseconds))
    }
}
