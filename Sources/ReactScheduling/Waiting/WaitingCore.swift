import ReactCore

/// The values of one waiting operator, and the lock under which its policy makes its transitions.
///
/// - All state belongs to one connection of the edge. For another connection it begins anew.
/// - Values that may leave are in `leaving`, in order. One thread at a time sends, and only until the value is stored
///   in the target, or waits for the target's turn. So values leave in order, on a concurrent queue too, and a set by a
///   listener of one value may send the next.
/// - A value counts as buffered until it is stored or dropped.
/// - No user code runs under the lock, and no user object is released under it.
///
/// Scheduled work refers to the edge weakly, and the edge holds the core.
final class WaitingCore: Sendable {
    private struct State {
        var connection = Connection.none
        var policy: any WaitingPolicy
        var waiting = TicketQueue()
        var leaving = Queue<Departure>()
        var isSending = false
        /// The number of values that are being sent.
        var sent = 0
        var timer = WaitingTimer()
        /// The number of calls of `began` of the policy, and of values that the operator has made of its own.
        var begun = 0
        var made = 0

        var isEmpty: Bool { sent == 0 && waiting.isEmpty && leaving.isEmpty }
    }
    enum Departure {
        case one(any AnyParcel)
        /// Values that leave together.
        case several([any AnyParcel])
        /// A value of the operator's own.
        case own(Own)

        var count: Int {
            switch self {
            case .one: 1
            case .several(let parcels): parcels.count
            case .own: 0
            }
        }
        var connection: Connection {
            switch self {
            case .one(let parcel): parcel.connection
            case .several(let parcels): parcels.last?.connection ?? .none
            case .own(let own): own.connection
            }
        }
    }
    /// A value that the operator makes of its own.
    struct Own {
        /// The number of those before it.
        let number: Int
        let connection: Connection
        fileprivate let begun: Int
    }
    /// The work that a transition leaves for the time after the lock.
    private struct Outcome {
        /// The value that has come, if it waits.
        var arrived: (any AnyParcel)?
        /// True if the edge has begun or ceased to buffer values.
        var turns = false
        var work: (WaitingEffects.Work, Ticket)?
        var dropped: [TicketQueue.Place] = []
        var dropsAsCut = false
        var timer: (any Cancelable)?
        /// The timers of values that leave.
        var firedTimers: [any Cancelable] = []
        var start: WaitingTimer.Start?
        /// The timer that starts when the values that leave are passed on.
        var lateStart: WaitingTimer.Start?
        /// True if values are to leave.
        var sends = false
        var rest: Duration?
    }
    private let state: Lock<State>
    private let first: any WaitingPolicy
    private let sendsTogether: Bool
    private let readsClock: Bool
    private let scheduler: any Scheduler
    /// True if no value ever passes on in the set that brings it.
    let isBorder: Bool

    /// Creates a core whose work and timer are on `scheduler`. If `together`, the values that leave at a time are one
    /// array.
    init<Policy: WaitingPolicy>(_ policy: Policy, on scheduler: any Scheduler, together: Bool = false) {
        (first, self.scheduler, sendsTogether, readsClock) = (policy, scheduler, together, Policy.hasTimer)
        isBorder = Policy.isBorder
        state = Lock(State(policy: policy))
    }
    deinit {
        var outcome = Outcome()
        state.withLock { end(&$0, &outcome) }
        outcome.timer?.cancel()
        for place in outcome.dropped { place.timer?.cancel() }
    }

    // MARK: Events

    // Generic edges call `begin` and `arrive`. If these were not `dynamic`, the compiler would specialise them for the
    // edge's type, and each call would look that type up, in 300 instructions.

