import ReactCore

// The line behind `deliver`, `delay` and listening on a scheduler. Values wait in line, each until its own piece of
// scheduled work has run, and leave one at a time, in order.

/// A value on its way, of any type.
///
/// The line of parcels is not generic. Generic code that is reached through overridden methods runs unspecialised, and
/// spends most of its time looking up types.
protocol AnyParcel: AnyObject, Sendable {
    /// The connection of the operator's edge by which the value came. Once the connection has ended, the value goes
    /// nowhere.
    var connection: Connection { get }
    /// The entry for recorders.
    var hold: BufferedValueRecord { get }
    /// The value as text.
    var described: String { get }
}

/// A value on its way, with its senders, its context and its connection.
final class Parcel<Value: Sendable>: AnyParcel {
    let value: Value
    let senders: SenderList
    let context: NodeContext?
    let connection: Connection
    /// True if a pulse has brought the value: then it goes on as a pulse.
    let isPulse: Bool
    let hold = BufferedValueRecord()
    var described: String { String(describing: value) }

    init(
        _ value: Value, from senders: SenderList, context: NodeContext?, by connection: Connection,
        isPulse: Bool = false
    ) {
        self.value = value
        self.senders = senders
        self.context = context
        self.connection = connection
        self.isPulse = isPulse
    }
}

extension Transform {
    /// Sends a value that has waited, unless the connection by which it came has ended.
    func send(_ parcel: any AnyParcel) {
        guard let parcel = parcel as? Parcel<Output> else { return }
        parcel.hold.sending {
            send(from: parcel.senders, context: parcel.context, by: parcel.connection, asPulse: parcel.isPulse) {
                $0.send(parcel.value)
            }
        }
    }
    /// Changes `to` in its turn by the result of `make` (see `EdgeCall.change`), unless the connection `connection` has
    /// ended.
    func change(
        from senders: SenderList, context: NodeContext?, by connection: Connection, _ make: @escaping () -> Output??
    ) {
        send(from: senders, context: context, by: connection) { $0.change(make) }
    }
}

/// Values in the order in which they came, each with a ticket.
///
/// Pieces of work on a concurrent queue overtake one another, so a piece of work does not send its own value. It
/// declares everything up to its ticket due, and sends due values from the front of the line. If another piece is
/// already sending, that one sends this value too. On a serial queue, each piece sends one value, in its place among
/// the other work of the queue.
///
/// - The tickets in line are consecutive, and smaller than `nextTicket`.
/// - A value joins only while the connection by which it came lasts. Values of ended connections are therefore at the
///   front of the line.
/// - At most one thread sends (`isSending`). While no thread sends, no value in line is due.
/// - No user code runs under the lock, and no user object is released under it.
final class WaitingLine: Sendable {
    private struct Place {
        let parcel: any AnyParcel
        var timer: (any Cancelable)?
    }
    private struct State {
        /// The front of the line, last place first, so that the first in line leaves from the end of an array.
        var front: [Place] = []
        /// The rest of the line, in order.
        var back: [Place] = []
        var nextTicket: UInt64 = 0
        /// The first ticket that is not due yet.
        var dueEnd: UInt64 = 0
        var isSending = false

        var firstTicket: UInt64 { nextTicket - UInt64(front.count + back.count) }
        var first: Place? { front.last ?? back.first }

        mutating func popFirst() -> Place? {
            if front.isEmpty {
                back.reverse()
                swap(&front, &back)
            }
            defer {
                // A burst may have made the array large.
                if front.isEmpty && front.capacity > 256 { front = [] }
            }
            return front.popLast()
        }
        mutating func popDue() -> Place? { firstTicket < min(dueEnd, nextTicket) ? popFirst() : nil }
    }
    private let state = Lock(State())

    deinit { drop { _ in true } }

