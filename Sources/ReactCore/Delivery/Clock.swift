/// The times of a delivery: the thread's number in the highest bits, and below how many runs, and steps of pulses, it has begun.
enum Clock {
    private static let bits: UInt64 = 48

    /// A time before all others, and of no thread's.
    static let elsewhere: UInt64 = 1

    static func start(of thread: UInt64) -> UInt64 { thread << bits }
    static func thread(of time: UInt64) -> UInt64 { time >> bits }
}
