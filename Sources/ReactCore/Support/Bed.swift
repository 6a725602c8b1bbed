import Dispatch

/// The place where one thread sleeps until another wakes it.
final class Bed: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Ends the sleep, or the next one.
    func wake() { semaphore.signal() }
    /// Sleeps until this is woken, or until a time of `Platform.clock`. It may return early.
    func sleep(until end: UInt64) {
        let now = Platform.clock
        guard end > now else { return }
        _ = semaphore.wait(timeout: .now() + .nanoseconds(Int(clamping: end - now)))
    }
}
