import Synchronization

/// Numbers by which records name nodes and edges. No number is given twice, so a record never names another object than it did.
///
/// A vertex or an edge is given its number when it is first asked for: most never are, where nothing records.
enum SerialNumber {
    private static let last = Atomic<UInt>(0)

    /// The number in `slot`, given now if there is none yet.
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
