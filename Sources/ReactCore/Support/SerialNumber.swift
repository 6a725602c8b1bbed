import Synchronization

/// The numbers by which records name nodes and edges. No number is given twice, so a record never comes to name another
/// object.
///
/// A vertex or an edge gets its number when it is first asked for. While nothing records, most never get one.
enum SerialNumber {
    private static let last = Atomic<UInt>(0)

    /// Returns the number in `slot`, after giving one if there is none yet.
    @inline(__always) static func number(in slot: borrowing Atomic<UInt>) -> UInt {
        let known = slot.load(ordering: .relaxed)
        return known != 0 ? known : give(slot)
    }
    @inline(never) private static func give(_ slot: borrowing Atomic<UInt>) -> UInt {
        let number = last.wrappingAdd(1, ordering: .relaxed).newValue
        let (exchanged, original) = slot.compareExchange(expected: 0, desired: number, ordering: .relaxed)
        return exchanged ? number : original
    }
}
