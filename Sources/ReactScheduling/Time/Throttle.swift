import Dispatch
import ReactCore

extension Node {
    /// "Throttle", elsewhere called debounce: passes a value on when no newer one has come for `interval`.
    ///
    ///     let scheduler = VirtualScheduler()
    ///     let search = MutableNode("")
    ///     let settled = search.throttle(.milliseconds(300), on: scheduler)
    ///     search.value = "gra"
    ///     scheduler.advance(by: .milliseconds(200))
    ///     search.value = "graph"
    ///     scheduler.advance(by: .milliseconds(299))
    ///     print(settled.value ?? "-")                 // -
    ///     scheduler.advance(by: .milliseconds(1))
    ///     print(settled.value ?? "-")                 // graph
    ///
    /// A value that comes at the very moment at which the one before it would be passed on is either newer, and replaces
    /// it, or too late, whichever the scheduler runs first.
    ///
    /// **Re-entrancy.** No lock is held while a value is passed on: a listener may set this node.
    ///
    /// **Lifetime.** The pending value keeps neither this node nor the new one alive. It is dropped, and its timer
    /// cancelled, when the new node is released, when the transform is cut, and when its `from` changes.
    /// If its `to` changes, it arrives at the new node.
    ///
    /// **Emptiness.** Emptying this node is not passed on, and is no newer value: the pending one still arrives.
    ///
    /// **Context and sender list** are those of the value that is passed on.
    ///
    /// - Parameters:
    ///   - interval: How long it must have been quiet, by the scheduler's clock.
    ///   - scheduler: Where everything downstream runs. It is held as long as the new node lives.
    /// - Returns: The new node: immutable, and empty until the first value has been passed on.
    /// - Precondition: `interval` is greater than zero.
    /// - Complexity: O(1) a value. At most one timer is pending, however many values come, on any scheduler that lets go
    ///   of cancelled work. If it also has a clock to read (`clockReading`), values that come while the timer runs make
    ///   no timer of their own.
    public func throttle(_ interval: Duration, on scheduler: some Scheduler) -> Node<Value> {
        require(
            interval > .zero,
            "throttle: the interval must be greater than zero, and \(interval) is not. Without one, every value is passed on."
        )
        let node = Node<Value>()
        node.link(to: self, transform: ThrottleTransform(interval, on: scheduler))
        return node
    }

    /// "Throttle" on the main queue.
    ///
    /// It needs a main queue that runs: an app has one; a plain command-line tool calls `dispatchMain()` or runs
    /// `RunLoop.main`. Until then the value waits.
    public func throttleOnMainQueue(_ interval: Duration) -> Node<Value> {
        throttle(interval, on: .main)
    }
}

/// Holds back the newest value, and has one timer.
///
/// Scheduled work refers to the transform weakly, and the pending value waits in the transform: so it goes when the
/// transform goes, which goes with the node downstream.
private final class ThrottleTransform<Value: Sendable>: Transform<Value, Value>, @unchecked Sendable {
    private let scheduler: any Scheduler
    private let quiet: Quiet

    init(_ interval: Duration, on scheduler: any Scheduler) {
        self.scheduler = scheduler
        quiet = Quiet(interval)
        super.init(name: "Throttle")
    }

    override func next(_ value: Value, from senders: SenderList, context: NodeContext?) {
        let parcel = Parcel(value, from: senders, context: context)
        if let start = quiet.hold(parcel, at: scheduler.clockReading) { startTimer(start) }
    }

    override func reset() {
        quiet.drop()
    }

    private func startTimer(_ start: Quiet.Start) {
        let timer = scheduler.schedule(after: start.interval) { [weak self] in self?.timerFired(start.number) }
        quiet.keep(timer, number: start.number)
    }

    private func timerFired(_ number: UInt64) {
        switch quiet.timerFired(number, at: scheduler.clockReading) {
        case .pass(let parcel):
            guard let parcel = parcel as? Parcel<Value> else { return }
            send(parcel.value, from: parcel.senders, context: parcel.context)
        case .startAgain(let start):
            startTimer(start)
        case nil:
            break
        }
    }
}

/// The pending value of a throttle, and what is to be done: it decides, and the transform acts.
///
/// If the scheduler has a clock, a value that finds the timer running only moves the deadline; when the timer fires
/// before the deadline, it is started again for the rest. If not, each value replaces the timer.
///
/// - Timers are numbered. Only the one with the present number may pass a value on; `number` grows when it is replaced.
/// - While a value is pending, there is a timer with the present number, or the thread that is about to start it.
/// - Nothing that belongs to the user runs, or is destroyed, under the lock.
private final class Quiet: Sendable {
    /// A timer to be started.
    struct Start {
        let number: UInt64
        let interval: Duration
    }
    /// What a timer that has fired leads to.
    enum Outcome {
        case pass(any AnyParcel)
        case startAgain(Start)
    }
    private struct State {
        var pending: (any AnyParcel)?
        /// When `pending` may go, by the scheduler's clock; `nil` if it has none.
        var deadline: Duration?
        var number: UInt64 = 0
        var isTimerRunning = false
        var timer: (any Cancelable)?

        /// Makes room for a new timer, or for none, and returns the old one.
        mutating func replaceTimer(isRunning: Bool) -> (any Cancelable)? {
            number += 1
            isTimerRunning = isRunning
            return timer.take()
        }
    }
    private let interval: Duration
    private let state = Lock(State())

    init(_ interval: Duration) { self.interval = interval }

    deinit { drop() }

    /// Takes a newer value; `reading` is what the scheduler's clock shows. Returns the timer to be started, if any.
    func hold(_ parcel: any AnyParcel, at reading: Duration?) -> Start? {
        let (replaced, oldTimer, start) = state.withLock { state in
            let replaced = state.pending
            state.pending = parcel
            state.deadline = reading.map { $0 + interval }
            if reading != nil && state.isTimerRunning { return (replaced, nil as (any Cancelable)?, nil as Start?) }
            let oldTimer = state.replaceTimer(isRunning: true)
            return (replaced, oldTimer, Start(number: state.number, interval: interval))
        }
        oldTimer?.cancel()
        withExtendedLifetime(replaced) {}
        return start
    }

    /// Keeps a timer that was started, to cancel it when it is replaced. One that was replaced by now is cancelled.
    func keep(_ timer: any Cancelable, number: UInt64) {
        let isCurrent = state.withLock { state in
            guard state.number == number else { return false }
            state.timer = timer
            return true
        }
        if !isCurrent { timer.cancel() }
    }

    func timerFired(_ number: UInt64, at reading: Duration?) -> Outcome? {
        let (firedTimer, outcome) = state.withLock { state in
            guard state.number == number else { return (nil as (any Cancelable)?, nil as Outcome?) }
            if let reading, let deadline = state.deadline, deadline > reading {
                let firedTimer = state.replaceTimer(isRunning: true)
                return (firedTimer, .startAgain(Start(number: state.number, interval: deadline - reading)))
            }
            return (state.replaceTimer(isRunning: false), state.pending.take().map(Outcome.pass))
        }
        withExtendedLifetime(firedTimer) {}
        return outcome
    }

    /// Drops the pending value, and cancels the timer.
    func drop() {
        let (dropped, timer) = state.withLock { state in
            (state.pending.take(), state.replaceTimer(isRunning: false))
        }
        timer?.cancel()
        withExtendedLifetime(dropped) {}
    }
}
