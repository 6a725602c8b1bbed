/// The number of a value at its operator. Values have consecutive tickets, in the order in which they came.
typealias Ticket = UInt64
