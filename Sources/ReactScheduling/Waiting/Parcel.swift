import ReactCore

/// A value that waits, of any type.
///
/// The core of a waiting operator is not generic. Generic code that is reached through overridden methods runs
/// unspecialised, and spends most of its time looking up types.
protocol AnyParcel: AnyObject, Sendable {
    var origin: Origin { get }
    var connection: Connection { get }
    /// The entry for recorders.
    var record: BufferedValueRecord { get }
    /// The value as text.
    var described: String { get }
}

/// A value that waits.
final class Parcel<Value: Sendable>: AnyParcel {
    let origin: Origin
    let record = BufferedValueRecord()
    /// Behind the others, whose places are then the same for values of all types.
    let value: Value
    var connection: Connection { origin.connection }
    var described: String { String(describing: value) }

    init(_ value: Value, _ origin: Origin) { (self.value, self.origin) = (value, origin) }
}

/// Values with consecutive tickets, first in, first out.
struct TicketQueue {
    struct Place {
        let parcel: any AnyParcel
        /// Cancels the work that is scheduled for this value alone.
        var timer: (any Cancelable)?
    }
    private var parcels = Queue<any AnyParcel>()
    private var timers: [Ticket: any Cancelable] = [:]
    private(set) var nextTicket: Ticket = 0

    var count: Int { parcels.count }
    var isEmpty: Bool { parcels.isEmpty }
    var first: (any AnyParcel)? { parcels.first }
    private var firstTicket: Ticket { nextTicket - Ticket(count) }

    mutating func append(_ parcel: any AnyParcel) {
        parcels.append(parcel)
        nextTicket += 1
    }
    /// Removes the first value if its ticket is below `end`. O(1) on average.
    mutating func popFirst(below end: Ticket = .max) -> Place? {
        let ticket = firstTicket
        guard ticket < end, let parcel = parcels.popFirst() else { return nil }
        return Place(parcel: parcel, timer: timers.isEmpty ? nil : timers.removeValue(forKey: ticket))
    }
    /// Keeps a value's timer. Returns false if the value has left.
    mutating func keep(_ timer: any Cancelable, for ticket: Ticket) -> Bool {
        guard ticket >= firstTicket else { return false }
        timers[ticket] = timer
        return true
    }
}
