/// The times of a delivery: the thread's number in the highest bits, and below how many runs, and steps of pulses, it has begun.
enum Clock {
    private static let bits: UInt64 = 48

    /// A time before all others, and of no thread's.
    static let elsewhere: UInt64 = 1

    static func start(of thread: UInt64) -> UInt64 {
        require(
            thread < 1 << (64 - bits),
            "EasyReact tells 65,535 threads from one another, and so many use it at once; have fewer, or let some of them end"
        )
        return thread << bits
    }
    static func thread(of time: UInt64) -> UInt64 { time >> bits }
}
extension Vertex {
    /// The thread of the delivery that came by last.
    package final var visitingThread: UInt64 { Clock.thread(of: visited) }
}
