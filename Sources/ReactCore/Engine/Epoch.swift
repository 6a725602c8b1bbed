/// Splits an epoch: the thread's number is in the highest 16 bits; below them is a bit that is set, and the number of
/// passes, and of steps of pulses, that the thread has begun.
///
/// A value's beginning (`Pass.since`) is an epoch before the first entry of its trail. If the trail may have older
/// entries, such as a node that a `flatten` follows, the beginning is *loose*: that bit is not set. A loose beginning
/// is before all epochs of its thread, so no entry is taken for a later one; `fixed` tells when the value was set.
@usableFromInline enum Epoch {
    @inlinable static var bits: UInt64 { 48 }

    private static var fixedBit: UInt64 { 1 << (bits - 1) }

    static func start(of thread: UInt64) -> UInt64 {
        require(
            thread < 1 << (64 - bits),
            "EasyReact tells 65,535 threads from one another, and so many use it at once; have fewer, or let some of them end"
        )
        return thread << bits | fixedBit
    }
    static func isFixed(_ beginning: UInt64) -> Bool { beginning & fixedBit != 0 }
    /// Returns the epoch at which a loose beginning stands.
    static func fixed(_ beginning: UInt64) -> UInt64 { beginning | fixedBit }
    static func loose(_ beginning: UInt64) -> UInt64 { beginning & ~fixedBit }
    /// Returns the beginning of a value that is made of two. It is loose if one of the two is. `UInt64.max` stands for
    /// no value.
    static func earlier(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let first = min(fixed(one), fixed(other))
        return first & (one & other | ~fixedBit)
    }
    @inlinable static func thread(of time: UInt64) -> UInt64 { time >> bits }
    /// Returns a number below `count`, which changes with the epoch. The division is unsigned, because the thread's
    /// number may set the highest bit.
    static func place(at time: UInt64, among count: Int) -> Int { Int(time % UInt64(count)) }
}
