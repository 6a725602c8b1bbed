import ReactCore

// The machinery of `debounce`, `throttle` and `sample`: one timer holds the newest value back until it may leave.

/// The rule by which a value that is held back may leave.
enum Pace {
    /// A value leaves when no newer one has come for this long.
    case afterQuiet(Duration)
    /// A value leaves when the one before it has been gone for this long, and at once if it has been gone for longer.
    case atMostOne(every: Duration, keeping: SampleChoice)
}

/// A transform that holds back the newest value, and has one timer.
///
/// Scheduled work refers to the transform weakly. The value waits in the transform, so it goes when the transform goes,
/// and the transform goes with the node downstream.
///
/// Unchecked, as its superclass is: its own properties are constant.
final class HoldingTransform<Value: Sendable>: Transform<Value, Value>, ConnectionKeeper, BufferingEdge, PulsePasser,
    @unchecked Sendable
{
    private let scheduler: any Scheduler
    private let hold: Hold

    init(name: String, _ pace: Pace, on scheduler: any Scheduler) {
        self.scheduler = scheduler
        hold = Hold(pace)
        super.init(name: name)
    }

    override func next(_ value: Value, from senders: SenderList, context: NodeContext?) {
        let parcel = Parcel(value, from: senders, context: context, by: connectionOfCall, isPulse: isCalledByPulse)
        let reading = scheduler.clockReading
        let actions = hold.take(parcel, of: self, at: reading)
        if actions.holds { parcel.hold.begin(at: self, for: hold.rest(at: reading)) }
        act(actions)
    }
    var held: BufferedValues? { hold.held(at: scheduler.clockReading) }

    func discard(_ connection: Connection) {
        hold.dropWhatIsOver(of: self)
    }

    private func act(_ actions: Hold.Actions) {
        // The timer starts before anything is delivered, because an interval is counted from the value, and not from
        // the end of its delivery.
        if let start = actions.timer {
            let timer = scheduler.schedule(after: start.interval) { [weak self] in
                guard let self else { return }
                act(hold.timerFired(start.number, of: self, at: scheduler.clockReading))
            }
            hold.keep(timer, number: start.number)
        }
        if let ticket = actions.leaving { hold.line.send(through: ticket, by: send) }
    }
}

/// The value that is held back, and the next action. The state decides, and the transform acts.
///
/// If the scheduler has a clock, a value that finds the timer of `afterQuiet` running only moves the deadline. When the
/// timer fires before the deadline, it is started again for the rest. Without a clock, each value replaces the timer.
///
/// - All state belongs to one connection of the edge, and is initial for any other.
/// - Timers are numbered. Only the one with the present number counts; `number` grows when it is replaced.
/// - While a value is pending, there is a timer with the present number, or the thread that is about to start it.
/// - A value that may leave joins `line` under the lock. Values therefore leave in the order in which they came,
///   however long a thread takes from this decision to the act.
/// - No user code runs under the lock, and no user object is released under it.
final class Hold: Sendable {
    /// A timer to be started.
    struct Start {
        let number: UInt64
        let interval: Duration
    }
    /// The next action.
    struct Actions {
        /// The ticket in `line` of a value that may leave.
        var leaving: UInt64?
        var timer: Start?
        /// True if a value that has just arrived is held back.
        var holds = false
    }
    private struct State {
        var connection = Connection.none
        var pending: (any AnyParcel)?
        /// The time at which `pending` may leave, by the scheduler's clock. `nil` if it has no clock, and for
        /// `atMostOne`, whose timer is never moved.
        var deadline: Duration?
        var number: UInt64 = 0
        var isTimerRunning = false
        var timer: (any Cancelable)?
        /// The time at which the timer fires, by the scheduler's clock, if it has one.
        var due: Duration?

        /// Makes room for a new timer, or for none, and leaves the old one to `remains`.
        mutating func replaceTimer(isRunning: Bool, _ remains: inout Remains) {
            number += 1
            isTimerRunning = isRunning
            if let timer = timer.take() { remains.timer = timer }
        }
        mutating func startTimer(_ interval: Duration, at reading: Duration?, _ remains: inout Remains) -> Start {
            replaceTimer(isRunning: true, &remains)
            due = reading?.adding(interval)
            return Start(number: number, interval: interval)
        }
        mutating func hold(_ parcel: any AnyParcel, _ remains: inout Remains) {
            if let pending { remains.leave(pending, .superseded) }
            pending = parcel
        }
        mutating func drop(_ remains: inout Remains) {
            if let pending = pending.take() { remains.leave(pending, .wasCut) }
            replaceTimer(isRunning: false, &remains)
        }
    }
    /// The remains of a change, to be cancelled and released without the lock.
    private struct Remains {
        var parcel: (any AnyParcel)?
        /// The reason why the parcel goes nowhere. `nil` if it is on its way.
        var drop: BufferedValueRecord.Drop?
        var timer: (any Cancelable)?

