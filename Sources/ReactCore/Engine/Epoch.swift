/// Splits an epoch: the thread's number is in the highest 16 bits; below them is the number of passes, and of steps of
/// pulses, that the thread has begun.
@usableFromInline enum Epoch {
    @inlinable static var bits: UInt64 { 48 }

    /// An epoch before all others, which belongs to no thread.
    static let elsewhere: UInt64 = 1

    static func start(of thread: UInt64) -> UInt64 {
        require(
            thread < 1 << (64 - bits),
            "EasyReact tells 65,535 threads from one another, and so many use it at once; have fewer, or let some of them end"
        )
        return thread << bits
    }
    @inlinable static func thread(of time: UInt64) -> UInt64 { time >> bits }
    /// Returns a number below `count`, which changes with the epoch. The division is unsigned, because the thread's
    /// number may set the highest bit.
    static func place(at time: UInt64, among count: Int) -> Int { Int(time % UInt64(count)) }
}
