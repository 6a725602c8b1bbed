import Dispatch
import ReactCore

/// The scheduler that runs work as soon as the set under way on the calling thread is over: `.atOnce`.
///
/// It makes a border of `deliver(on:)` that costs no queue. A node that many graphs follow, such as a program's
/// settings, would make them one graph, which does one thing at a time. Behind such a border, each graph stays one of
/// its own:
///
///     let settings = MutableNode("light"), lifetime = Lifetime()
///     let first = settings.deliver(on: .atOnce), second = settings.deliver(on: .atOnce)
///     first.listened(by: lifetime).with { print("first", $0) }        // first light
///     second.listened(by: lifetime).with { print("second", $0) }      // second light
///     settings.value = "dark"                                         // first dark
///                                                                     // second dark
///     print(first.isUpToDate)                                         // true
///
/// **Threads.** The work runs on the thread that sets the node, after the outermost set or batch, and before that
/// returns. Each value is a set of its own in the graph that it goes to. If that graph is busy, the setting thread does
/// not wait: a thread of the library passes the value on when the graph is free. So two graphs never wait for each
/// other. Each border passes its values on in order.
///
/// **Time.** Work with an interval runs on the system's concurrent queue.
public struct AtOnceScheduler: SchedulerOfNoThread {
    /// Creates a scheduler. All are alike: see `.atOnce`.
    public init() {}
    /// Runs `work` when the set or batch under way on this thread is over; at once if there is none.
    public func schedule(_ work: @escaping @Sendable () -> Void) { Engine.whenOver(work) }
    /// Runs `work` on the system's concurrent queue when `interval` has passed.
    @discardableResult
    public func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
        DispatchQueue.global().schedule(after: interval, work)
    }
    /// The time for which the machine has been running and awake.
    public var clockReading: Duration? { DispatchQueue.global().clockReading }
}

extension Scheduler where Self == AtOnceScheduler {
    /// Passes values on when the set that brings them is over: `settings.deliver(on: .atOnce)`. See `AtOnceScheduler`.
    public static var atOnce: AtOnceScheduler { AtOnceScheduler() }
}