    /// Puts a value at the end of the line and returns its ticket. If the value came by an ended connection of `edge`,
    /// it does not join, and the result is `nil`.
    func join(_ parcel: any AnyParcel, of edge: AnyEdge) -> UInt64? {
        state.withLock { state in
            // Compared under the lock, because the thread that ends the connection drops its values only after that.
            guard parcel.connection == edge.connection else { return nil }
            defer { state.nextTicket += 1 }
            state.back.append(Place(parcel: parcel))
            return state.nextTicket
        }
    }

    /// Cancels `timer` if the value with `ticket` leaves the line unsent.
    func keep(_ timer: any Cancelable, for ticket: UInt64) {
        let isWaiting = state.withLock { state in
            guard ticket >= state.firstTicket else { return false }
            let distance = Int(state.nextTicket - 1 - ticket)
            if distance < state.back.count {
                state.back[state.back.count - 1 - distance].timer = timer
            } else {
                state.front[distance - state.back.count].timer = timer
            }
            return true
        }
        if !isWaiting { timer.cancel() }
    }

    /// Declares the values up to `ticket` due, and sends due values, unless another call is already sending.
    func send(through ticket: UInt64, by send: (any AnyParcel) -> Void) {
        var place = state.withLock { state in
            state.dueEnd = max(state.dueEnd, ticket + 1)
            guard !state.isSending, let first = state.popDue() else { return nil as Place? }
            state.isSending = true
            return first
        }
        while let next = place {
            send(next.parcel)
            place = state.withLock { state in
                let next = state.popDue()
                state.isSending = next != nil
                return next
            }
        }
    }

    /// Drops the values that came by an ended connection of `edge`, and cancels their timers.
    func dropWhatIsOver(of edge: AnyEdge) {
        drop(of: edge) { $0.connection != edge.connection }
    }
    /// The value at the front, and the number of values that wait.
    var held: BufferedValues? {
        let (first, count) = state.withLock { ($0.first?.parcel, $0.front.count + $0.back.count) }
        return first.map { BufferedValues(first: $0.described, count: count) }
    }

    private func drop(of edge: AnyEdge? = nil, while isOver: (any AnyParcel) -> Bool) {
        let dropped = state.withLock { state in
            var dropped: [Place] = []
            while let first = state.first, isOver(first.parcel), let place = state.popFirst() { dropped.append(place) }
            return dropped
        }
        for place in dropped {
            place.timer?.cancel()
            if let edge { place.parcel.hold.drop(at: edge, .wasCut) }
        }
    }
}

/// A transform whose values wait in line for a scheduler before they go on.
///
/// Scheduled work refers to the transform weakly. The values wait in the transform, so they go when it goes, and it
/// goes with the node downstream.
///
/// Unchecked, as its superclass is: its own properties are constant.
final class WaitingTransform<Value: Sendable>: Transform<Value, Value>, ConnectionKeeper, BufferingEdge, PulsePasser,
    @unchecked Sendable
{
    typealias Schedule = @Sendable (_ work: @escaping @Sendable () -> Void) -> (any Cancelable)?

    private let line = WaitingLine()
    private let interval: Duration?
    private let schedule: Schedule

    /// `schedule` schedules the work that sends one value, after `interval` if there is one. It returns an object that
    /// cancels the work, if that is possible.
    init(name: String, interval: Duration? = nil, schedule: @escaping Schedule) {
        self.interval = interval
        self.schedule = schedule
        super.init(name: name)
    }

    override func next(_ value: Value, from senders: SenderList, context: NodeContext?) {
        let parcel = Parcel(value, from: senders, context: context, by: connectionOfCall, isPulse: isCalledByPulse)
        parcel.hold.begin(at: self, for: interval)
        guard let ticket = line.join(parcel, of: self) else { return parcel.hold.drop(at: self, .wasCut) }
        let timer = schedule { [weak self] in
            guard let self else { return }
            line.send(through: ticket, by: send)
        }
        if let timer { line.keep(timer, for: ticket) }
    }

    func discard(_ connection: Connection) {
        line.dropWhatIsOver(of: self)
    }
    var held: BufferedValues? { line.held }
}
