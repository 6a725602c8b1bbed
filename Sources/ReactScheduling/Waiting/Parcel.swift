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
    /// The places, of which so many are empty, because their values have left.
    private var places: [Place?] = []
    private var emptyCount = 0
    private(set) var nextTicket: Ticket = 0

    var count: Int { places.count - emptyCount }
    var isEmpty: Bool { count == 0 }
    var first: Place? { isEmpty ? nil : places[emptyCount] }

    mutating func append(_ parcel: any AnyParcel) {
        places.append(Place(parcel: parcel))
        nextTicket += 1
    }
    /// Removes the first value if its ticket is below `end`. O(1) on average.
    mutating func popFirst(below end: Ticket = .max) -> Place? {
        guard !isEmpty, nextTicket - Ticket(count) < end else { return nil }
        if places.count == 1 { return places.removeLast() }
        let place = places[emptyCount].take()
        emptyCount += 1
        if emptyCount == places.count || emptyCount > 16 && 2 * emptyCount > places.count {
            places.removeFirst(emptyCount)
            emptyCount = 0
            // A burst may have made the array large.
            if isEmpty && places.capacity > 256 { places = [] }
        }
        return place
    }
    /// Keeps a value's timer. Returns false if the value has left.
    mutating func keep(_ timer: any Cancelable, for ticket: Ticket) -> Bool {
        let index = places.count - Int(nextTicket - ticket)
        guard index >= emptyCount else { return false }
        places[index]?.timer = timer
        return true
    }
}
