/// The units of time. The raw value is the number of nanoseconds in one.
enum TimeUnit: Double {
    case nanoseconds = 1
    case microseconds = 1_000
}

/// Returns the time that `body` takes, by the monotonic clock. Not inlined, so that a profiler can look at it alone.
@inline(never)
func time(in unit: TimeUnit = .nanoseconds, _ body: () throws -> Void) rethrows -> Double {
    let (seconds, attoseconds) = try SuspendingClock().measure(body).components
    return (Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / unit.rawValue
}

/// A sample that times `body` and divides by `count`, and that fails unless the sum it leaves is `expected`.
func timed(
    per count: Int,
    in unit: TimeUnit = .nanoseconds,
    _ sum: Sum,
    expecting expected: Int,
    _ body: @escaping () -> Void
) -> Sample {
    Sample(of: count) {
        sum.pointer.pointee = 0
        let elapsed = time(in: unit, body)
        try WrongResult.expect("the sum of what was heard", sum.pointer.pointee, toBe: expected)
        return elapsed
    }
}

/// Returns the number of repetitions of `hops` hops for a sample of about a millisecond: long enough for the clock, and
/// short enough to slip between the interruptions of a busy machine.
func repetitions(of hops: Int) -> Int {
    max(10, 20_000 / hops)
}
