import Dispatch
import Foundation
import ReactCore

extension ListenContext {
    /// Calls `body` on the main actor: at once when the value is set on the main thread, else by the main queue.
    ///
    ///     let lifetime = Lifetime(), total = MutableNode(1)
    ///     lifetime.listen(to: total).withOnMainActor { print("total: \($0)") }       // total: 1
    ///     total.value = 2                                                            // total: 2
    ///
    /// **Order.** The values are heard in order: one that is set on the main thread while others from elsewhere still
    /// wait for the main queue is heard at once, and they just before it.
    ///
    /// **Re-entrancy.** A value that `body` sets itself is heard after `body` returns.
    ///
    /// **Lifetime.** As with `with(_:)`. What still waits when the listening is cancelled, or when the listener is gone,
    /// is not heard.
    ///
    /// A node delivers one value at a time: a value that is set on the main thread while another thread is delivering is
    /// delivered by that thread, and so comes by the main queue.
    ///
    /// The main queue must run for values from other threads: an app's does; a plain command-line tool calls
    /// `dispatchMain()` or runs `RunLoop.main`.
    ///
    /// - Parameter body: Called with each value.
    /// - Returns: What ends the listening.
    @discardableResult
    public func withOnMainActor(_ body: @escaping @MainActor @Sendable (Value) -> Void) -> any Cancelable {
        with(
            edge: WaitingListenEdge(schedule: MainQueue.runNowOrSchedule) { value, _, _ in
                MainActor.assumeIsolated { body(value) }
            }
        )
    }
}

private enum MainQueue {
    /// Runs `work` at once on the main thread, else schedules it there.
    @Sendable static func runNowOrSchedule(_ work: @escaping @Sendable () -> Void) {
        if isCurrent { work() } else { DispatchQueue.main.async(execute: work) }
    }

    #if canImport(Darwin)

    private static var isCurrent: Bool { Thread.isMainThread }

    #else

    /// Elsewhere `dispatchMain()` ends the main thread, and the others run the main queue.
    private static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mark) != nil }

    private static let mark: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    #endif
}
