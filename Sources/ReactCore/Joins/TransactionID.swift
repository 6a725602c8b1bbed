/// Identifies a holder of a join: a transaction that has it on a list, or a firing that waits for a turn. The state
/// only compares holders.
@usableFromInline package struct TransactionID: Hashable {
    package let address: UnsafeRawPointer

    @inline(__always) package init(_ address: UnsafeRawPointer) { self.address = address }
    @usableFromInline @inline(__always) package static func == (one: TransactionID, other: TransactionID) -> Bool {
        one.address == other.address
    }
}
