/// Splits an epoch: the thread's number is in the highest 16 bits; below them are two bits that are set, and the number
/// of passes, and of stores in pulses, that the thread has begun.
///
/// A value's beginning (`Pass.since`) is an epoch before the first entry of its trail.
/// - If the trail may have older entries, the beginning is *loose*: the first bit is not set. A loose beginning is
///   before all epochs of its thread, so no entry is taken for a later one; `fixed` tells when the value was set.
/// - If the trail may name a vertex that no value ever passed, such as a node that a `flatten` follows, or one that a
///   user has added to a sender list, it names *strangers*: neither bit is set.
@usableFromInline enum Epoch {
    @inlinable static var bits: UInt64 { 48 }
    /// The epoch of a vertex that was made with a value: before all others, and of no thread.
    @inlinable static var made: UInt64 { 1 }

    private static var fixedBit: UInt64 { 1 << (bits - 1) }
    private static var passedBit: UInt64 { 1 << (bits - 2) }

    static func start(of thread: UInt64) -> UInt64 {
        require(
            thread < 1 << (64 - bits),
            "EasyReact tells 65,535 threads from one another, and so many use it at once; have fewer, or let some of them end"
        )
        return thread << bits | fixedBit | passedBit
    }
    /// Returns true if a vertex that no value has passed, whose epoch is 0 or `made`, is on no trail with this
    /// beginning.
    static func isNew(_ epoch: UInt64, toValueSince beginning: UInt64) -> Bool {
        beginning & (epoch == made ? fixedBit : passedBit) != 0
    }
    /// Returns the epoch at which a loose beginning stands.
    static func fixed(_ beginning: UInt64) -> UInt64 { beginning | fixedBit | passedBit }
    static func loose(_ beginning: UInt64) -> UInt64 { beginning & ~fixedBit }
    static func namingStrangers(_ beginning: UInt64) -> UInt64 { beginning & ~(fixedBit | passedBit) }
    /// Returns the loose beginning of a value that was set on another thread, where it began at `known`, and goes on in
    /// `epoch`.
    static func loose(_ epoch: UInt64, as known: UInt64) -> UInt64 { loose(epoch) & (known | ~passedBit) }
    /// Returns the beginning of a value that is made of two. It is loose if one of the two is. `UInt64.max` stands for
    /// no value.
    static func earlier(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let first = min(fixed(one), fixed(other))
        return first & (one & other | ~(fixedBit | passedBit))
    }
    @inlinable static func thread(of time: UInt64) -> UInt64 { time >> bits }
}