    /// Notes that the edge has the connection `connection`. If `again` is true, a value passes at once by it.
    dynamic func begin(_ connection: Connection, again: Bool = false, of edge: any CoreEdge) {
        let now = readsClock ? scheduler.clockReading : nil
        transition(of: edge) { state, outcome in
            // Compared under the lock, because the thread that ends the connection comes here again after that.
            guard connection == edge.connection, again || connection != state.connection else { return }
            if state.connection != connection { end(&state, &outcome) }
            state.connection = connection
            state.begun += 1
            if connection != .none { apply(state.policy.began(), to: &state, at: now, &outcome) }
        }
    }
    /// Takes the value that `make` returns, unless `connection`, by which it comes, has ended. Returns true if the
    /// value leaves at once, and no other is on its way: then the caller passes it on. If the value passes, or is
    /// refused, `make` is not called, and the ticket of the value goes to the next one.
    @discardableResult dynamic func arrive(
        by connection: Connection, at edge: any CoreEdge, _ make: () -> any AnyParcel
    ) -> Bool {
        let now = readsClock ? scheduler.clockReading : nil
        var outcome = Outcome()
        let passes = state.withLock { state in
            // Compared under the lock, because the thread that ends the connection drops its values only after that.
            guard connection == edge.connection else { return false }
            if state.connection != connection { end(&state, &outcome) }
            state.connection = connection
            let ticket = state.waiting.nextTicket, effects = state.policy.arrived(ticket)
            // No value that comes later can overtake it, because that comes after this call of the edge.
            let passes = effects.sendsBelow != nil && state.isEmpty && !state.isSending
            if !passes && !effects.refuses {
                outcome.turns = state.isEmpty
                let parcel = make()
                state.waiting.append(parcel)
                outcome.arrived = parcel
            }
            apply(effects, to: &state, at: now, &outcome)
            if let now, let deadline = state.timer.deadline { outcome.rest = deadline.subtracting(now) }
            if let work = effects.work {
                outcome.work = (work, ticket)
                if case .after(let interval) = work { outcome.rest = interval }
            }
            return passes
        }
        perform(&outcome, edge)
        return passes
    }
    /// Drops the values of a connection that has ended.
    func discard(_ ended: Connection, of edge: any CoreEdge) {
        transition(of: edge) { if $0.connection == ended { end(&$0, &$1) } }
    }
    func timerFired(_ number: UInt64, of edge: any CoreEdge) {
        let now = readsClock ? scheduler.clockReading : nil
        var outcome = Outcome(), fired: (any Cancelable)?
        state.withLock { state in
            switch state.timer.fired(number, at: now, releasing: &fired) {
            case .isOver: break
            case .goesOn(let start): outcome.start = start
            case .fires: apply(state.policy.timerFired(), to: &state, at: now, &outcome)
            }
        }
        fired = nil
        perform(&outcome, edge)
    }
    private func isDue(_ ticket: Ticket, of edge: any CoreEdge) {
        transition(of: edge) { apply($0.policy.isDue(ticket), to: &$0, at: nil, &$1) }
    }
    private func transition(of edge: any CoreEdge, _ change: (inout State, inout Outcome) -> Void) {
        var outcome = Outcome()
        state.withLock { change(&$0, &outcome) }
        perform(&outcome, edge)
    }

    // MARK: Effects

    /// The lock is held in these.
    private func apply(_ effects: WaitingEffects, to state: inout State, at now: Duration?, _ outcome: inout Outcome) {
        if let end = effects.dropsBelow {
            while let place = state.waiting.popFirst(below: end) { outcome.dropped.append(place) }
        }
        switch effects.timer {
        case nil: break
        case .starts(let interval):
            outcome.start = state.timer.start(after: interval, at: now, replacing: &outcome.timer)
        case .repeats(let interval):
            outcome.lateStart = state.timer.startNext(after: interval, at: now, replacing: &outcome.timer)
        }
        if let end = effects.sendsBelow {
            var together: [any AnyParcel] = []
            while let place = state.waiting.popFirst(below: end) {
                if let timer = place.timer { outcome.firedTimers.append(timer) }
                if sendsTogether { together.append(place.parcel) } else { leave(.one(place.parcel), &state, &outcome) }
            }
            if !together.isEmpty { leave(.several(together), &state, &outcome) }
        }
        if effects.makes {
            let own = Own(number: state.made, connection: state.connection, begun: state.begun)
            state.made += 1
            leave(.own(own), &state, &outcome)
        }
    }
    private func leave(_ departure: consuming Departure, _ state: inout State, _ outcome: inout Outcome) {
        state.leaving.append(departure)
        outcome.sends = true
    }
    private func end(_ state: inout State, _ outcome: inout Outcome) {
        outcome.turns = !state.isEmpty
        outcome.dropsAsCut = true
        while let place = state.waiting.popFirst() { outcome.dropped.append(place) }
        while let departure = state.leaving.popFirst() {
            switch departure {
            case .one(let parcel): outcome.dropped.append(.init(parcel: parcel))
            case .several(let parcels): outcome.dropped += parcels.map { .init(parcel: $0) }
            case .own: break
            }
        }
        state.timer.stop(&outcome.timer)
        (state.policy, state.connection, state.sent) = (first, .none, 0)
    }
    private func next(_ state: inout State) -> Departure? {
        guard !state.isSending, let departure = state.leaving.popFirst() else { return nil }
        state.isSending = true
        state.sent += departure.count
        return departure
    }

