import ReactCore

/// A value that waits, of any type.
///
/// The core of a waiting operator is not generic. Generic code that is reached through overridden methods runs
/// unspecialised, and spends most of its time looking up types.
protocol AnyParcel: AnyObject, Sendable {
    /// The connection of the operator's edge by which the value came. Once it has ended, the value goes nowhere.
    var connection: Connection { get }
    var senders: SenderList { get }
    var context: NodeContext? { get }
    /// The entry for recorders.
    var hold: BufferedValueRecord { get }
    /// The value as text.
    var described: String { get }
}

/// A value that waits, with its senders, its context and its connection.
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
        (self.value, self.senders, self.context) = (value, senders, context)
        (self.connection, self.isPulse) = (connection, isPulse)
    }
}

/// Values with consecutive tickets, first in, first out.
struct TicketQueue {
    struct Place {
        let parcel: any AnyParcel
        /// Cancels the work that is scheduled for this value alone.
        var timer: (any Cancelable)?
    }
    /// The front, last place first, so that the first in line leaves from the end of an array.
    private var front: [Place] = []
    /// The rest, in order.
    private var back: [Place] = []
    private(set) var nextTicket: Ticket = 0

    var count: Int { front.count + back.count }
    var isEmpty: Bool { front.isEmpty && back.isEmpty }
    var first: Place? { front.last ?? back.first }
    private var firstTicket: Ticket { nextTicket - Ticket(count) }

    mutating func append(_ parcel: any AnyParcel) -> Ticket {
        back.append(Place(parcel: parcel))
        nextTicket += 1
        return nextTicket - 1
    }
    /// Removes the newest value.
    mutating func removeLast() {
        if back.isEmpty { front.removeFirst() } else { back.removeLast() }
        nextTicket -= 1
    }
    /// Removes the first value if its ticket is below `end`.
    mutating func popFirst(below end: Ticket = .max) -> Place? {
        guard !isEmpty, firstTicket < end else { return nil }
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
    /// Keeps a value's timer. Returns false if the value has left.
    mutating func keep(_ timer: any Cancelable, for ticket: Ticket) -> Bool {
        guard ticket >= firstTicket else { return false }
        let distance = Int(nextTicket - 1 - ticket)
        if distance < back.count {
            back[back.count - 1 - distance].timer = timer
        } else {
            front[distance - back.count].timer = timer
        }
        return true
    }
}