        mutating func leave(_ parcel: any AnyParcel, _ drop: BufferedValueRecord.Drop) {
            (self.parcel, self.drop) = (parcel, drop)
        }
    }
    /// The line of values that may leave.
    let line = WaitingLine()
    private let pace: Pace
    private let state = Lock(State())

    init(_ pace: Pace) { self.pace = pace }

    deinit { change { $0.drop(&$1) } }

    /// Takes a newer value. `reading` is the time on the scheduler's clock.
    func take(_ parcel: any AnyParcel, of edge: AnyEdge, at reading: Duration?) -> Actions {
        change(of: edge) { state, remains in
            guard parcel.connection == edge.connection else { return Actions() }
            if state.connection != parcel.connection {
                state.drop(&remains)
                state.connection = parcel.connection
            }
            switch pace {
            case .afterQuiet(let interval):
                state.hold(parcel, &remains)
                state.deadline = reading?.adding(interval)
                if reading != nil && state.isTimerRunning { return Actions(holds: true) }
                return Actions(timer: state.startTimer(interval, at: reading, &remains), holds: true)
            case .atMostOne(let interval, let choice):
                if state.isTimerRunning {
                    guard choice == .newest else { return Actions() }
                    state.hold(parcel, &remains)
                    return Actions(holds: true)
                }
                let ticket = line.join(parcel, of: edge)
                return Actions(leaving: ticket, timer: state.startTimer(interval, at: reading, &remains))
            }
        }
    }

    /// Keeps a timer that was started, to cancel it when it is replaced. A timer that was replaced by now is cancelled.
    func keep(_ timer: any Cancelable, number: UInt64) {
        let isCurrent = state.withLock { state in
            guard state.number == number else { return false }
            state.timer = timer
            return true
        }
        if !isCurrent { timer.cancel() }
    }

    func timerFired(_ number: UInt64, of edge: AnyEdge, at reading: Duration?) -> Actions {
        change(of: edge) { state, remains in
            guard state.number == number else { return Actions() }
            if let reading, let deadline = state.deadline, deadline > reading {
                return Actions(timer: state.startTimer(deadline.subtracting(reading), at: reading, &remains))
            }
            guard let parcel = state.pending.take() else {
                state.replaceTimer(isRunning: false, &remains)
                return Actions()
            }
            let ticket = line.join(parcel, of: edge)
            // If the value has not joined, this is the last reference to it.
            (remains.parcel, remains.drop) = (parcel, ticket == nil ? .wasCut : nil)
            switch pace {
            case .afterQuiet:
                state.replaceTimer(isRunning: false, &remains)
                return Actions(leaving: ticket)
            case .atMostOne(let interval, _):
                return Actions(leaving: ticket, timer: state.startTimer(interval, at: reading, &remains))
            }
        }
    }

    /// The time until the pending value may leave, if it is known.
    func rest(at reading: Duration?) -> Duration? {
        guard let reading, let due = state.withLock({ $0.deadline ?? $0.due }) else { return nil }
        return max(due.subtracting(reading), .zero)
    }
    func held(at reading: Duration?) -> BufferedValues? {
        guard let pending = state.withLock({ $0.pending }) else { return line.held }
        return BufferedValues(first: pending.described, rest: rest(at: reading))
    }

    /// Drops the pending value if it came by an ended connection of `edge`, and cancels its timer.
    func dropWhatIsOver(of edge: AnyEdge) {
        change(of: edge) { state, remains in
            if state.connection != edge.connection { state.drop(&remains) }
        }
        line.dropWhatIsOver(of: edge)
    }

    /// Changes the state under the lock. Afterwards, cancels and releases the remains.
    private func change<Result: Sendable>(
        of edge: AnyEdge? = nil, _ body: (inout State, inout Remains) -> Result
    ) -> Result {
        let (result, remains) = state.withLock { state in
            var remains = Remains()
            let result = body(&state, &remains)
            return (result, remains)
        }
        remains.timer?.cancel()
        if let edge, let drop = remains.drop { remains.parcel?.hold.drop(at: edge, drop) }
        return result
    }
}