    /// Timers and dropped values are released before anything is sent.
    private func perform(_ outcome: inout Outcome, _ edge: any CoreEdge) {
        if let timer = outcome.timer.take() { timer.cancel() }
        outcome.firedTimers = []
        if !outcome.dropped.isEmpty { outcome.dropped.reverse() }
        while let place = outcome.dropped.popLast() {
            place.timer?.cancel()
            place.parcel.record.drop(at: edge, outcome.dropsAsCut ? .wasCut : .superseded)
        }
        if let parcel = outcome.arrived.take() { parcel.record.begin(at: edge, for: outcome.rest) }
        if outcome.turns { edge.bufferingHasChanged() }
        if let (work, ticket) = outcome.work {
            let isDue: @Sendable () -> Void = { [weak edge] in
                guard let edge else { return }
                edge.core.isDue(ticket, of: edge)
            }
            switch work {
            case .soon: scheduler.schedule(isDue)
            case .after(let interval):
                let timer = scheduler.schedule(after: interval, isDue)
                if !state.withLock({ $0.waiting.keep(timer, for: ticket) }) { timer.cancel() }
            }
        }
        if let start = outcome.start { edge.schedule(start, on: scheduler) }
        if outcome.sends { send(edge) }
        if let start = outcome.lateStart { edge.schedule(start, on: scheduler) }
    }
    /// Sends the values that may leave, unless another thread does. Each is taken out in the graph of the node that it
    /// goes to. If that graph stays busy, the scheduler is asked again, so that the value leaves on its thread all the
    /// same.
    private func send(_ edge: any CoreEdge) {
        let goesOn: @Sendable () -> Bool = { [self] in state.withLock { !$0.isSending && !$0.leaving.isEmpty } }
        edge.repeatInGraphOfTarget(while: goesOn, again: scheduler.again) { [self] in
            if let departure = state.withLock({ next(&$0) }) { edge.leave(departure) }
        }
    }
    @discardableResult func hasLeft(_ departure: Departure, _ stage: DepartureStage) -> Bool {
        state.withLock { state in
            if stage != .isStoredLater { state.isSending = false }
            guard stage != .waits, state.connection == departure.connection else { return false }
            state.sent -= departure.count
            return state.isEmpty
        }
    }
    /// A value that the operator made may leave if no value has passed, and the connection is the same, since then.
    func mayLeave(_ departure: Departure) -> Bool {
        guard case .own(let own) = departure else { return true }
        return state.withLock { $0.begun == own.begun }
    }

    // MARK: Questions

    var hasBufferedValues: Bool { state.withLock { !$0.isEmpty } }
    /// The number of the next value that the operator makes, and the time until then; `nil` if its timer does not run.
    var nextOwn: (number: Int, rest: Duration?)? {
        let (isRunning, number, due) = state.withLock { ($0.timer.isRunning, $0.made, $0.timer.deadline) }
        return isRunning ? (number, scheduler.rest(until: due)) : nil
    }
    /// The first value that waits, and the number of those that do.
    var valuesToSend: BufferedValues? {
        let (first, count, due) = state.withLock { ($0.waiting.first?.parcel, $0.waiting.count, $0.timer.deadline) }
        return first.map { first in
            BufferedValues(first: first.described, count: count, rest: scheduler.rest(until: due))
        }
    }
    func keep(_ timer: any Cancelable, _ number: UInt64) -> Bool { state.withLock { $0.timer.keep(timer, number) } }
}
